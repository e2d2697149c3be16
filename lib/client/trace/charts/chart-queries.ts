import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import type { TraceListFilters } from "@/lib/client/trace/trace-queries";
import { TraceCharts } from "@/lib/schema/traces/list/charts";

const REFRESH_MS = 15_000;

/** The runs under the filters by time; days begin at this browser's midnight. */
export function chartsQuery({ sort: _, ...filters }: TraceListFilters) {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return queryOptions({
    queryKey: [...TRACES_KEY, "charts", filters, timezone],
    queryFn: ({ signal }) =>
      callJson(TraceCharts, `/api/traces/charts${queryString({ ...filters, timezone })}`, { signal }),
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS,
  });
}
