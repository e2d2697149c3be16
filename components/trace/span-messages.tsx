"use client";
import { ChevronRight } from "lucide-react";
import { formatCount } from "@/lib/client/ui/format";
import type { Message } from "@/lib/schema/message";
import type { Span } from "@/lib/schema/span";
import type { CallReply, ModelCallBody, PromptPart } from "@/lib/schema/span-body";
import { CallCard, MessageCard } from "./message-card";
import { SpanPrompt } from "./span-prompt";

export interface SpanMessagesProps {
  span: Span;
  system: readonly PromptPart[] | null;
  modelCall: ModelCallBody | null;
  isOpening: boolean;
  onOpenEarlier: () => void;
}

/** What was new since the previous call, then the reply; what the calls share is one line until opened. */
export function SpanMessages({ span, system, modelCall, isOpening, onOpenEarlier }: SpanMessagesProps) {
  if (modelCall === null) return <WithoutMessages span={span} />;
  const { fresh, reply } = modelCall;
  return (
    <div className="space-y-2 p-3">
      <SpanPrompt span={span} parts={system} />
      <Earlier modelCall={modelCall} isOpening={isOpening} onOpen={onOpenEarlier} />
      {fresh.length > 0 ? <p className="px-1 pt-1 text-xs text-muted">New in this call</p> : null}
      {fresh.map((message, index) => (
        <OneMessage key={message.id ?? index} message={message} />
      ))}
      {reply === null ? (
        <p className="px-1 pt-1 text-xs text-muted">No reply was recorded.</p>
      ) : (
        <Reply reply={reply} />
      )}
    </div>
  );
}

/** A summary's call, or one whose thread was deleted: of its reply the span itself has the beginning. */
function WithoutMessages({ span }: { span: Span }) {
  const { content_preview: preview } = span.attributes;
  return (
    <div className="space-y-2 p-3">
      <p className="px-1 text-xs text-muted">The messages of this call are not kept.</p>
      {typeof preview === "string" && preview !== "" ? (
        <MessageCard from="assistant" who="reply, its beginning" text={preview} />
      ) : null}
    </div>
  );
}

function Earlier({
  modelCall,
  isOpening,
  onOpen,
}: {
  modelCall: ModelCallBody;
  isOpening: boolean;
  onOpen: () => void;
}) {
  const { earlierCount, earlier, sameAsStep } = modelCall;
  if (earlierCount === 0) return null;
  if (earlier !== null)
    return earlier.map((message, index) => <OneMessage key={message.id ?? index} message={message} />);
  const count = earlierCount === 1 ? "1 earlier message" : `${formatCount(earlierCount)} earlier messages`;
  return (
    <button
      type="button"
      onClick={onOpen}
      disabled={isOpening}
      className="flex h-8 w-full items-center gap-2 rounded-md border border-dashed border-border-strong px-2.5 text-xs text-muted touch-row hover:text-foreground"
    >
      <ChevronRight className="size-3.5 shrink-0" aria-hidden />
      {count}, {sameAsStep === null ? "from earlier in the thread" : `same as step ${sameAsStep}`}
      {isOpening ? <span className="ml-auto">Loading</span> : null}
    </button>
  );
}

function OneMessage({ message }: { message: Message }) {
  switch (message.role) {
    case "assistant":
      return (
        <MessageCard from="assistant" text={message.content}>
          {message.toolCalls.map((call) => (
            <CallCard key={call.id} call={call} />
          ))}
        </MessageCard>
      );
    case "tool":
      return <MessageCard from="tool" who={message.name} text={message.content} isError={message.isError} />;
    default:
      return <MessageCard from={message.role} text={message.content} />;
  }
}

function Reply({ reply }: { reply: CallReply }) {
  const thoughts = reply.reasoning.map((part) => part.text).filter((text) => text !== "");
  return (
    <MessageCard from="assistant" who="reply" text={reply.content}>
      {thoughts.length > 0 ? (
        <details className="rounded-md border border-border px-2.5 py-1 text-xs text-muted">
          <summary>Reasoning</summary>
          <p className="py-1 break-words whitespace-pre-wrap">{thoughts.join("\n\n")}</p>
        </details>
      ) : null}
      {reply.toolCalls.map((call) => (
        <CallCard key={call.id} call={call} />
      ))}
    </MessageCard>
  );
}
