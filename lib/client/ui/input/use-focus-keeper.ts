"use client";
import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the keyboard in a part of a page when the focused element there disappears, as a deleted row does: the part
 * itself, which needs `tabIndex={-1}`, then gets the focus, and Tab continues from there.
 */
export function useFocusKeeper<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const keep = () => {
      if (!(last instanceof Element) || last.isConnected) return;
      last = null;
      if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
    };
    const removals = new MutationObserver(keep);
    const kept = part.current;
    kept?.addEventListener("focusin", note);
    if (kept) removals.observe(kept, { childList: true, subtree: true });
    return () => {
      kept?.removeEventListener("focusin", note);
      removals.disconnect();
    };
  }, []);
  return part;
}
