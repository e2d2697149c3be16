"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { type ChatMessage, isShown, visibleMessages } from "./chat-message";
import { earlierMessagesQuery } from "./thread-queries";

/** `none`: the whole thread was loaded when it was opened. */
type EarlierState = "none" | "more" | "loading" | "failed" | "all";

export interface EarlierMessages {
  /** The loaded messages, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly state: EarlierState;
  /** Number of messages loaded so far. */
  readonly count: number;
  readonly load: () => void;
  /** The same, but leaves a failure to the next caller. */
  readonly fetchAhead: () => void;
}

/** The messages before those that a thread was opened with: a page at a time, on request. */
export function useEarlierMessages({
  id,
  earlierCursor,
  messages: [first],
}: Pick<ThreadDetail, "id" | "earlierCursor" | "messages">): EarlierMessages {
  const query = useInfiniteQuery({ ...earlierMessagesQuery(id, earlierCursor ?? "0", first?.id), enabled: false });
  const { data, fetchNextPage } = query;
  const messages = useMemo(() => {
    const pages = data?.pages.toReversed() ?? [];
    return visibleMessages(
      pages.flatMap((page) => page.messages),
      NOTHING_QUEUED,
    ).filter(isShown);
  }, [data]);
  const state = earlierCursor === null ? "none" : stateOf(query);
  const isMore = state === "more";
  const mayLoad = isMore || state === "failed";
  const load = useCallback(() => {
    if (mayLoad) void fetchNextPage({ cancelRefetch: false });
  }, [mayLoad, fetchNextPage]);
  const fetchAhead = useCallback(() => {
    if (isMore) void fetchNextPage({ cancelRefetch: false });
  }, [isMore, fetchNextPage]);
  return { messages, state, count: messages.length, load, fetchAhead };
}

/** Queued messages are among the newest. */
const NOTHING_QUEUED: ReadonlySet<string> = new Set();

function stateOf(query: {
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly isFetchNextPageError: boolean;
  readonly data: unknown;
  readonly hasNextPage: boolean;
}): EarlierState {
  if (query.isFetching) return "loading";
  if (query.isError || query.isFetchNextPageError) return "failed";
  return query.data !== undefined && !query.hasNextPage ? "all" : "more";
}
