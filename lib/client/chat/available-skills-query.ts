import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/ui/api";
import { SKILLS_KEY } from "@/lib/client/ui/query-keys";
import { AvailableSkills } from "@/lib/schema/available-skills";

/** What the viewer's agents find, in their own files too; of one agent when it is named. */
export function availableSkillsQuery(agentId?: string) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "available", agentId ?? null],
    queryFn: ({ signal }) =>
      callJson(AvailableSkills, `/agents/skills/available${queryString({ agent_id: agentId })}`, { signal }),
  });
}
