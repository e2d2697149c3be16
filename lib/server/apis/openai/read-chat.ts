import { writePlainly } from "@/lib/models/refusals/plain-history";
import type { ChatMessage } from "@/lib/schema/apis/openai";
import type { Message, ToolCall } from "@/lib/schema/messages/message";

/** A client's message as this server keeps it, with the addresses of its pictures. */
export interface ReadChat {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
  readonly pictures: readonly string[];
}

type AssistantChat = Extract<ChatMessage, { role: "assistant" }>;

/**
 * The client's messages, one for one. Calls of another model and their results become text, because no tool of this
 * agent made them. An empty reply at the end is only where the answer goes. If instructions are all that follows the
 * last reply, the last of them is the question.
 */
export function readChat(messages: readonly ChatMessage[]): ReadChat[] {
  const names = new Map<string, string>();
  const plain = writePlainly(
    messages.map((message) => toMessage(message, names)),
    () => "text",
  );
  const read = plain.map(({ role, content }, index): ReadChat => {
    const sent = messages[index];
    const pictures = sent?.role === "user" ? sent.pictures : [];
    return { role: role === "tool" ? "user" : role, content, pictures };
  });
  const last = read.at(-1);
  return withQuestion(last?.role === "assistant" && isEmpty(last) ? read.slice(0, -1) : read);
}

function withQuestion(chat: readonly ReadChat[]): ReadChat[] {
  const first = chat.findLastIndex(({ role }) => role === "assistant") + 1;
  const asked = chat.findLastIndex((message, index) => index >= first && !isEmpty(message));
  const isAsked = chat.some((message, index) => index >= first && message.role === "user" && !isEmpty(message));
  return chat.map((message, index) => (index === asked && !isAsked ? { ...message, role: "user" } : message));
}

/** Whether the message says nothing. */
export function isEmpty({ content, pictures }: ReadChat): boolean {
  return content.trim() === "" && pictures.length === 0;
}

function toMessage(message: ChatMessage, names: Map<string, string>): Message {
  const content = message.content ?? "";
  if (message.role === "assistant") return { role: "assistant", content, toolCalls: callsOf(message, names) };
  if (message.role === "tool") {
    const toolCallId = message.tool_call_id ?? "";
    return { role: "tool", content, toolCallId, name: names.get(toolCallId) ?? "a tool" };
  }
  if (message.role === "function") {
    return { role: "tool", content, toolCallId: "", name: message.name ?? "a function" };
  }
  return { role: message.role === "user" ? "user" : "system", content };
}

function callsOf({ tool_calls, function_call }: AssistantChat, names: Map<string, string>): ToolCall[] {
  const called = (tool_calls ?? []).flatMap(({ id, function: made }) => (made ? [{ id: id ?? "", ...made }] : []));
  const calls = function_call ? [...called, { id: "", ...function_call }] : called;
  return calls.map(({ id, name, arguments: sent }) => {
    names.set(id, name);
    const rawArgs = typeof sent === "string" ? sent : (JSON.stringify(sent) ?? "");
    return { id, name, rawArgs, args: argumentsIn(rawArgs) };
  });
}

function argumentsIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : { arguments: value };
  } catch {
    return text.trim() === "" ? {} : { arguments: text };
  }
}
