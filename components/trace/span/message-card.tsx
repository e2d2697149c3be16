"use client";
import { type ReactNode, useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { KindSquare } from "@/components/ui/waterfall-row";
import { formatCount } from "@/lib/client/ui/text/format";
import type { Message, ToolCall } from "@/lib/schema/messages/message";

const EDGES: Record<Message["role"], string> = {
  system: "border-l-kind-hook",
  user: "border-l-border-strong",
  assistant: "border-l-kind-model",
  tool: "border-l-kind-tool",
};

export interface MessageCardProps {
  from: Message["role"];
  /** The tool's name, "reply", … */
  who?: string;
  text: string;
  isError?: boolean;
  children?: ReactNode;
}

/** One message that the model read or wrote, with a 2 px edge by role. */
export function MessageCard({ from, who, text, isError = false, children }: MessageCardProps) {
  return (
    <article className={`rounded-md border border-l-2 border-border bg-surface ${EDGES[from]}`}>
      <header className="flex h-7 items-center gap-2 px-2.5 text-xs">
        <span className="font-medium">{from}</span>
        {who === undefined ? null : <span className="truncate font-mono text-2xs text-muted">{who}</span>}
        {isError ? <span className="text-fail-text">error</span> : null}
        <span className="tnum ml-auto shrink-0 text-muted">{formatCount(text.length)} chars</span>
      </header>
      <div className="space-y-2 px-2.5 pb-2 empty:hidden">
        {text === "" ? null : <LongText text={text} isMono={from === "tool"} />}
        {children}
      </div>
    </article>
  );
}

const SHOWN_CHARS = 1200;

/** Cuts long texts until the reader asks for more, so that a page of messages stays light. */
function LongText({ text, isMono }: { text: string; isMono: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN_CHARS + 200;
  return (
    <div className={isMono ? "font-mono text-xs leading-5" : "text-sm"}>
      <p className="break-words whitespace-pre-wrap">{isCut ? `${text.slice(0, SHOWN_CHARS)}…` : text}</p>
      {isCut ? (
        <button
          type="button"
          className="mt-1 font-sans text-xs text-link touch-row hover:underline"
          onClick={() => setWhole(true)}
        >
          Show all {formatCount(text.length)} characters
        </button>
      ) : null}
    </div>
  );
}

/** A call that the model requested, with the arguments as its tool gets them, and as it wrote them if that differs. */
export function CallCard({ call }: { call: ToolCall }) {
  return (
    <div className="overflow-hidden rounded-md border border-border">
      <div className="flex h-7 items-center gap-1 border-b border-separator px-2 text-xs">
        <KindSquare kind="tool" />
        <span className="font-mono font-medium">{call.name}</span>
        <span className="ml-auto truncate font-mono text-2xs text-muted">{call.id}</span>
      </div>
      {call.argsError === undefined ? (
        <CodeBlock isBare wrap title="json" code={JSON.stringify(call.args, null, 2)} />
      ) : (
        <>
          <p className="px-2.5 py-1.5 text-xs text-fail-text">{call.argsError}</p>
          <CodeBlock isBare wrap title="text" code={call.rawArgs} />
        </>
      )}
      {call.coerced ? (
        <details className="border-t border-separator text-xs">
          <summary className="px-2.5 py-1.5 text-muted">
            Read as other types than the model wrote: {call.coerced.join(", ")}
          </summary>
          <CodeBlock isBare wrap title="As the model wrote it" code={call.rawArgs} />
        </details>
      ) : null}
    </div>
  );
}
