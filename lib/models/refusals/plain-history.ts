import { checksum } from "@/lib/schema/checksum";
import type { AssistantMessage, Message, ToolMessage } from "@/lib/schema/messages/message";

/**
 * How plainly a message is written for a provider that refuses it: `bare` without what only its writer understands
 * (thoughts, signatures), `text` also with calls and results as text.
 */
export type Plainness = "bare" | "text";

const keys = new WeakMap<Message, string>();

/** What tells a message apart; one from a client that keeps the history itself has no id. */
export function messageKey(message: Message): string {
  if (message.id !== undefined) return message.id;
  const key = keys.get(message) ?? checksum(message);
  keys.set(message, key);
  return key;
}

/**
 * The messages with some of them written plainly, and the results whose calls have become text; the others stay the
 * same objects.
 */
export function writePlainly(
  messages: readonly Message[],
  plainnessOf: (message: Message) => Plainness | undefined,
): readonly Message[] {
  const asText = new Set<string>();
  return messages.map((message) => {
    const isOfText = message.role === "tool" && asText.has(message.toolCallId);
    const plainness = isOfText ? "text" : plainnessOf(message);
    if (plainness === undefined) return message;
    if (message.role === "assistant" && plainness === "text") for (const { id } of message.toolCalls) asText.add(id);
    // A result stays one as long as its call does.
    return message.role === "tool" && !isOfText ? message : copyOf(message, plainness);
  });
}

const copies = new WeakMap<Message, Map<Plainness, Message>>();

function copyOf(message: Message, plainness: Plainness): Message {
  const known = copies.get(message) ?? new Map<Plainness, Message>();
  const copy = known.get(plainness) ?? rewritten(message, plainness);
  copies.set(message, known.set(plainness, copy));
  return copy;
}

function rewritten(message: Message, plainness: Plainness): Message {
  if (message.role === "assistant") return plainness === "bare" ? bareReply(message) : textReply(message);
  return message.role === "tool" && plainness === "text" ? textResult(message) : message;
}

function bareReply({ reasoning: _, toolCalls, ...message }: AssistantMessage): Message {
  return { ...message, toolCalls: toolCalls.map(({ providerMetadata: __, ...call }) => call) };
}

function textReply({ reasoning: _, toolCalls, content, ...message }: AssistantMessage): Message {
  const calls = toolCalls.map(({ name, args }) => `[Called ${name} with ${JSON.stringify(args)}]`);
  return { ...message, content: [content, ...calls].filter((line) => line.trim() !== "").join("\n"), toolCalls: [] };
}

function textResult({ id, name, content, images, isError }: ToolMessage): Message {
  const text = `[${isError ? "Error" : "Result"} of ${name}]\n${content}`;
  return { ...(id === undefined ? {} : { id }), role: "user", content: text, ...(images ? { images } : {}) };
}
