import { z } from "zod";
import { SkillDetail, SkillName, SkillVersionQuery } from "@/lib/schema/skills/skill";
import { json, noContent } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { deleteSkill } from "@/lib/server/skills/delete-skill";
import { getSkillDetail } from "@/lib/server/skills/get-skill";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ name: SkillName });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: SkillVersionQuery,
    reply: SkillDetail,
    summary: "An installed skill with its versions and the files of one of them",
  },
  async ({ services, params: { name }, query: { version }, viewer }) =>
    json(await getSkillDetail(services.database, name, version, accessOf(viewer)), { schema: SkillDetail }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete an installed skill; it can be restored" },
  async ({ services, params: { name }, viewer }) => {
    await deleteSkill(services, name, viewer);
    return noContent();
  },
);
