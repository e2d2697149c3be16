import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { ReadTrace } from "@/lib/schema/traces/read-trace";

const LIVE_MS = 2000;

function readUrl(traceId: string, form: "read" | "text"): string {
  return `/api/traces/${encodeURIComponent(traceId)}/${form}`;
}

/** A trace as one text; while it grows it is fetched again every 2 s. */
export function readTraceQuery(traceId: string, isGrowing: boolean) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "read", traceId],
    queryFn: ({ signal }) => callJson(ReadTrace, readUrl(traceId, "read"), { signal }),
    refetchInterval: isGrowing ? LIVE_MS : false,
    staleTime: isGrowing ? 0 : 60_000,
  });
}

/** The same text as Markdown. */
export async function loadMarkdown(traceId: string): Promise<string> {
  return (await callApi(readUrl(traceId, "text"))).text();
}
