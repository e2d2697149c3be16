import { z } from "zod";
import {
  SkillDetail,
  SkillFileQuery,
  SkillFileRemovalQuery,
  SkillName,
  WriteSkillFileBody,
} from "@/lib/schema/skills/skill";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { download, json } from "@/lib/server/http/reply";
import { removeSkillFile, writeSkillFile } from "@/lib/server/skills/edit-skill";
import { readSkillFile } from "@/lib/server/skills/get-skill";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ name: SkillName });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: SkillFileQuery,
    produces: "application/octet-stream",
    summary: "The bytes of a file of an installed skill",
  },
  async ({ services, params: { name }, query }) =>
    download(await readSkillFile(services.database, name, query), { fileName: query.path.split("/").at(-1) ?? "file" }),
);

export const PUT = defineRoute(
  {
    access: "admin",
    params,
    body: WriteSkillFileBody,
    maxBodyBytes: MAX_UPLOAD_BYTES,
    reply: SkillDetail,
    summary: "Write a file of a skill, which makes its next version; 409 when `version` is no longer the current one",
  },
  async ({ services, params: { name }, body, viewer }) =>
    json(await writeSkillFile(services, name, body, viewer), { schema: SkillDetail }),
);

export const DELETE = defineRoute(
  {
    access: "admin",
    params,
    query: SkillFileRemovalQuery,
    reply: SkillDetail,
    summary: "Remove a file of a skill, which makes its next version",
  },
  async ({ services, params: { name }, query, viewer }) =>
    json(await removeSkillFile(services, name, query, viewer), { schema: SkillDetail }),
);
