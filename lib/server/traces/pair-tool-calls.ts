import "server-only";
import type { Message } from "@/lib/schema/messages/message";
import type { CallReply, ToolCallBody } from "@/lib/schema/traces/span-body";

/** The run's reply number `step`, counted from 1: each is one assistant message. Null if it has not arrived. */
export function replyOfStep(messages: readonly Message[], step: number): CallReply | null {
  const reply = messages.filter((message) => message.role === "assistant")[step - 1];
  return reply ? { content: reply.content, reasoning: reply.reasoning ?? [], toolCalls: reply.toolCalls } : null;
}

/** The named tool calls with their results, in the order in which the model requested them. */
export function pairToolCalls(messages: readonly Message[], wanted: ReadonlySet<string>): ToolCallBody[] {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  return calls.filter((call) => wanted.has(call.id)).map((call) => ({ call, result: resultOf(messages, call.id) }));
}

function resultOf(messages: readonly Message[], toolCallId: string): ToolCallBody["result"] {
  const found = messages.findLast((message) => message.role === "tool" && message.toolCallId === toolCallId);
  if (found?.role !== "tool") return null;
  return { content: found.content, isError: found.isError ?? false };
}
