"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { changedFilesQuery, folderQuery } from "@/lib/client/files/file-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { ContextRingProps } from "./context-ring";
import type { ContextSectionProps } from "./context-section";

const Ring = lazy(async () => ({ default: (await loadWithRetry(() => import("./context-ring"))).ContextRing }));
const Section = lazy(async () => ({
  default: (await loadWithRetry(() => import("./context-section"))).ContextSection,
}));

/** The composer's ring, loaded once the page is idle. Its room is kept, so that nothing moves when it is there. */
export function LazyContextRing(props: ContextRingProps) {
  const isIdle = useIdle();
  return (
    <span className="flex w-20 shrink-0 justify-end">
      {isIdle ? (
        <Suspense>
          <Ring {...props} />
        </Suspense>
      ) : null}
    </span>
  );
}

/** The same for the section of the side panel, once the files above it are known and no longer move it. */
export function LazyContextSection(props: ContextSectionProps) {
  const { threadId } = props.moment;
  const files = useQuery(folderQuery(threadId, ""));
  const changed = useQuery(changedFilesQuery(threadId));
  const isIdle = useIdle();
  return isIdle && !files.isPending && !changed.isPending ? (
    <Suspense>
      <Section {...props} />
    </Suspense>
  ) : null;
}

/** The latest time, however busy the page is. */
const LATEST_MS = 2_000;

/** True once the page has been idle. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari does not report idleness.
    if (window.requestIdleCallback === undefined) {
      const timer = setTimeout(() => setIdle(true), 200);
      return () => clearTimeout(timer);
    }
    const asked = window.requestIdleCallback(() => setIdle(true), { timeout: LATEST_MS });
    return () => window.cancelIdleCallback(asked);
  }, []);
  return isIdle;
}
