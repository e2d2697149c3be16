import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { hasEnded } from "@/lib/schema/runs/run";
import { TraceDigest } from "@/lib/schema/traces/digest";
import { SpanArray } from "@/lib/schema/traces/span";
import { SpanBody } from "@/lib/schema/traces/span-body";
import { FacetList, Trace, TraceList, type TraceOrder } from "@/lib/schema/traces/trace";
import { mayGrow } from "./trace-growth";

/** What names values names them separated by commas; empty texts, false and null do not narrow. */
type Choices = "status" | "agentId" | "tool" | "toolFailed" | "error" | "version" | "model" | "origin" | "person";

export type TraceListFilters = Readonly<Record<Choices | "decision" | "score" | "notes", string>> & {
  readonly q: string;
  /** ISO 8601; empty for all time. */
  readonly since: string;
  /** Exclusive; empty for no end. */
  readonly until: string;
  readonly mine: boolean;
  readonly hasError: boolean;
  readonly minCostUsd: number | null;
  readonly minWorkedMs: number | null;
  readonly problemId: string;
  readonly sort: TraceOrder;
};

const LIVE_LIST_MS = 2000;
const QUIET_LIST_MS = 15_000;
/** Rows that stay until somebody asks for newer ones. */
const AS_LOADED = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false };

/** The runs under the filters that began before then (ms); `newerRunsQuery` counts the others. */
function begunBefore(filters: TraceListFilters, loadedAtMs: number): TraceListFilters {
  const until = new Date(loadedAtMs).toISOString();
  return filters.until !== "" && filters.until < until ? filters : { ...filters, until };
}

/**
 * Pages of 50, newest first; refetched every 2 s while something on them runs. With `loadedAtMs` they are the runs that
 * had begun then, and stay as they were loaded.
 */
export function traceListQuery(filters: TraceListFilters, loadedAtMs: number | null = null) {
  const shown = loadedAtMs === null ? filters : begunBefore(filters, loadedAtMs);
  return infiniteQueryOptions({
    queryKey: loadedAtMs === null ? [...TRACES_KEY, "list", filters] : ["traces as loaded", filters, loadedAtMs],
    queryFn: ({ pageParam, signal }) =>
      callJson(TraceList, `/api/traces${queryString({ ...shown, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (previous) => previous,
    ...(loadedAtMs === null ? {} : AS_LOADED),
    refetchInterval: ({ state }) => {
      if (loadedAtMs !== null) return false;
      const rows = state.data?.pages.flatMap((page) => page.traces) ?? [];
      return rows.some((row) => !hasEnded(row.status)) ? LIVE_LIST_MS : QUIET_LIST_MS;
    },
  });
}

/** What is worth knowing about one. */
export function traceDigestQuery(traceId: string) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "digest", traceId],
    queryFn: ({ signal }) => callJson(TraceDigest, `/api/traces/${encodeURIComponent(traceId)}/explain`, { signal }),
  });
}

/** More than these are not counted. */
export const MOST_NEWER = 50;

/** How many runs under the filters began since then (ms). */
export function newerRunsQuery(filters: TraceListFilters, sinceMs: number) {
  const since = new Date(sinceMs).toISOString();
  const newer = {
    ...filters,
    since: since > filters.since ? since : filters.since,
    sort: "started",
    limit: MOST_NEWER,
  };
  return queryOptions({
    queryKey: [...TRACES_KEY, "newer", newer],
    queryFn: async ({ signal }) => {
      const { traces } = await callJson(TraceList, `/api/traces${queryString(newer)}`, { signal });
      return traces.length;
    },
    placeholderData: (previous) => previous,
    refetchInterval: LIVE_LIST_MS,
  });
}

/** How many runs there are under the filters, by facet. */
export function facetsQuery({ sort: _, ...filters }: TraceListFilters) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "facets", filters],
    queryFn: ({ signal }) => callJson(FacetList, `/api/traces/facets${queryString(filters)}`, { signal }),
    placeholderData: (previous) => previous,
    refetchInterval: QUIET_LIST_MS,
  });
}

const LIVE_TRACE_MS = 1000;
/** A huge trace is not fetched whole every second. */
const LIVE_LARGE_TRACE_MS = 4000;
const LARGE_TRACE_SPANS = 2000;

const TraceOfThousands = Trace.extend({ spans: SpanArray });

/** The URL that `traceQuery` fetches: a page may have the browser preload it before any script runs. */
export function traceUrl(id: string): string {
  return `/api/traces/${encodeURIComponent(id)}`;
}

/** One trace by its id or its run's; it grows during its run, and with the run's follow-up work. */
export function traceQuery(id: string) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "one", id],
    queryFn: ({ signal }) => callJson(TraceOfThousands, traceUrl(id), { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (!data || !mayGrow(data, serverNowMs())) return false;
      return data.spans.length > LARGE_TRACE_SPANS ? LIVE_LARGE_TRACE_MS : LIVE_TRACE_MS;
    },
  });
}

interface SpanAddress {
  readonly traceId: string;
  readonly spanId: string;
  /** Changes with the span, so that an open span is refetched when it ends. */
  readonly version: string;
  readonly withEarlier: boolean;
}

/** A span in full; `withEarlier` also includes the messages that the previous call had seen. */
export function spanQuery({ traceId, spanId, version, withEarlier }: SpanAddress) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "span", traceId, spanId, version, withEarlier],
    queryFn: ({ signal }) => {
      const path = `/api/traces/${encodeURIComponent(traceId)}/spans/${encodeURIComponent(spanId)}`;
      return callJson(SpanBody, `${path}${queryString({ earlier: withEarlier })}`, { signal });
    },
    staleTime: version === "open" ? 2000 : 5 * 60_000,
    refetchInterval: version === "open" ? 2000 : false,
    placeholderData: (previous) => (previous?.span.id === spanId ? previous : undefined),
  });
}

export function exportTraceUrl(traceId: string): string {
  return `/api/traces/${encodeURIComponent(traceId)}/export?format=json`;
}

/** The trace as one HTML file. */
export function bundleTraceUrl(traceId: string): string {
  return `/api/traces/${encodeURIComponent(traceId)}/bundle`;
}
