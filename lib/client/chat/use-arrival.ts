"use client";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { takeStartDraft } from "./drafts";

/**
 * The field of a thread goes on where that of the start page has ended: with what was typed in the meantime, and with the
 * focus, unless it went elsewhere. Keys that are typed on would be those of the page otherwise: `y` allows a call.
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
