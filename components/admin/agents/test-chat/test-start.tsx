"use client";
import { useState } from "react";
import { Composer } from "@/components/chat/composer/composer";
import { startersFor } from "@/lib/client/agents/draft/test-threads";
import { useDraft } from "@/lib/client/chat/composer/use-draft";
import { NO_COMMANDS, TestNote } from "./test-note";

export interface TestStartProps {
  /** Where this browser keeps what is being typed. */
  draftKey: string;
  note: string;
  /** What the agent is for, as starters. */
  description: string;
  placeholder: string;
  onSend: (content: string) => Promise<void>;
}

/** Before the first message of a test chat: what to ask. On a narrow page only the field, below the form. */
export function TestStart({ draftKey, note, description, placeholder, onSend }: TestStartProps) {
  const draft = useDraft(draftKey);
  const [isOpening, setOpening] = useState(false);
  const send = async (content: string) => {
    setOpening(true);
    try {
      await onSend(content);
    } finally {
      setOpening(false);
    }
  };
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col justify-end gap-2 overflow-y-auto p-4 max-lg:hidden">
        <p className="text-sm text-muted">{note}</p>
        {startersFor(description).map((starter) => (
          <button
            key={starter}
            type="button"
            onClick={() => draft.setText(starter)}
            className="rounded-lg border border-border px-3 py-2 text-left text-sm touch-row hover:bg-surface-secondary"
          >
            {starter}
          </button>
        ))}
      </div>
      <div className="*:px-3 *:pb-3 max-lg:pt-3">
        <Composer
          isAside
          text={draft.text}
          onText={draft.setText}
          isRunning={false}
          isOpening={isOpening}
          onSend={send}
          mayAttach={false}
          commands={NO_COMMANDS}
          onStop={() => undefined}
          placeholder={placeholder}
          pickers={<TestNote />}
        />
      </div>
    </>
  );
}
