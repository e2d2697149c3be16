import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { FACET_KEYS, type FacetKey } from "@/lib/client/trace/facets";
import type { TraceListFilters } from "@/lib/client/trace/trace-queries";
import { type Difference, type DifferenceQuery, Differences } from "@/lib/schema/traces/difference";

const STALE_MS = 60_000;

/** What is different about some runs. */
export function differenceQuery(asked: DifferenceQuery) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "difference", asked],
    queryFn: ({ signal }) => callJson(Differences, "/api/traces/difference", { method: "POST", body: asked, signal }),
    staleTime: STALE_MS,
  });
}

/** The facet of the list that a difference narrows it by; null for what it does not filter by. */
export function filterOf({ facet }: Pick<Difference, "facet">): FacetKey | null {
  return FACET_KEYS.find((key) => key === facet) ?? null;
}

type Base = NonNullable<DifferenceQuery["base"]>["filters"];

/** The list's filters as a body; what does not narrow is left out. */
export function baseOf({ sort: _, ...filters }: TraceListFilters): Base {
  const narrowing = Object.entries(filters).filter(([, value]) => value !== "" && value !== null && value !== false);
  return Object.fromEntries(narrowing);
}
