import { z } from "zod";
import { SkillFileQuery, SkillName } from "@/lib/schema/skills/skill";
import { download } from "@/lib/server/http/reply";
import { readSkillFile } from "@/lib/server/skills/get-skill";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ name: SkillName }),
    query: SkillFileQuery,
    produces: "application/octet-stream",
    summary: "The bytes of a file of an installed skill",
  },
  async ({ params: { name }, query }) =>
    download(await readSkillFile(name, query), { fileName: query.path.split("/").at(-1) ?? "file" }),
);
