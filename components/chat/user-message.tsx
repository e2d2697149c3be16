"use client";
import { FileText } from "lucide-react";
import { CopyButton } from "@/components/ui/copy-button";
import { splitAttached } from "@/lib/client/attached-files";
import { type ChatMessage, messageText } from "@/lib/client/chat-message";
import { initials } from "@/lib/client/format";

export interface UserMessageProps {
  message: ChatMessage;
  userName: string;
  /** The task of a subagent; `userName` is then the agent that gave it. */
  isTask?: boolean;
}

/** The only filled block of the transcript: a person's words, and the files that came with them. */
export function UserMessage({ message, userName, isTask = false }: UserMessageProps) {
  const { text, files } = splitAttached(messageText(message));
  return (
    <article aria-label={isTask ? `Task from ${userName}` : "Your message"} className="group flex gap-3 pb-5">
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-surface-tertiary text-2xs font-medium"
      >
        {initials(userName)}
      </span>
      <div className="relative min-w-0 flex-1 rounded-lg bg-surface-secondary px-3.5 py-2.5 text-base">
        {text === "" ? null : (
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {text}
          </p>
        )}
        {files.length === 0 ? null : (
          <ul aria-label="Attached files" className="flex flex-wrap gap-x-4 gap-y-1 pt-1 first:pt-0">
            {files.map(({ path, size }) => (
              <li key={path} className="flex max-w-full min-w-0 items-center gap-1.5 text-xs leading-5" title={path}>
                <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
                <span className="min-w-0 truncate">{path.slice(path.lastIndexOf("/") + 1)}</span>
                <span className="tnum shrink-0 text-muted">{size}</span>
              </li>
            ))}
          </ul>
        )}
        <span className="absolute top-1.5 right-1.5 rounded-md bg-surface-secondary opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden">
          <CopyButton text={text} label="Copy message" />
        </span>
      </div>
    </article>
  );
}
