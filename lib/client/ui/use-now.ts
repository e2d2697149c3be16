"use client";
import { useEffect, useState, useSyncExternalStore } from "react";
import { serverNowMs } from "@/lib/client/http/server-clock";

interface Ticker {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => number;
}

/** One timer for all users of the same period; it stops when there are none. */
function createTicker(periodMs: number): Ticker {
  const listeners = new Set<() => void>();
  let now = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const beat = () => {
    now = serverNowMs();
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        now = serverNowMs();
        timer = setInterval(beat, periodMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
        now = 0;
      };
    },
    read: () => {
      if (now === 0) now = serverNowMs();
      return now;
    },
  };
}

const everySecond = createTicker(1000);
const everyHalfMinute = createTicker(30_000);

/** The server's time, refreshed every second; null while rendering on the server. */
export function useSecond(): number | null {
  return useSyncExternalStore(everySecond.subscribe, everySecond.read, () => null);
}

/** The server's time, refreshed every second while `isNeeded`; otherwise null, and nothing rerenders. */
export function useSecondWhile(isNeeded: boolean): number | null {
  const { subscribe, read } = isNeeded ? everySecond : NEVER;
  return useSyncExternalStore(subscribe, read, () => null);
}

/** The server's time, refreshed every half minute while `isNeeded`; otherwise null, and nothing rerenders. */
export function useHalfMinuteWhile(isNeeded: boolean): number | null {
  const { subscribe, read } = isNeeded ? everyHalfMinute : NEVER;
  return useSyncExternalStore(subscribe, read, () => null);
}

const NEVER = { subscribe: () => () => undefined, read: () => null };

/** The server's time, refreshed every half minute; null while rendering on the server. */
export function useHalfMinute(): number | null {
  return useSyncExternalStore(everyHalfMinute.subscribe, everyHalfMinute.read, () => null);
}

/** Whether `isOn` has been true for `ms` without interruption: a momentary state is not worth a word. */
export function useLasting(isOn: boolean, ms: number): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [isOn, ms]);
  return isOn && hasLasted;
}

/** The server's time when `isOn` became true; null while it isn't. */
export function useTimeOf(isOn: boolean): number | null {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => setSince(isOn ? serverNowMs() : null), [isOn]);
  return isOn ? since : null;
}
