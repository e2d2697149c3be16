"use client";
import { useState, useSyncExternalStore } from "react";
import { readDraft, writeDraft } from "./drafts";

const never = () => () => undefined;

/** Unsent text that survives a reload and another thread in between. */
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
    /** Above what has been typed. */
    putBefore: (words: string) => setText([words, text].filter(Boolean).join("\n\n")),
  };
}
