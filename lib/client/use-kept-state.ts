"use client";
import { useCallback, useSyncExternalStore } from "react";

const PREFIX = "ringmaster-layout:";
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** A number of the layout that this browser keeps: widths, and 0 or 1 for open and closed. */
export function useKeptNumber(name: string, fallback: number): [number, (value: number) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => {
      const kept = Number(read(name) ?? Number.NaN);
      return Number.isFinite(kept) ? kept : fallback;
    },
    () => fallback,
  );
  const set = useCallback(
    (next: number) => {
      try {
        localStorage.setItem(PREFIX + name, String(next));
      } catch {
        return;
      }
      for (const listener of listeners) listener();
    },
    [name],
  );
  return [value, set];
}
