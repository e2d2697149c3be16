"use client";
import { useEffect, useRef, useState } from "react";
import type { Attachments } from "@/lib/client/files/use-attachments";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";

export interface ComposerOptions {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: (text: string, files: readonly File[]) => Promise<void>;
  readonly isDisabled?: boolean;
}

/** Sending from the composer, and restoring text to it. All of it is asynchronous, and people keep typing meanwhile. */
export function useComposer(options: ComposerOptions, attachments: Attachments) {
  const { text, onText, onSend, isDisabled } = options;
  const [isSending, setSending] = useState(false);
  const busy = useRef({ isSending: false });
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
      const checking = attachments.findProblem();
      const problem = checking === null ? null : await checking;
      if (problem !== null) return refuse(`Remove the file first: ${problem}`);
      await onSend(
        content,
        items.map(({ file }) => file),
      );
      onText(typedSince(text, latest.current));
      attachments.release(items.map(({ id }) => id));
    } catch (error) {
      refuse(errorMessage(error));
    } finally {
      busy.current.isSending = false;
      setSending(false);
    }
  };

  return { send, isSending };
}

function refuse(description: string): void {
  showToast({ title: "The message was not sent", description, tone: "error" });
}

/** The text written after the sent text; everything if the sent text itself was changed. */
function typedSince(sent: string, now: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
}
