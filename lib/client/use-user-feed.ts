"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { z } from "zod";
import { APPROVALS_KEY } from "./decisions";
import { filesKey } from "./file-queries";
import { THREADS_KEY, threadQuery } from "./queries";

/** What `GET /api/events` says, by event name: that something changed, not what it is now. */
const FEED_EVENTS = ["thread.changed", "run.changed", "file.changed", "approval.changed"] as const;
const FeedData = z.object({ threadId: z.string() });

function applyFeedEvent(queryClient: QueryClient, name: (typeof FEED_EVENTS)[number], threadId: string): void {
  if (name === "file.changed") {
    void queryClient.invalidateQueries({ queryKey: filesKey(threadId) });
    return;
  }
  if (name !== "thread.changed") void queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
  void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "list"] });
  void queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
  if (name === "run.changed") void queryClient.invalidateQueries({ queryKey: ["traces"] });
}

/**
 * Keeps what this tab shows up to date with what other tabs and the agents do. One connection per visible tab:
 * browsers allow six per host over HTTP/1.1, so a hidden tab lets go and catches up when it is looked at again.
 */
export function useUserFeed(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let source: EventSource | null = null;
    const catchUp = () => {
      void queryClient.invalidateQueries({ queryKey: THREADS_KEY });
      void queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
    };
    const open = () => {
      let isFirst = true;
      source = new EventSource("/api/events");
      // Said again after a lost connection, to this server or among servers: changes may have gone by untold.
      source.addEventListener("ready", () => {
        if (!isFirst) catchUp();
        isFirst = false;
      });
      for (const name of FEED_EVENTS) {
        source.addEventListener(name, (message: MessageEvent<string>) => {
          const parsed = FeedData.safeParse(parseJson(message.data));
          if (parsed.success) applyFeedEvent(queryClient, name, parsed.data.threadId);
        });
      }
    };
    const close = () => {
      source?.close();
      source = null;
    };
    const follow = () => {
      if (document.hidden) return close();
      if (source) return;
      open();
      catchUp();
    };
    if (!document.hidden) open();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }, [queryClient]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
