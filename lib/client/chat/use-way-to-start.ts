import { type KeyboardEvent, useEffect, useState } from "react";
import type { EarlierMessages } from "./use-earlier-messages";

interface WayToStart {
  /** Earlier messages are loaded until the first one is there. */
  readonly isOnWay: boolean;
  /** Home starts it; any other key ends it. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly end: () => void;
}

/**
 * Home leads to the beginning of the thread, however many of its messages have yet to be loaded: what is in sight stays
 * until the last of them has come. `arrive` shows the beginning then.
 */
export function useWayToStart(
  { state, fetchAhead }: Pick<EarlierMessages, "state" | "fetchAhead">,
  arrive: () => void,
): WayToStart {
  const [isOnWay, setOnWay] = useState(false);
  useEffect(() => {
    if (!isOnWay) return;
    if (state === "more") fetchAhead();
    if (state === "all") arrive();
    if (state === "all" || state === "failed") setOnWay(false);
  }, [isOnWay, state, fetchAhead, arrive]);
  return {
    isOnWay,
    onKeyDown: (event) => {
      if (isInTextField(event.target)) return;
      setOnWay(event.key === "Home" && (state === "more" || state === "loading"));
    },
    end: () => setOnWay(false),
  };
}

/** Home and End move within the line there. */
export function isInTextField(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, [contenteditable]") !== null;
}
