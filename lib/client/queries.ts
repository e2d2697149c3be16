import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { AgentList } from "@/lib/schema/agent-info";
import { ProviderList } from "@/lib/schema/provider";
import { ThreadDetail, ThreadList } from "@/lib/schema/thread";
import { callJson, queryString } from "./api";

export interface ThreadFilters {
  readonly q: string;
  readonly archived: boolean;
}

/** Every list of threads starts with this key: invalidate it when any thread changed. */
export const THREADS_KEY = ["threads"] as const;

export function threadListQuery(filters: ThreadFilters) {
  return infiniteQueryOptions({
    queryKey: [...THREADS_KEY, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      callJson(
        ThreadList,
        `/api/threads${queryString({ q: filters.q, archived: filters.archived, cursor: pageParam })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (previous) => previous,
  });
}

export function threadQuery(threadId: string) {
  return queryOptions({
    queryKey: [...THREADS_KEY, "one", threadId],
    queryFn: ({ signal }) => callJson(ThreadDetail, `/api/threads/${encodeURIComponent(threadId)}`, { signal }),
  });
}

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: async ({ signal }) => (await callJson(AgentList, "/agents", { signal })).agents,
  staleTime: 30_000,
});

export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => callJson(ProviderList, "/api/providers", { signal }),
  staleTime: 60_000,
});
