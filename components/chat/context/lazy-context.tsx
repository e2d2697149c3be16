"use client";
import { lazy, Suspense, useEffect, useState } from "react";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { ContextRingProps } from "./context-ring";
import type { ContextSectionProps } from "./context-section";

const Ring = lazy(async () => ({ default: (await loadWithRetry(() => import("./context-ring"))).ContextRing }));
const Section = lazy(async () => ({
  default: (await loadWithRetry(() => import("./context-section"))).ContextSection,
}));

/** The composer's ring, loaded once the page is idle. */
export function LazyContextRing(props: ContextRingProps) {
  return useIdle() ? (
    <Suspense>
      <Ring {...props} />
    </Suspense>
  ) : null;
}

/** The same for the section of the side panel. */
export function LazyContextSection(props: ContextSectionProps) {
  return useIdle() ? (
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
