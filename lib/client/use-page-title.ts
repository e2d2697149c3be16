"use client";
import { useEffect } from "react";

/** Title of the tab, with a mark while something goes on that one may be waiting for. */
export function usePageTitle(title: string, isRunning: boolean): void {
  useEffect(() => {
    document.title = `${isRunning ? "◌ " : ""}${title} · Ringmaster`;
  }, [title, isRunning]);
}
