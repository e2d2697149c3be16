"use client";
import { useEffect, useState } from "react";

/** The latest time, however busy the page is. */
const LATEST_MS = 2_000;

/** True once the page has been idle. */
export function useIdle(): boolean {
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
