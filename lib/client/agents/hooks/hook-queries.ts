import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { AvailableHooks } from "@/lib/schema/agents/agent-api";
import { type TryHookBody, TryHookReply } from "@/lib/schema/agents/try-hook";
import { TraceList } from "@/lib/schema/traces/trace";

export type KnownHook = AvailableHooks["hooks"][number];

/** Every hook that a config may name, with its phases and settings. */
export const availableHooksQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "hooks"],
  queryFn: async ({ signal }) => (await callJson(AvailableHooks, "/agents/hooks/available", { signal })).hooks,
  staleTime: 60_000,
});

/** Runs one hook of the stored draft on a sample; nothing else runs. */
export function tryHook(agentId: string, body: TryHookBody): Promise<TryHookReply> {
  return callJson(TryHookReply, `/api/agents/${encodeURIComponent(agentId)}/try-hook`, { method: "POST", body });
}

const RECENT = 10;

/** The agent's latest runs, on whose steps a hook can be tried. */
export function recentRunsQuery(agentId: string) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "recent-runs", agentId],
    queryFn: async ({ signal }) =>
      (await callJson(TraceList, `/api/traces${queryString({ agentId, limit: RECENT })}`, { signal })).traces,
  });
}
