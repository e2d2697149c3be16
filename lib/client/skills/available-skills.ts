import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";

const schema = async () => (await loadWithRetry(() => import("@/lib/schema/skills/available-skills"))).AvailableSkills;

/**
 * The skills that the viewer's agents find, including those in the viewer's own files; for one agent if it is named.
 */
export function availableSkillsQuery(agentId?: string) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "available", agentId ?? null],
    queryFn: ({ signal }) =>
      callJson(schema, `/agents/skills/available${queryString({ agent_id: agentId })}`, { signal }),
  });
}
