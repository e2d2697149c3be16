import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { ContextPreview } from "@/lib/schema/threads/thread-context";

/** A config's window, and how full it is in the agent's latest threads. */
export function contextPreviewQuery(agentId: string, config: RawConfig) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "context", agentId, config],
    queryFn: ({ signal }) =>
      callJson(ContextPreview, `/api/agents/${encodeURIComponent(agentId)}/preview-context`, {
        method: "POST",
        body: { config },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
