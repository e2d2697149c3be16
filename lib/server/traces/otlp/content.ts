import type { Message } from "@/lib/schema/messages/message";
import type { Span } from "@/lib/schema/traces/span";
import { maskMessage } from "@/lib/server/traces/mask-trace";
import { GEN_AI } from "./names";

/** The attributes of a span that hold what was written: JSON texts, as the conventions allow for spans. */
export type SpanContent = Readonly<Record<string, string>>;

/** What a run's spans may say of its messages: each message is on one model call, not on all that read it again. */
export interface RunContent {
  of(span: Span): SpanContent | null;
}

/** `messages` are those that the run added to its thread, unmasked, in order. */
export function runContent(runId: string, messages: readonly Message[]): RunContent {
  const masked = messages.map(maskMessage);
  const replies = masked.findLastIndex(({ role }) => role === "assistant");
  const results = new Map(
    masked.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message]] : [])),
  );
  return {
    of({ type, name, attributes: { step, tool_call_id: callId, tool_args: args } }) {
      if (type === "agent") {
        const reply = masked[replies];
        return {
          ...written(GEN_AI.inputMessages, masked.slice(0, firstReply(masked))),
          ...written(GEN_AI.outputMessages, reply === undefined ? [] : [reply]),
        };
      }
      if (type === "tool") {
        const result = results.get(String(callId));
        return {
          ...(typeof args === "string" ? { [GEN_AI.toolArguments]: args } : {}),
          ...(result?.role === "tool" ? { [GEN_AI.toolResult]: result.content } : {}),
        };
      }
      if (type !== "llm" || name !== "llm.call") return null;
      const at = masked.findIndex(({ id }) => id === `${runId}:${step}`);
      if (at === -1) return null;
      const before = masked.slice(0, at).findLastIndex(({ role }) => role === "assistant");
      return {
        ...written(GEN_AI.inputMessages, masked.slice(before + 1, at)),
        ...written(GEN_AI.outputMessages, masked.slice(at, at + 1)),
      };
    },
  };
}

function firstReply(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role === "assistant");
  return first === -1 ? messages.length : first;
}

function written(name: string, messages: readonly Message[]): SpanContent {
  return messages.length === 0 ? {} : { [name]: JSON.stringify(messages.map(toParts)) };
}

/** A message as the conventions' JSON schemas describe it. */
function toParts(message: Message) {
  const text = message.content === "" ? [] : [{ type: "text", content: message.content }];
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, parts: text };
    case "tool":
      return {
        role: "tool",
        parts: [{ type: "tool_call_response", id: message.toolCallId, response: message.content }],
      };
    case "assistant": {
      const reasoning = (message.reasoning ?? []).map(({ text: content }) => ({ type: "reasoning", content }));
      const calls = message.toolCalls.map(({ id, name, args }) => ({ type: "tool_call", id, name, arguments: args }));
      return {
        role: "assistant",
        parts: [...reasoning, ...text, ...calls],
        finish_reason: calls.length > 0 ? "tool_call" : "stop",
      };
    }
  }
}
