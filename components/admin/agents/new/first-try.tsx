"use client";
import { TestStart } from "@/components/admin/agents/test-chat/test-start";
import { Tag } from "@/components/ui/tag";

export interface FirstTryProps {
  description: string;
  /** Makes the draft, sends it this and opens its page. */
  onSend: (content: string) => Promise<void>;
}

/** The test chat of an agent that is not saved yet: its first message makes the draft. */
export function FirstTry({ description, onSend }: FirstTryProps) {
  return (
    <aside
      aria-label="Test chat"
      className="flex w-[420px] shrink-0 flex-col border-l border-border bg-background max-lg:w-auto max-lg:border-t max-lg:border-l-0"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 border-b border-border pr-2 pl-4">
        <h2 className="text-sm font-medium">Test chat</h2>
        <Tag>runs the draft</Tag>
      </header>
      <TestStart
        draftKey="test:new-agent"
        note="The first message creates the draft and tries it."
        description={description}
        placeholder="Message the draft"
        onSend={onSend}
      />
    </aside>
  );
}
