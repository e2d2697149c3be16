"use client";
import { useState } from "react";
import { NO_COMMANDS, TestNote } from "@/components/admin/agents/test-chat/test-note";
import { Composer } from "@/components/chat/composer/composer";
import { Tag } from "@/components/ui/tag";
import { startersFor } from "@/lib/client/agents/draft/test-threads";
import { useDraft } from "@/lib/client/chat/composer/use-draft";

export interface FirstTryProps {
  description: string;
  /** Makes the draft, sends it this and opens its page. */
  onSend: (content: string) => Promise<void>;
}

/** The test chat of an agent that is not saved yet: its first message makes the draft. */
export function FirstTry({ description, onSend }: FirstTryProps) {
  const draft = useDraft("test:new-agent");
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
    <aside
      aria-label="Test chat"
      className="flex w-[420px] shrink-0 flex-col border-l border-border bg-background max-lg:w-auto max-lg:border-t max-lg:border-l-0"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 border-b border-border pr-2 pl-4">
        <h2 className="text-sm font-medium">Test chat</h2>
        <Tag>runs the draft</Tag>
      </header>
      <div className="flex min-h-0 flex-1 flex-col justify-end gap-2 overflow-y-auto p-4">
        <p className="text-sm text-muted">The first message creates the draft and tries it.</p>
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
      <div className="*:px-3 *:pb-3">
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
          placeholder="Message the draft"
          pickers={<TestNote />}
        />
      </div>
    </aside>
  );
}
