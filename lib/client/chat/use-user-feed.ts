"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { EventSourceMessage } from "eventsource-parser";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { FollowOptions, StreamUpdate } from "@/lib/api-client/follow-events";
import { ApiError } from "@/lib/client/http/api";
import { noteFeedRevision } from "@/lib/client/http/loaded-data";
import {
  APPROVALS_KEY,
  BOARDS_KEY,
  FILES_KEY,
  filesKey,
  NOTES_KEY,
  PROJECTS_KEY,
  THREADS_KEY,
  TRACE_NOTES_KEY,
  TRACES_KEY,
} from "@/lib/client/http/query-keys";
import { followShared } from "@/lib/client/http/shared-stream";
import { showToast } from "@/lib/client/ui/toast-store";
import { threadQuery } from "./thread-queries";

/** Everything that the feed reports on, for a tab that may have missed a change. */
function catchUp(queryClient: QueryClient): void {
  const keys = [THREADS_KEY, APPROVALS_KEY, NOTES_KEY, FILES_KEY, BOARDS_KEY, PROJECTS_KEY, TRACE_NOTES_KEY];
  for (const queryKey of keys) {
    void queryClient.invalidateQueries({ queryKey });
  }
}

/** The events of `GET /api/events`, by name: they say that something changed, not what it is now. */
const FEED_EVENTS = ["thread.changed", "thread.compacted", "run.changed", "file.changed", "approval.changed"] as const;
type FeedEvent = (typeof FEED_EVENTS)[number];

function applyFeedEvent(queryClient: QueryClient, name: FeedEvent, threadId: string): void {
  if (name === "file.changed") {
    void queryClient.invalidateQueries({ queryKey: filesKey(threadId) });
    return;
  }
  if (!name.startsWith("thread.")) void queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
  void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "list"] });
  // Those of the project that a page shows, if any: its counts and its cost.
  void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "project"] });
  void queryClient.invalidateQueries({ queryKey: [...PROJECTS_KEY, "one"] });
  void queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
  if (name === "run.changed") void queryClient.invalidateQueries({ queryKey: TRACES_KEY });
}

/**
 * Keeps what this tab shows up to date with what other tabs and the agents do, and reports whether it can. All visible
 * tabs share one connection; a hidden tab leaves it and catches up when it is visible again. Nothing is fetched again
 * as long as the feed's revision is the last known one, at first `loadedAt`: that of the page.
 */
export function useUserFeed(userId: string, loadedAt: string | null = null): FeedConnection {
  const queryClient = useQueryClient();
  const [connection, setConnection] = useState<FeedConnection>("connected");
  const known = useRef(loadedAt);
  useEffect(() => {
    let reading: AbortController | null = null;
    const open = () => {
      reading = new AbortController();
      void followFeed({
        userId,
        signal: reading.signal,
        onEvent: reader(queryClient, known),
        onConnection: setConnection,
      });
    };
    const close = () => {
      reading?.abort();
      reading = null;
    };
    const follow = () => {
      if (document.hidden) return close();
      if (!reading) open();
    };
    // At once: an attempt in its back-off would take seconds.
    const startAgain = () => {
      if (document.hidden) return;
      close();
      follow();
    };
    if (!document.hidden) open();
    document.addEventListener("visibilitychange", follow);
    window.addEventListener("online", startAgain);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      window.removeEventListener("online", startAgain);
      close();
    };
  }, [queryClient, userId]);
  return connection;
}

/** `lost`: several attempts in a row failed. `signed-out`: the session has ended. */
export type FeedConnection = "connected" | "lost" | "signed-out";

/** Fewer failed attempts stay silent: a restarting server is back by then. */
const QUIET_FAILURES = 3;

export interface FollowFeedOptions extends FollowOptions {
  readonly userId: string;
  readonly onEvent: (event: EventSourceMessage) => void;
  readonly onConnection: (connection: FeedConnection) => void;
}

/** Reads `GET /api/events`, along with other tabs, until `signal` aborts or the server refuses. */
export async function followFeed({ onEvent, onConnection, ...options }: FollowFeedOptions): Promise<void> {
  let latest: StreamUpdate | null = null;
  let revision: string | null = null;
  const onUpdate = (update: StreamUpdate) => {
    if (update.kind !== "event") {
      latest = update;
      return tellConnection(update, onConnection);
    }
    const { id, event, data } = update.event;
    revision = event === "ready" ? (textsIn(data).revision ?? null) : (id ?? revision);
    onEvent(update.event);
  };
  // A tab that joins learns from the revision whether it has missed changes, as if it had connected itself.
  const greet = () => (latest?.kind === "connected" ? [latest, readyAt(revision)] : latest === null ? [] : [latest]);
  try {
    await followShared("/api/events", { ...options, onUpdate, greet });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) onConnection("signed-out");
  }
}

function readyAt(revision: string | null): StreamUpdate {
  const data = JSON.stringify(revision === null ? {} : { revision });
  return { kind: "event", event: { id: undefined, event: "ready", data } };
}

function tellConnection(
  update: Exclude<StreamUpdate, { kind: "event" }>,
  tell: (connection: FeedConnection) => void,
): void {
  if (update.kind === "connected") tell("connected");
  else if (update.attempts >= QUIET_FAILURES) tell("lost");
}

/**
 * At `ready`, changes may have been missed: since the server rendered the page, while the tab was hidden, or while a
 * connection was lost, to this server or between servers. `known` is the last revision that this tab has heard of.
 */
function reader(queryClient: QueryClient, known: RefObject<string | null>): (event: EventSourceMessage) => void {
  return ({ id, event = "", data }) => {
    const texts = textsIn(data);
    if (event !== "ready") {
      known.current = id ?? known.current;
      noteFeedRevision(known.current);
      takeEvent(queryClient, event, texts);
      return;
    }
    const { revision = null } = texts;
    noteFeedRevision(revision);
    if (revision === null || revision !== known.current) catchUp(queryClient);
    known.current = revision;
  };
}

function takeEvent(queryClient: QueryClient, event: string, { title, body, threadId }: Texts): void {
  if (event === "notification" && title !== undefined && !isOnScreen(threadId)) {
    showToast({ title, description: body || undefined });
  }
  // A page that shows no board fetches nothing.
  if (event === "board.changed" || event === "run.changed" || event === "approval.changed") {
    void queryClient.invalidateQueries({ queryKey: BOARDS_KEY });
  }
  if (event === "note.changed") void queryClient.invalidateQueries({ queryKey: NOTES_KEY });
  if (event === "trace_note.changed") void queryClient.invalidateQueries({ queryKey: TRACE_NOTES_KEY });
  if (event === "project.changed") {
    void queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
    void queryClient.invalidateQueries({ queryKey: THREADS_KEY });
  }
  const name = FEED_EVENTS.find((known) => known === event);
  if (name !== undefined && threadId !== undefined) applyFeedEvent(queryClient, name, threadId);
}

/** Who looks at the thread, or at the inbox, sees it there. */
function isOnScreen(threadId: string | undefined): boolean {
  const { pathname } = location;
  const isThere = pathname.startsWith("/inbox") || (threadId !== undefined && pathname === `/threads/${threadId}`);
  return isThere && document.visibilityState === "visible";
}

type Texts = Readonly<Partial<Record<string, string>>>;

/** An event's string fields; none if the data can't be read. */
function textsIn(data: string): Texts {
  try {
    return Object.fromEntries(Object.entries(JSON.parse(data)).filter(isText));
  } catch {
    return {};
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
