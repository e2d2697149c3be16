"use client";
import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import { KEPT_PREFIX } from "@/lib/schema/kept-state";

const A_YEAR_S = 31_536_000;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The browser's cookies as read by the server, by name: the page is rendered with it before any script runs. */
const KeptState = createContext<Readonly<Record<string, number>>>({});
export const KeptStateProvider = KeptState.Provider;

/** Values that the browser would not keep: they last as long as the page. */
const unstored = new Map<string, number>();

function read(name: string): number | null {
  const start = `${KEPT_PREFIX}${name}=`;
  const kept = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  const value = kept === undefined ? Number.NaN : Number(kept.slice(start.length));
  return Number.isFinite(value) ? value : null;
}

function write(name: string, value: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on pages over plain HTTP.
  document.cookie = `${KEPT_PREFIX}${name}=${value}; Path=/; Max-Age=${A_YEAR_S}; SameSite=Lax`;
  if (read(name) === value) unstored.delete(name);
  else unstored.set(name, value);
}

/** A layout number that this browser keeps: widths, and 0 or 1 for open and closed. */
export function useKeptNumber(name: string, fallback: number): [number, (value: number) => void] {
  const known = useContext(KeptState)[name];
  const value = useSyncExternalStore(
    subscribe,
    () => unstored.get(name) ?? read(name) ?? fallback,
    () => known ?? fallback,
  );
  const set = useCallback(
    (next: number) => {
      write(name, next);
      for (const listener of listeners) listener();
    },
    [name],
  );
  return [value, set];
}
