"use client";
import { createContext, useContext } from "react";

export interface OpenChildRun {
  readonly runId: string;
  readonly title: string;
}

const ChildRunContext = createContext<((child: OpenChildRun) => void) | null>(null);
export const ChildRunProvider = ChildRunContext.Provider;

/** Shows a subagent's own transcript; null outside a page that can show it. */
export function useOpenChildRun(): ((child: OpenChildRun) => void) | null {
  return useContext(ChildRunContext);
}
