import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { TRACE_VIEWS_KEY } from "@/lib/client/http/query-keys";
import {
  type CreateTraceView,
  TraceView,
  TraceViewList,
  type UpdateTraceView,
} from "@/lib/schema/traces/list/trace-view";

/** The person's views of the list, by name. */
export const traceViewsQuery = queryOptions({
  queryKey: TRACE_VIEWS_KEY,
  queryFn: async ({ signal }) => (await callJson(TraceViewList, "/api/traces/views", { signal })).views,
  staleTime: 60_000,
});

export function createView(body: CreateTraceView): Promise<TraceView> {
  return callJson(TraceView, "/api/traces/views", { method: "POST", body });
}

export function updateView(id: string, body: UpdateTraceView): Promise<TraceView> {
  return callJson(TraceView, `/api/traces/views/${encodeURIComponent(id)}`, { method: "PATCH", body });
}

export async function deleteView(id: string): Promise<void> {
  await callApi(`/api/traces/views/${encodeURIComponent(id)}`, { method: "DELETE" });
}
