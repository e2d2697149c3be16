"use client";
import { useEffect, useRef } from "react";

/**
 * Runs the given work unless something of its kind is in progress: `isPending`, or started since the last render. Two
 * presses of Enter come faster than a render.
 */
export function useOneAtATime(isPending: boolean): (work: () => void) => void {
  const isUnderWay = useRef(isPending);
  useEffect(() => {
    isUnderWay.current = isPending;
  });
  return (work) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    work();
  };
}
