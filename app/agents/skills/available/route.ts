import { AvailableSkills, AvailableSkillsQuery } from "@/lib/schema/skills/available-skills";
import { listAvailableSkills } from "@/lib/server/agents/list-available";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: AvailableSkillsQuery,
    reply: AvailableSkills,
    summary: "Skills that the caller's agents find: installed ones and those in the caller's own workspaces",
  },
  async ({ services, query, viewer }) =>
    json(await listAvailableSkills(services, viewer, query.agent_id), { schema: AvailableSkills }),
);
