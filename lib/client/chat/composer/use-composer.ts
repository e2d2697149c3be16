"use client";
import { useEffect, useRef, useState } from "react";
import type { QueuedMessage } from "@/lib/client/chat/thread-state";
import type { Attachments } from "@/lib/client/files/use-attachments";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";

export interface ComposerOptions {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: (text: string, files: readonly File[]) => Promise<void>;
  readonly onRemoveQueued: (id: string) => Promise<boolean>;
  readonly isDisabled?: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** What leaves the composer, and what comes back into it. All of it takes a while, during which people keep typing. */
export function useComposer(options: ComposerOptions, attachments: Attachments) {
  const { text, onText, onSend, onRemoveQueued, isDisabled } = options;
  const [isSending, setSending] = useState(false);
  const [leaving, setLeaving] = useState(NONE);
  const busy = useRef({ isSending: false, leaving: NONE });
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);

  /** Sends text and files once; what was typed and attached in the meantime stays. */
  const send = async () => {
    const content = text.trim();
    const { items } = attachments;
    if ((content === "" && items.length === 0) || busy.current.isSending || isDisabled) return;
    busy.current.isSending = true;
    setSending(true);
    try {
      await onSend(
        content,
        items.map(({ file }) => file),
      );
      onText(typedSince(text, latest.current));
      attachments.release(items.map(({ id }) => id));
    } catch (error) {
      showToast({ title: "The message was not sent", description: errorMessage(error), tone: "error" });
    } finally {
      busy.current.isSending = false;
      setSending(false);
    }
  };

  const markLeaving = (change: (ids: ReadonlySet<string>) => ReadonlySet<string>) => {
    busy.current.leaving = change(busy.current.leaving);
    setLeaving(busy.current.leaving);
  };

  /** Out of the queue, asked once; false when it stays there. */
  const removeQueued = async (id: string): Promise<boolean> => {
    if (busy.current.leaving.has(id)) return false;
    markLeaving((ids) => new Set([...ids, id]));
    try {
      return await onRemoveQueued(id);
    } finally {
      markLeaving((ids) => new Set([...ids].filter((other) => other !== id)));
    }
  };

  /** Out of the queue and into the field, above what has been typed by then. */
  const editQueued = async (message: QueuedMessage): Promise<boolean> => {
    if (!(await removeQueued(message.id))) return false;
    onText([message.text, latest.current].filter(Boolean).join("\n\n"));
    return true;
  };

  return { send, isSending, removeQueued, editQueued, leaving };
}

/** What was written after the text that has been sent; all of it if the sent text itself was changed. */
function typedSince(sent: string, now: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
}
