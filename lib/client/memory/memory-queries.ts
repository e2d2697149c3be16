import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { ApiError, callApi, callJson, queryString } from "@/lib/client/http/api";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import {
  type CreateMemoryBody,
  MemoryBlame,
  MemoryDays,
  MemoryDetail,
  type MemoryDocument,
  MemoryDocumentList,
  MemoryLineUses,
  MemorySearchResults,
  MemoryTemplates,
  MemoryVersionList,
} from "@/lib/schema/files/memory";
import { FileDiff } from "@/lib/schema/files/workspace-file";

/** The owner of the documents shown: an agent's, for a person. */
export interface MemoryOwner {
  readonly agentId: string;
  readonly userId: string;
}

const MOST_AT_ONCE = 1_000;
/** A run may write the document while it is open. */
const REFRESH_MS = 15_000;

const memoryPath = (id: string) => `/api/memory/${encodeURIComponent(id)}`;

/** The documents of a person with an agent, and those that all its users share. */
export function memoryListQuery({ agentId, userId }: MemoryOwner) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "list", agentId, userId],
    queryFn: ({ signal }) => listDocuments({ agentId, userId }, signal),
    enabled: agentId !== "",
  });
}

/** What every agent keeps about a person, without what all users of an agent share. */
export function ownMemoryQuery(userId: string) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "own", userId],
    queryFn: async ({ signal }) => {
      const documents = await listDocuments({ userId }, signal);
      return documents.filter((document) => document.userId === userId);
    },
  });
}

async function listDocuments(filters: Partial<MemoryOwner>, signal: AbortSignal): Promise<MemoryDocument[]> {
  const documents: MemoryDocument[] = [];
  let cursor: string | null = null;
  do {
    const query = queryString({ ...filters, limit: MOST_AT_ONCE, cursor });
    const page: MemoryDocumentList = await callJson(MemoryDocumentList, `/api/memory${query}`, { signal });
    documents.push(...page.documents);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return documents;
}

/** `month` as 2026-11. */
export function memoryDaysQuery({ agentId, userId }: MemoryOwner, month: string) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "days", agentId, userId, month],
    queryFn: async ({ signal }) =>
      (await callJson(MemoryDays, `/api/memory/days${queryString({ agentId, userId, month })}`, { signal })).days,
    enabled: agentId !== "",
    placeholderData: (previous) => previous,
  });
}

export function memorySearchQuery({ agentId, userId }: MemoryOwner, q: string) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "search", agentId, userId, q],
    queryFn: async ({ signal }) =>
      (await callJson(MemorySearchResults, `/api/memory/search${queryString({ q, agentId, userId })}`, { signal }))
        .results,
    enabled: q !== "",
    placeholderData: (previous) => previous,
  });
}

export function memoryDocumentQuery(id: string) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "one", id],
    queryFn: ({ signal }) => callJson(MemoryDetail, memoryPath(id), { signal }),
    refetchInterval: REFRESH_MS,
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 404),
  });
}

/** Keyed by version, because each version has its own blame. */
export function memoryBlameQuery(id: string, version: number) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "blame", id, version],
    queryFn: ({ signal }) => callJson(MemoryBlame, `${memoryPath(id)}/blame`, { signal }),
  });
}

/** Keyed by version too: whether a thread's next prompt has the line changes with the document. */
export function lineUsesQuery(lineId: string, version: number) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "uses", lineId, version],
    queryFn: ({ signal }) =>
      callJson(MemoryLineUses, `/api/memory/lines/${encodeURIComponent(lineId)}/uses`, { signal }),
  });
}

export function memoryVersionsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...MEMORY_KEY, "versions", id],
    queryFn: ({ pageParam, signal }) =>
      callJson(MemoryVersionList, `${memoryPath(id)}/versions${queryString({ cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  });
}

/** Never stale: versions do not change. */
export function memoryDiffQuery(id: string, from: number, to: number) {
  return queryOptions({
    queryKey: [...MEMORY_KEY, "diff", id, from, to],
    queryFn: ({ signal }) =>
      callJson(FileDiff, `${memoryPath(id)}/diff${queryString({ from: String(from), to })}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const memoryTemplatesQuery = queryOptions({
  queryKey: [...MEMORY_KEY, "templates"],
  queryFn: async ({ signal }) => (await callJson(MemoryTemplates, "/api/memory/templates", { signal })).templates,
  staleTime: Number.POSITIVE_INFINITY,
});

export interface SaveMemory {
  readonly content: string;
  readonly version: number;
}

export function saveMemory(id: string, body: SaveMemory): Promise<MemoryDetail> {
  return callJson(MemoryDetail, memoryPath(id), { method: "PUT", body });
}

const Conflict = z.object({ current: MemoryDetail.nullable() });

/** The current document from a conflict error: null if it was deleted, undefined for any other error. */
export function conflictOf(error: unknown): MemoryDetail | null | undefined {
  if (!(error instanceof ApiError) || error.code !== "conflict") return undefined;
  return Conflict.safeParse(error.details).data?.current;
}

export function createMemory(body: CreateMemoryBody): Promise<MemoryDetail> {
  return callJson(MemoryDetail, "/api/memory", { method: "POST", body });
}

export function restoreMemory(id: string, version: number): Promise<MemoryDetail> {
  return callJson(MemoryDetail, `${memoryPath(id)}/restore`, { method: "POST", body: { version } });
}

export async function deleteMemory(id: string): Promise<void> {
  await callApi(memoryPath(id), { method: "DELETE" });
}
