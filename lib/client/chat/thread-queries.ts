import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { loadInPieces } from "@/lib/client/http/load-in-pieces";
import { AGENTS_KEY, PROVIDERS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { SCHEMA_PIECES } from "@/lib/client/http/schema-pieces";
import { byName } from "@/lib/client/ui/text/by-name";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ThreadDetail, ThreadOrigin, ThreadState } from "@/lib/schema/threads/thread";

/** The page comes with its initial data, so no schema is needed until something is refetched. */
const schemas = async () => {
  const pieces = [
    ...SCHEMA_PIECES,
    () => import("@/lib/schema/runs/interrupt"),
    () => import("@/lib/schema/agents/agent-info"),
    () => import("@/lib/schema/provider"),
  ];
  return (await loadInPieces(pieces, () => import("./page-schemas"))).PAGE_SCHEMAS;
};
const threadList = async () => (await schemas()).ThreadList;
const threadDetail = async () => (await schemas()).ThreadDetail;
const transcriptPage = async () => (await schemas()).TranscriptPage;
const agentList = async () => (await schemas()).AgentList;
const providerList = async () => (await schemas()).ProviderList;

export interface ThreadFilters {
  readonly q: string;
  readonly archived: boolean;
  readonly agentId?: string | null;
  readonly state?: ThreadState | null;
  /** Only threads that this started, instead of those of the person. */
  readonly origin?: ThreadOrigin;
  readonly triggerId?: string;
}

/** How soon a search asks again while not all is prepared for it. */
const PREPARING_MS = 5000;

export function threadListQuery(filters: ThreadFilters) {
  return infiniteQueryOptions({
    queryKey: [...THREADS_KEY, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      callJson(threadList, `/api/threads${queryString({ ...filters, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ unfolded = 0 }) => unfolded > 0) ? PREPARING_MS : false,
  });
}

/** A thread from its first loaded message on: a refetch keeps the messages that have been added since. */
export function threadQuery(threadId: string) {
  const queryKey = [...THREADS_KEY, "one", threadId] as const;
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => {
      const known = client.getQueryData<ThreadDetail>(queryKey);
      const from = known === undefined ? null : (known.earlierCursor ?? "0");
      return callJson(threadDetail, `/api/threads/${encodeURIComponent(threadId)}${queryString({ from })}`, { signal });
    },
    enabled: () => !isGone(threadId),
  });
}

/** More than the first page loads, because that one has to appear quickly. */
const EARLIER_MESSAGES = 100;
/** Who reads on goes far: as many as the server gives at once. */
const MORE_MESSAGES = 200;

/**
 * The messages before `cursor`, a page at a time. What precedes one message, `first`, no longer changes, whichever
 * branch is shown, so each page is fetched once.
 */
export function earlierMessagesQuery(threadId: string, cursor: string, first: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ["transcript", threadId, cursor, first],
    queryFn: ({ pageParam, signal }) => {
      const limit = pageParam === cursor ? EARLIER_MESSAGES : MORE_MESSAGES;
      const query = queryString({ cursor: pageParam, limit });
      return callJson(transcriptPage, `/api/threads/${encodeURIComponent(threadId)}/messages${query}`, { signal });
    },
    initialPageParam: cursor,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const agentsQuery = queryOptions({
  queryKey: AGENTS_KEY,
  queryFn: async ({ signal }) => (await callJson(agentList, "/agents", { signal })).agents,
  // The server sorts them by id, which people do not see.
  select: (agents: readonly AgentInfo[]) => byName(agents),
  staleTime: 30_000,
});

/** The providers that the viewer may use; admins also see their settings. */
export const providersQuery = queryOptions({
  queryKey: PROVIDERS_KEY,
  queryFn: ({ signal }) => callJson(providerList, "/api/providers", { signal }),
  staleTime: 60_000,
});

/** Threads deleted in this tab. A deleted thread's page may remain for a moment and must not request it again. */
const gone = new Set<string>();

export function markGone(threadId: string): void {
  gone.add(threadId);
}

export function markBack(threadId: string): void {
  gone.delete(threadId);
}

export function isGone(threadId: string): boolean {
  return gone.has(threadId);
}
