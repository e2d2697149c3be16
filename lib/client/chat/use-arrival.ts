"use client";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { takeStartDraft } from "./drafts";

/**
 * The field of a thread continues where that of the start page ended: with what was typed in the meantime, and with
 * the focus, unless it went elsewhere. Otherwise further keys would go to the page: `y` allows a call.
 */
export function useArrival(threadId: string, setText: (text: string) => void): RefObject<HTMLTextAreaElement | null> {
  const input = useRef<HTMLTextAreaElement>(null);
  const arrive = useEffectEvent(() => {
    const typed = takeStartDraft(threadId);
    if (typed === null) return;
    if (typed !== "") setText(typed);
    if (document.activeElement === document.body) input.current?.focus();
  });
  useEffect(() => arrive(), []);
  return input;
}
