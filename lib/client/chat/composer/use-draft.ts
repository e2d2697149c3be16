"use client";
import { type RefObject, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { readDraft, takeStartDraft, writeDraft } from "./drafts";

const never = () => () => undefined;

/** Unsent text that survives a reload and a visit to another thread. */
export function useDraft(threadId: string) {
  const [typed, setTyped] = useState<{ threadId: string; text: string } | null>(null);
  const kept = useSyncExternalStore(
    never,
    () => readDraft(threadId),
    () => "",
  );
  const text = typed?.threadId === threadId ? typed.text : kept;
  const setText = (now: string) => {
    writeDraft(threadId, now);
    setTyped({ threadId, text: now });
  };
  return {
    text,
    setText,
    /** Inserts before what has been typed. */
    putBefore: (words: string) => setText([words, text].filter(Boolean).join("\n\n")),
  };
}

/**
 * A thread's field continues where the start page's ended: with what was typed in the meantime, and with the focus,
 * unless it went elsewhere. Otherwise further keystrokes would go to the page: `y` allows a call.
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
