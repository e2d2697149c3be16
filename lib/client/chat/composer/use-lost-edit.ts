"use client";
import { useEffect, useRef } from "react";
import { showToast } from "@/lib/client/ui/toast-store";

/** What becomes of the words that were typed over a message. */
export interface LostEdit {
  /** They are given up. */
  readonly drop: () => void;
  /** Resolves to whether they are stored. */
  readonly store: (work: Promise<boolean>) => Promise<boolean>;
}

/**
 * Calls `onLost` with what was typed when its field goes away before it was stored or given up: the run of the message
 * has begun, or another tab removed it. `typed` is null while it is the text of the message.
 */
export function useLostEdit(typed: string | null, onLost: (text: string) => void): LostEdit {
  const latest = useRef({ typed, onLost, isStoring: false, isGone: false });
  useEffect(() => {
    Object.assign(latest.current, { typed, onLost });
  });
  useEffect(() => {
    const edit = latest.current;
    edit.isGone = false;
    return () => {
      edit.isGone = true;
      if (!edit.isStoring && edit.typed !== null) edit.onLost(edit.typed);
    };
  }, []);
  return {
    drop() {
      latest.current.typed = null;
    },
    async store(work) {
      const edit = latest.current;
      edit.isStoring = true;
      const isStored = await work.finally(() => {
        edit.isStoring = false;
      });
      if (isStored) edit.typed = null;
      else if (edit.isGone && edit.typed !== null) edit.onLost(edit.typed);
      return isStored;
    },
  };
}

/** Keeps such words in the message field. */
export function keepLostEdit(text: string, putBefore: (text: string) => void): void {
  putBefore(text);
  showToast({ title: "Your edit was not saved", description: "What you typed is in the message field." });
}
