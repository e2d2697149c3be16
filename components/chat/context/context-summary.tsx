"use client";
import Link from "next/link";
import { useState } from "react";
import { Time } from "@/components/ui/time";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { pluralize } from "@/lib/client/ui/text/pluralize";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";

interface SummaryProps {
  threadId: string;
  summary: NonNullable<ThreadContext["summary"]>;
  compactions: number;
}

/** What stands for older messages, and what it replaced. */
export function Summary({ threadId, summary, compactions }: SummaryProps) {
  const { text, replaced, tokens, at, lastMessageId } = summary;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h3 className="mt-3 flex items-baseline justify-between text-sm font-medium">
        Summarised so far
        <span className="text-xs font-normal text-muted">{compactions === 1 ? "once" : `${compactions} times`}</span>
      </h3>
      <p className="mt-1 flex justify-between gap-2 text-sm">
        <span className="min-w-0">
          {pluralize(replaced, "message")} became <span className="tnum">{formatCount(tokens)}</span> tokens
        </span>
        <Time at={at} className="tnum shrink-0 text-xs leading-5 text-muted" />
      </p>
      <p className="mt-1 text-xs text-muted">The thread keeps what the model no longer reads.</p>
      <p className={classNames("mt-1 text-xs break-words whitespace-pre-wrap text-muted", !isOpen && "line-clamp-2")}>
        {text}
      </p>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="mt-1 text-xs text-link hover:underline touch-target"
      >
        {isOpen ? "Collapse the summary" : "Read the summary"}
      </button>
      {lastMessageId === null ? null : (
        <Link
          href={`/threads/${encodeURIComponent(threadId)}?at=${encodeURIComponent(lastMessageId)}`}
          className="ml-3 text-xs text-link hover:underline touch-target"
        >
          What it replaced
        </Link>
      )}
    </>
  );
}
