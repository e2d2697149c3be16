"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { editMessage, type MessagePlace } from "@/lib/client/chat/branches/branch-actions";
import { errorMessage } from "@/lib/client/http/api";

interface EditFieldProps {
  place: MessagePlace;
  /** The person's text; `attached` is the part below it that names the files. */
  text: string;
  attached: string;
  onSent: () => void;
  onClose: () => void;
}

/** Edits a message in place: Send makes it a branch, next to the original. */
export function EditField({ place, text, attached, onSent, onClose }: EditFieldProps) {
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState(text);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  const isEmpty = words.trim() === "" && attached === "";
  const send = async () => {
    if (isEmpty || isPending) return;
    setPending(true);
    setProblem(null);
    try {
      await editMessage(client, place, { content: `${words}${attached}` });
      onSent();
    } catch (error) {
      setProblem(errorMessage(error));
      setPending(false);
    }
  };
  return (
    <div>
      <textarea
        ref={field}
        aria-label="Edit message"
        dir="auto"
        value={words}
        readOnly={isPending}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.stopPropagation();
            onClose();
          } else if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            void send();
          }
        }}
        className="field-sizing-content max-h-[50vh] min-h-16 w-full resize-none rounded-md border border-border bg-surface px-2.5 py-2 text-base"
      />
      <p className="pt-1 text-xs text-muted">
        Sending makes another version of this message. Files and memory stay as they are now.
      </p>
      {problem === null ? null : (
        <p role="alert" className="pt-1 text-xs text-fail-text">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2 pt-2">
        <Button variant="ghost" onPress={onClose}>
          Cancel
        </Button>
        <Button variant="primary" isPending={isPending} isDisabled={isEmpty} onPress={() => void send()}>
          Send
        </Button>
      </div>
    </div>
  );
}
