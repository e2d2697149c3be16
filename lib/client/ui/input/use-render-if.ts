"use client";
import { useCallback, useLayoutEffect, useReducer, useRef } from "react";

/**
 * A function that renders the caller again, but only while `isNeeded`. A page that is being hydrated registers its keys
 * and actions before anything is open that would show them.
 */
export function useRenderIf(isNeeded: boolean): () => void {
  const needed = useRef(isNeeded);
  useLayoutEffect(() => {
    needed.current = isNeeded;
  }, [isNeeded]);
  const [, render] = useReducer((count: number) => count + 1, 0);
  return useCallback(() => {
    if (needed.current) render();
  }, []);
}
