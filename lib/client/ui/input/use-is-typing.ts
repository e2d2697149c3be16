"use client";
import { useSyncExternalStore } from "react";

const TEXT_FIELD = "input, textarea, select, [contenteditable=true]";

/** Whether the focus is in a field, where plain keys are text. */
export function useIsTyping(): boolean {
  return useSyncExternalStore(subscribe, isTyping, () => false);
}

function isTyping(): boolean {
  return document.activeElement?.matches(TEXT_FIELD) ?? false;
}

function subscribe(listener: () => void): () => void {
  document.addEventListener("focusin", listener);
  document.addEventListener("focusout", listener);
  return () => {
    document.removeEventListener("focusin", listener);
    document.removeEventListener("focusout", listener);
  };
}
