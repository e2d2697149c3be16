"use client";
import { useLayoutEffect, useRef } from "react";

/**
 * Runs the given work unless something of its kind is in progress: `isPending`, or started since the last render. Two
 * presses of Enter come faster than a render.
 */
export function useOneAtATime(isPending: boolean): (work: () => void) => void {
  const isUnderWay = useRef(isPending);
  // A plain effect runs later than the page shows the end: a press in between would be ignored.
  useLayoutEffect(() => {
    isUnderWay.current = isPending;
  });
  return (work) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    work();
  };
}
