import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";

const schema = async () => (await import("@/lib/schema/skills/available-skills")).AvailableSkills;

/** What the viewer's agents find, in their own files too; of one agent when it is named. */
export function availableSkillsQuery(agentId?: string) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "available", agentId ?? null],
    queryFn: ({ signal }) =>
      callJson(schema, `/agents/skills/available${queryString({ agent_id: agentId })}`, { signal }),
  });
}
