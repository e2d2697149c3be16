"use client";
import { CornerDownRight, Pencil, X } from "lucide-react";
import { IconButton } from "@/components/ui/controls/icon-button";
import type { QueuedMessage } from "@/lib/client/chat/thread-state";
import { splitAttached } from "@/lib/schema/messages/attached-files";

export interface QueuedListProps {
  queued: readonly QueuedMessage[];
  /** Ids of those that are being removed on the server. */
  leaving: ReadonlySet<string>;
  /** Moves it from the queue into the field. */
  onEdit: (message: QueuedMessage) => void;
  onRemove: (id: string) => void;
}

/** What is sent when the run ends, in order. */
export function QueuedList({ queued, leaving, onEdit, onRemove }: QueuedListProps) {
  if (queued.length === 0) return null;
  return (
    <ol
      aria-label="Queued messages"
      className="max-h-48 divide-y divide-separator overflow-y-auto rounded-t-lg border border-b-0 border-border bg-surface-secondary"
    >
      {queued.map((message, index) => (
        <li
          key={message.id}
          aria-busy={leaving.has(message.id) || message.isSending}
          className="flex items-center gap-2 py-1 pr-1 pl-3 text-sm aria-busy:opacity-50"
        >
          <CornerDownRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
          <span className="shrink-0 text-xs text-muted">{index === 0 ? "Next" : "Then"}</span>
          <span dir="auto" className="min-w-0 flex-1 truncate" title={message.text}>
            {oneLine(message.text)}
          </span>
          {index === 0 ? (
            <span className="shrink-0 text-xs text-muted max-sm:hidden">sent when this run ends</span>
          ) : null}
          {message.isSending ? null : (
            <>
              <IconButton label="Edit queued message" size="xs" onPress={() => onEdit(message)}>
                <Pencil />
              </IconButton>
              <IconButton label="Remove queued message" size="xs" onPress={() => onRemove(message.id)}>
                <X />
              </IconButton>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function oneLine(message: string): string {
  const { text, files } = splitAttached(message);
  return [text, ...files.map(({ path }) => path)].filter(Boolean).join(" · ");
}
