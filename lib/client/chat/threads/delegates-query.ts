import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** Whom an agent may hand a conversation to; no harm is done where it can't be read. */
export function delegatesQuery(agentId: string) {
  return queryOptions({
    queryKey: ["delegates", agentId],
    queryFn: async ({ signal }) => {
      const schema = async () => (await loadWithRetry(() => import("@/lib/schema/agents/agent-info"))).DelegateList;
      const path = `/api/agents/${encodeURIComponent(agentId)}/delegates`;
      return (await callJson(schema, path, { signal })).delegates;
    },
    retry: false,
    staleTime: 60_000,
  });
}
