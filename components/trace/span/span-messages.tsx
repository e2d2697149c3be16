"use client";
import { ChevronRight } from "lucide-react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { callText } from "@/lib/client/trace/call-text";
import { describeSentChanges } from "@/lib/client/trace/sent-changes";
import { formatCount } from "@/lib/client/ui/text/format";
import type { Message } from "@/lib/schema/messages/message";
import type { ToolSchema } from "@/lib/schema/tools/tool";
import type { Span } from "@/lib/schema/traces/span";
import type { CallReply, ModelCallBody, PromptPart, SentRequestBody } from "@/lib/schema/traces/span-body";
import { CallCard, MessageCard } from "./message-card";
import { MessageImages } from "./message-images";
import { SpanPrompt } from "./span-prompt";

export interface SpanMessagesProps {
  span: Span;
  system: readonly PromptPart[] | null;
  isPromptHidden: boolean;
  modelCall: ModelCallBody | null;
  isOpening: boolean;
  onOpenEarlier: () => void;
}

/** The messages new since the previous call, then the reply; what the calls share is one line until expanded. */
export function SpanMessages(props: SpanMessagesProps) {
  const { span, system, isPromptHidden, modelCall, isOpening, onOpenEarlier } = props;
  if (modelCall === null) return <WithoutMessages span={span} />;
  const { request, reply } = modelCall;
  return (
    <div className="space-y-2 p-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <SpanPrompt span={span} parts={system} isHidden={isPromptHidden} />
        </div>
        <CopyButton text={() => callText(system, modelCall)} label="Copy as text" />
      </div>
      {request === null ? (
        <Note>
          This call was recorded by an earlier version, which did not keep the messages that it sent. The thread still
          shows what was said.
        </Note>
      ) : (
        <Request traceId={span.traceId} request={request} isOpening={isOpening} onOpenEarlier={onOpenEarlier} />
      )}
      {describeSentChanges(span).map((text) => (
        <Note key={text}>{text}</Note>
      ))}
      {reply === null ? <ReplyBeginning span={span} /> : <Reply reply={reply} />}
    </div>
  );
}

function Request({ traceId, request, isOpening, onOpenEarlier }: RequestProps) {
  const { fresh, tools, earlierCount, effort } = request;
  if (fresh.length + earlierCount === 0) return <Note>Nothing was sent to the model.</Note>;
  return (
    <>
      {effort === null ? null : <Note>Effort asked for: {effort}</Note>}
      <Tools tools={tools} />
      <Earlier traceId={traceId} request={request} isOpening={isOpening} onOpenEarlier={onOpenEarlier} />
      {fresh.length > 0 ? <p className="px-1 pt-1 text-xs text-muted">New in this call</p> : null}
      <Messages traceId={traceId} messages={fresh} />
    </>
  );
}

interface RequestProps {
  traceId: string;
  request: SentRequestBody;
  isOpening: boolean;
  onOpenEarlier: () => void;
}

/** The tools that the model was offered: their names and, expanded, their schemas as they were sent. */
function Tools({ tools }: { tools: readonly ToolSchema[] | null }) {
  if (tools === null) return <Note>The tools that were offered were not kept.</Note>;
  if (tools.length === 0) return <Note>No tools offered</Note>;
  const names = tools.map(({ name }) => name).join(", ");
  return (
    <details className="text-xs text-muted">
      <summary className="cursor-pointer rounded px-1 py-1 touch-row hover:text-foreground">
        {tools.length === 1 ? "1 tool" : `${tools.length} tools`} offered: {names}
      </summary>
      <div className="mt-1 text-foreground">
        <CodeBlock wrap title="tools.json" code={JSON.stringify(tools, null, 2)} />
      </div>
    </details>
  );
}

function Messages({ traceId, messages }: { traceId: string; messages: SentRequestBody["fresh"] }) {
  return messages.map((message, index) => (
    <OneMessage key={message?.id ?? index} traceId={traceId} message={message} />
  ));
}

function Note({ children }: { children: React.ReactNode }) {
  return <p className="px-1 text-xs text-muted">{children}</p>;
}

/** A call whose thread was deleted: the span itself stores the beginning of its reply. */
function WithoutMessages({ span }: { span: Span }) {
  return (
    <div className="space-y-2 p-3">
      <Note>The messages of this call were not kept.</Note>
      <ReplyBeginning span={span} />
    </div>
  );
}

function ReplyBeginning({ span }: { span: Span }) {
  const { content_preview: preview } = span.attributes;
  if (typeof preview !== "string" || preview === "") return <Note>No reply was recorded.</Note>;
  return <MessageCard from="assistant" who="start of the reply" text={preview} />;
}

function Earlier({ traceId, request, isOpening, onOpenEarlier }: RequestProps) {
  const { earlierCount, earlier, sameAsStep } = request;
  if (earlierCount === 0) return null;
  if (earlier !== null) return <Messages traceId={traceId} messages={earlier} />;
  const count = earlierCount === 1 ? "1 earlier message" : `${formatCount(earlierCount)} earlier messages`;
  return (
    <button
      type="button"
      onClick={onOpenEarlier}
      disabled={isOpening}
      className="flex h-8 w-full items-center gap-2 rounded-md border border-dashed border-border-strong px-2.5 text-xs text-muted touch-row hover:text-foreground"
    >
      <ChevronRight className="size-3.5 shrink-0" aria-hidden />
      {count}
      {sameAsStep === null ? "" : `, same as step ${sameAsStep}`}
      {isOpening ? <span className="ml-auto">Loading</span> : null}
    </button>
  );
}

function OneMessage({ traceId, message }: { traceId: string; message: Message | null }) {
  if (message === null) return <Note>This message is no longer kept.</Note>;
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
      return (
        <MessageCard from="tool" who={message.name} text={message.content} isError={message.isError}>
          <MessageImages traceId={traceId} images={message.images} />
        </MessageCard>
      );
    case "user":
      return (
        <MessageCard from="user" text={message.content}>
          <MessageImages traceId={traceId} images={message.images} />
        </MessageCard>
      );
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
