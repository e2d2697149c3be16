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

/** What the browser would not keep: it holds for as long as the page is there. */
const unkept = new Map<string, string>();

function read(name: string): string | null {
  try {
    return unkept.get(name) ?? localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
    unkept.delete(name);
  } catch {
    unkept.set(name, value);
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
      write(name, String(next));
      for (const listener of listeners) listener();
    },
    [name],
  );
  return [value, set];
}
