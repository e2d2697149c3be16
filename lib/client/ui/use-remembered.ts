"use client";
import { useMemo, useState, useSyncExternalStore } from "react";

/** For this tab, until it is closed. */
const PREFIX = "ringmaster-tab:";
const never = () => () => undefined;

function readText(key: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

function writeText(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Storage may be full or forbidden; the state then lives as long as its component.
  }
}

/** A zod schema, or what does the same for a simple value: a page's first load comes without zod. */
interface Schema<T> {
  safeParse(value: unknown): { readonly data?: T | undefined };
}

function parse<T>(schema: Schema<T>, text: string | null): T | null {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export interface Remembered<T> {
  /** Null until something is set. */
  readonly value: T | null;
  readonly set: (value: T) => void;
  /** For the next time; what is shown now stays. */
  readonly forget: () => void;
}

/**
 * A person's state of a part of the page, kept while that part is not mounted: a transcript mounts only what is
 * visible, and people go to another thread, come back, reload. `key` identifies its subject.
 */
export function useRemembered<T>(key: string, schema: Schema<T>): Remembered<T> {
  const [own, setOwn] = useState<{ readonly key: string; readonly value: T } | null>(null);
  const text = useSyncExternalStore(
    never,
    () => readText(key),
    () => null,
  );
  const kept = useMemo(() => parse(schema, text), [schema, text]);
  return {
    value: own?.key === key ? own.value : kept,
    set: (value) => {
      writeText(key, JSON.stringify(value));
      setOwn({ key, value });
    },
    forget: () => writeText(key, null),
  };
}

/** Whether any of these was set to true; false while rendering on the server. */
export function useAnyRemembered(keys: readonly string[]): boolean {
  return useSyncExternalStore(
    never,
    () => keys.some((key) => readText(key) === "true"),
    () => false,
  );
}
