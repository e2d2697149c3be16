"use client";
import { type RefObject, useEffect, useEffectEvent } from "react";

const COMPOSER = "textarea[data-composer]";
const TEXT_FIELD = "input, textarea, select, [contenteditable=true]";

/** Moves the focus to the page's composer; false if the page has none. */
export function focusComposer(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>(COMPOSER);
  if (field === null || field.disabled) return false;
  field.focus({ preventScroll: true });
  return true;
}

/** After something was sent from another field; not on touch screens, where it would open the keyboard. */
export function returnToComposer(): void {
  if (!isTouch()) focusComposer();
}

/**
 * Focuses the composer as soon as it is enabled; the returned function focuses it again after sending. The focus stays
 * put on touch screens, where it would open the keyboard, and while it is in another field or a dialog. A composer
 * beside the page's main content (`isAside`) never takes it automatically.
 */
export function useComposerFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  { isDisabled, isAside }: { readonly isDisabled: boolean; readonly isAside: boolean },
): () => void {
  const takeFocus = () => {
    if (isTouch() || isElsewhere(field.current)) return;
    field.current?.focus({ preventScroll: true });
  };
  const arrive = useEffectEvent(takeFocus);
  useEffect(() => {
    if (isDisabled || isAside) return;
    // In the next frame: asking for the kind of pointer calculates every style, which a page that opens does there anyway.
    const frame = requestAnimationFrame(arrive);
    return () => cancelAnimationFrame(frame);
  }, [isDisabled, isAside]);
  return takeFocus;
}

function isTouch(): boolean {
  return window.matchMedia("(pointer: coarse)").matches;
}

function isElsewhere(field: HTMLTextAreaElement | null): boolean {
  const active = document.activeElement;
  if (active === null || active === field) return false;
  return active.matches(TEXT_FIELD) || active.closest("[role=dialog]") !== null;
}
