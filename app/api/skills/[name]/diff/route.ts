import { z } from "zod";
import { SkillDiff, SkillDiffQuery, SkillName } from "@/lib/schema/skills/skill";
import { json } from "@/lib/server/http/reply";
import { diffSkill } from "@/lib/server/skills/diff-skill";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ name: SkillName }),
    query: SkillDiffQuery,
    reply: SkillDiff,
    summary: "The files that differ between two versions of a skill",
  },
  async ({ services, params: { name }, query }) =>
    json(await diffSkill(services.database, name, query), { schema: SkillDiff }),
);
