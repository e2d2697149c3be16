"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { z } from "zod";
import { THREADS_KEY, threadQuery } from "./queries";

/** What `GET /api/events` says: that something changed, not what it is now. */
const FeedEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.changed"), threadId: z.string() }),
  z.object({ type: z.literal("run.changed"), threadId: z.string(), runId: z.string(), status: z.string() }),
  z.object({ type: z.literal("file.changed"), threadId: z.string(), runId: z.string(), path: z.string() }),
]);

export function filesKey(threadId: string) {
  return ["files", threadId] as const;
}

function applyFeedEvent(queryClient: QueryClient, event: z.infer<typeof FeedEvent>): void {
  if (event.type === "file.changed") {
    void queryClient.invalidateQueries({ queryKey: filesKey(event.threadId) });
    return;
  }
  void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "list"] });
  void queryClient.invalidateQueries({ queryKey: threadQuery(event.threadId).queryKey });
  if (event.type === "run.changed") void queryClient.invalidateQueries({ queryKey: ["traces"] });
}

/**
 * Keeps what this tab shows up to date with what other tabs and the agents do. One connection per visible tab:
 * browsers allow six per host over HTTP/1.1, so a hidden tab lets go and catches up when it is looked at again.
 */
export function useUserFeed(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    let source: EventSource | null = null;
    const open = () => {
      source = new EventSource("/api/events");
      source.onmessage = (message: MessageEvent<string>) => {
        const parsed = FeedEvent.safeParse(parseJson(message.data));
        if (parsed.success) applyFeedEvent(queryClient, parsed.data);
      };
    };
    const close = () => {
      source?.close();
      source = null;
    };
    const follow = () => {
      if (document.hidden) return close();
      if (source) return;
      open();
      void queryClient.invalidateQueries({ queryKey: THREADS_KEY });
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
