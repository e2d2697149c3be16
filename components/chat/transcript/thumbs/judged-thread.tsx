"use client";
import { createContext, lazy, Suspense, useContext } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

/** The thread whose replies take thumbs; null if none do: with read access only, and in a test thread. */
const JudgedThread = createContext<string | null>(null);
export const JudgedThreadProvider = JudgedThread.Provider;

const Thumbs = lazy(async () => ({ default: (await loadWithRetry(() => import("./reply-thumbs"))).ReplyThumbs }));

/** Space for both buttons: what follows them does not move when they load. */
const ROOM = <span className="w-[60px] shrink-0" />;

/** The thumbs below an ended reply that has a trace to store them. */
export function LazyThumbs({ runId, traceId }: { runId: string | undefined; traceId: string | undefined }) {
  const threadId = useContext(JudgedThread);
  if (threadId === null || runId === undefined || traceId === undefined) return null;
  return (
    <Suspense fallback={ROOM}>
      <Thumbs threadId={threadId} runId={runId} />
    </Suspense>
  );
}
