import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { hasEnded } from "@/lib/schema/runs/run";
import { ComparedRuns } from "@/lib/schema/traces/compare-runs";

const LIVE_MS = 4000;

/** Two runs side by side; while one of them goes on, fetched again every 4 s. */
export function compareQuery(a: string, b: string) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "compare", a, b],
    queryFn: ({ signal }) => callJson(ComparedRuns, `/api/traces/compare${queryString({ a, b })}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && !(hasEnded(data.a.status) && hasEnded(data.b.status)) ? LIVE_MS : false,
    staleTime: 60_000,
  });
}

export function compareHref(a: string, b?: string): string {
  return `/traces/compare${queryString({ a, b })}`;
}
