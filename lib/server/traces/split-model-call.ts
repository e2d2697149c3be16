import "server-only";
import type { Message } from "@/lib/schema/message";
import type { CallReply, ToolCallBody } from "@/lib/schema/span-body";

/** What one model call of a run read and answered, cut out of the run's messages. */
export interface ModelCallParts {
  /** Of this run; the thread's history comes before them. */
  readonly seenBefore: readonly Message[];
  readonly fresh: readonly Message[];
  readonly reply: CallReply | null;
}

/** `step` counts model calls from 1; the reply of each is one assistant message. */
export function splitModelCall(messages: readonly Message[], step: number): ModelCallParts {
  const replies = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []));
  const previous = step > 1 ? (replies[step - 2] ?? messages.length - 1) : -1;
  const own = replies[step - 1];
  const reply = own === undefined ? undefined : messages[own];
  return {
    seenBefore: messages.slice(0, previous + 1),
    fresh: messages.slice(previous + 1, own ?? messages.length),
    reply:
      reply?.role === "assistant"
        ? { content: reply.content, reasoning: reply.reasoning ?? [], toolCalls: reply.toolCalls }
        : null,
  };
}

/** The named tool calls with their results, in the order the model asked for them. */
export function pairToolCalls(messages: readonly Message[], wanted: ReadonlySet<string>): ToolCallBody[] {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return calls.filter((call) => wanted.has(call.id)).map((call) => ({ call, result: resultOf(messages, call.id) }));
}

function resultOf(messages: readonly Message[], toolCallId: string): ToolCallBody["result"] {
  const found = messages.findLast((message) => message.role === "tool" && message.toolCallId === toolCallId);
  if (found?.role !== "tool") return null;
  return { content: found.content, isError: found.isError ?? false };
}
