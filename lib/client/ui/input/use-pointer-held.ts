"use client";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let isHeld = false;

/**
 * Whether a mouse button or a finger is down, until the resulting click has been handled. Layout changes on blur wait
 * for that: a button that moves between mouse-down and mouse-up gets no click.
 */
export function usePointerHeld(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isHeld,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener("pointerdown", hold, { capture: true });
    document.addEventListener("pointerup", releaseSoon, { capture: true });
    document.addEventListener("pointercancel", releaseSoon, { capture: true });
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    isHeld = false;
    document.removeEventListener("pointerdown", hold, { capture: true });
    document.removeEventListener("pointerup", releaseSoon, { capture: true });
    document.removeEventListener("pointercancel", releaseSoon, { capture: true });
  };
}

function hold(): void {
  setHeld(true);
}

/** The click comes after pointerup, before any timer. */
function releaseSoon(): void {
  setTimeout(() => setHeld(false));
}

function setHeld(next: boolean): void {
  if (isHeld === next) return;
  isHeld = next;
  for (const listener of listeners) listener();
}
