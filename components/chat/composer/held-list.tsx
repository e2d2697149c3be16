"use client";
import { Pencil } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import type { HeldControls } from "@/lib/client/chat/composer/queue-controls";
import type { HeldMessage } from "@/lib/schema/threads/thread";
import { EditRow, oneLine } from "./queued-list";

/** The messages that were queued when somebody stopped the thread: nothing sends them but their sender. */
export function HeldList({ held }: { held: HeldControls }) {
  const { messages } = held;
  const [isBusy, setBusy] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const own = messages.filter(({ byAnother }) => byAnother !== true).length;
  const during = async (work: () => Promise<boolean>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    const isDone = await work().finally(() => setBusy(false));
    if (isDone) focusNext();
    return isDone;
  };
  // The row that had the focus is gone.
  const focusNext = () =>
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body && document.activeElement !== null) return;
      const next = list.current?.querySelector<HTMLElement>("button");
      if (next) next.focus();
      else held.focusField();
    });
  return (
    <section
      aria-label="Held messages"
      aria-busy={isBusy}
      className="rounded-t-lg border border-b-0 border-border bg-surface-secondary text-sm"
    >
      <div className="flex min-h-9 items-center gap-2 border-b border-separator py-0.5 pr-1 pl-3 touch-row">
        <p role="status" className="min-w-0 flex-1 text-xs text-muted">
          {messages.length === 1 ? "Stopped. 1 message waits." : `Stopped. ${messages.length} messages wait.`}
        </p>
        {own > 1 ? (
          <Button isDisabled={isBusy} onPress={() => void during(() => held.send())}>
            Send all
          </Button>
        ) : null}
      </div>
      <ol ref={list} className="max-h-48 divide-y divide-separator overflow-y-auto">
        {messages.map((message) => (
          <li key={message.id}>
            {edited === message.id ? (
              <EditRow
                message={message}
                onSave={(content) => held.change(message.id, content)}
                onLost={held.keep}
                onClose={() => setEdited(null)}
              />
            ) : (
              <HeldRow
                message={message}
                isBusy={isBusy}
                onEdit={() => setEdited(message.id)}
                onSend={() => void during(() => held.send(message.id))}
                onDrop={() => void during(() => held.drop(message))}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface HeldRowProps {
  message: HeldMessage;
  isBusy: boolean;
  onEdit: () => void;
  onSend: () => void;
  onDrop: () => void;
}

function HeldRow({ message, isBusy, onEdit, onSend, onDrop }: HeldRowProps) {
  const line = oneLine(message.text);
  const named = line.slice(0, 60);
  return (
    <div className="flex min-h-9 items-center gap-1 py-0.5 pr-1 pl-3 touch-row">
      <span dir="auto" className="min-w-0 flex-1 truncate" title={message.text}>
        {line}
      </span>
      {message.byAnother ? (
        <span className="shrink-0 pr-2 text-xs text-muted">Another member’s</span>
      ) : (
        <>
          <IconButton label={`Edit “${named}”`} size="xs" isDisabled={isBusy} onPress={onEdit}>
            <Pencil />
          </IconButton>
          <Button variant="ghost" isDisabled={isBusy} aria-label={`Drop “${named}”`} onPress={onDrop}>
            Drop
          </Button>
          <Button isDisabled={isBusy} aria-label={`Send “${named}”`} onPress={onSend}>
            Send
          </Button>
        </>
      )}
    </div>
  );
}
