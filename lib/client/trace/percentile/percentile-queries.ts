import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { CallPercentileReply } from "@/lib/schema/traces/calls/call-percentile";

const FRESH_MS = 5 * 60_000;

/** How long a tool call took beside others of its tool; null if nothing can be said. */
export function percentileQuery(traceId: string, spanId: string) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "percentile", traceId, spanId],
    queryFn: async ({ signal }) => {
      const path = `/api/traces/${encodeURIComponent(traceId)}/spans/${encodeURIComponent(spanId)}/percentile`;
      return (await callJson(CallPercentileReply, path, { signal })).percentile;
    },
    staleTime: FRESH_MS,
  });
}
