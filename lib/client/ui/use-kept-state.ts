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

/**
 * The browser's cookies as read by the server, by name: the page is rendered with it before any script runs, and need
 * not ask the browser, which keeps a script waiting for another process. Null where no server has read them.
 */
const KeptState = createContext<Readonly<Record<string, number>> | null>(null);
export const KeptStateProvider = KeptState.Provider;

/** What was set since the page was loaded; the browser may not keep it. */
const chosen = new Map<string, number>();

function read(name: string): number | null {
  const start = `${KEPT_PREFIX}${name}=`;
  const kept = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  const value = kept === undefined ? Number.NaN : Number(kept.slice(start.length));
  return Number.isFinite(value) ? value : null;
}

function write(name: string, value: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on pages over plain HTTP.
  document.cookie = `${KEPT_PREFIX}${name}=${value}; Path=/; Max-Age=${A_YEAR_S}; SameSite=Lax`;
  chosen.set(name, value);
}

/** A layout number that this browser keeps: widths, and 0 or 1 for open and closed. */
export function useKeptNumber(name: string, fallback: number): [number, (value: number) => void] {
  const known = useContext(KeptState);
  const value = useSyncExternalStore(
    subscribe,
    () => chosen.get(name) ?? (known === null ? read(name) : known[name]) ?? fallback,
    () => known?.[name] ?? fallback,
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
