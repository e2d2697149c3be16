"use client";
import { Pencil } from "lucide-react";
import { lazy, Suspense, use, useRef, useState } from "react";
import { BranchContext, ForkButton, LazyVersions } from "@/components/chat/transcript/branches/branch-context";
import { SharedContext } from "@/components/share/shared-context";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { type ChatMessage, messageText } from "@/lib/client/chat/chat-message";
import { returnToComposer } from "@/lib/client/chat/composer/use-composer-focus";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { formatCount, initials } from "@/lib/client/ui/text/format";
import { splitAttached } from "@/lib/schema/messages/attached-files";
import { MessageFiles } from "./attached/message-files";

export interface UserMessageProps {
  message: ChatMessage;
  userName: string;
  /** A subagent's task; `userName` is then the agent that gave it. */
  isTask?: boolean;
  /** Per message: the model reads no more of it. */
  maxChars?: number;
}

const EditField = lazy(async () => ({
  default: (await loadWithRetry(() => import("./branches/edit-field"))).EditField,
}));

/** The transcript's only filled block: a person's text, and the files sent with it. */
export function UserMessage({ message, userName, isTask = false, maxChars }: UserMessageProps) {
  const whole = messageText(message);
  const { text, files } = splitAttached(whole);
  const author = message.metadata?.author;
  const label =
    author === undefined ? (use(SharedContext) === null ? "Your message" : "Message") : `Message from ${author}`;
  const thread = use(BranchContext);
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLSpanElement>(null);
  const stopEditing = () => {
    setEditing(false);
    requestAnimationFrame(() => edit.current?.querySelector("button")?.focus());
  };
  return (
    <article aria-label={isTask ? `Task from ${userName}` : label} className="group flex gap-3 pb-5">
      <Initials name={author ?? userName} />
      <div className="min-w-0 flex-1">
        <div className="relative rounded-lg bg-surface-secondary px-3.5 py-2.5 text-base">
          {isEditing && thread !== null ? (
            <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
              <EditField
                place={{ threadId: thread.id, messageId: message.id }}
                text={text}
                attached={whole.slice(text.length)}
                onSent={() => {
                  setEditing(false);
                  returnToComposer();
                }}
                onClose={stopEditing}
              />
            </Suspense>
          ) : text === "" ? null : (
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {text}
            </p>
          )}
          {files.length === 0 ? null : <MessageFiles files={files} isStored={message.metadata !== undefined} />}
          <ReadInPart chars={whole.length} maxChars={maxChars} />
          {isEditing ? null : (
            <span
              ref={edit}
              className="absolute top-1.5 right-1.5 flex rounded-md bg-surface-secondary opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:static pointer-coarse:justify-end pointer-coarse:opacity-100"
            >
              {thread === null || isTask || message.metadata?.runId === undefined || author !== undefined ? null : (
                <IconButton label="Edit" shortcut="e" onPress={() => setEditing(true)}>
                  <Pencil />
                </IconButton>
              )}
              {isTask ? null : <ForkButton messageId={message.id} />}
              <span className="pointer-coarse:hidden">
                <CopyButton text={text} label="Copy message" />
              </span>
            </span>
          )}
        </div>
        <LazyVersions message={message} />
      </div>
    </article>
  );
}

export function Initials({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-6 shrink-0 items-center justify-center rounded-full bg-surface-tertiary text-2xs font-medium"
    >
      {initials(name)}
    </span>
  );
}

/** The message is kept whole, with a note of how much the model read. */
function ReadInPart({ chars, maxChars }: { chars: number; maxChars: number | undefined }) {
  if (maxChars === undefined || chars <= maxChars) return null;
  return (
    <p className="tnum pt-1.5 text-xs text-muted">
      The model reads the first {formatCount(maxChars)} of these {formatCount(chars)} characters.
    </p>
  );
}
