import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { CONTEXT_KEY } from "@/lib/client/http/query-keys";
import { LastRequest, ThreadContext } from "@/lib/schema/threads/thread-context";

/** The inputs of a context. It is refetched only if one of these has changed. */
export interface ContextMoment {
  readonly threadId: string;
  /** The agent that answers the next message; null until known. */
  readonly agentId: string | null;
  /** Its published version; null until known. */
  readonly version: number | null;
  /** The model picked in the composer, null for the agent's own. */
  readonly model: string | null;
  /** The last ended run, and how often the thread was compacted. */
  readonly after: string;
}

/** The window's fill, and the rules that keep it from filling up. */
export function contextQuery({ threadId, ...moment }: ContextMoment) {
  return queryOptions({
    queryKey: [...CONTEXT_KEY, threadId, moment],
    queryFn: ({ signal }) =>
      callJson(ThreadContext, pathOf(threadId, { model: moment.model, prompt: "false" }), { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The whole request, as it would be sent now: fetched each time somebody opens it. */
export function requestQuery(threadId: string, model: string | null) {
  return queryOptions({
    queryKey: [...CONTEXT_KEY, threadId, "request", model],
    queryFn: ({ signal }) => callJson(ThreadContext, pathOf(threadId, { model, request: "true" }), { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** What the last model call sent, for a comparison. */
export function lastRequestQuery(threadId: string) {
  return queryOptions({
    queryKey: [...CONTEXT_KEY, threadId, "last"],
    queryFn: ({ signal }) =>
      callJson(LastRequest, `/api/threads/${encodeURIComponent(threadId)}/context/last`, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

function pathOf(threadId: string, query: Record<string, string | null>): string {
  return `/api/threads/${encodeURIComponent(threadId)}/context${queryString(query)}`;
}
