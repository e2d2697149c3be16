"use client";
import { type RefObject, useEffect, useEffectEvent } from "react";

const COMPOSER = "textarea[data-composer]";
const TEXT_FIELD = "input, textarea, select, [contenteditable=true]";

/** Moves the focus to the page's composer; false on a page that has none. */
export function focusComposer(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>(COMPOSER);
  if (field === null || field.disabled) return false;
  field.focus({ preventScroll: true });
  return true;
}

/**
 * Gives the composer the focus as soon as it can be typed into, and returns what gives it back after sending. On a
 * touch screen the focus would open the keyboard, so it stays where it is there, as it does in a field or a dialog that
 * somebody uses. A composer that stands aside of what the page is about waits until somebody goes there.
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
    if (!isDisabled && !isAside) arrive();
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
