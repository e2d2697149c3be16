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
  return {
    text: typed?.threadId === threadId ? typed.text : kept,
    setText: (text: string) => {
      writeDraft(threadId, text);
      setTyped({ threadId, text });
    },
  };
}
