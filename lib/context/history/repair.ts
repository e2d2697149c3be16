import type { AssistantMessage, Message, ToolMessage } from "@/lib/schema/messages/message";

/** S4 §5's exact wording. */
export const MISSING_RESULT = "[Tool result missing -- session was compacted]";

export interface Repaired {
  readonly messages: readonly Message[];
  /** How many results without a call, and messages without text or calls, were dropped. */
  readonly dropped: number;
  /** How many placeholders were added for missing results. */
  readonly added: number;
}

/**
 * Makes the list valid for every provider: every call has exactly one result, right after its message and in call
 * order; results without a call are dropped and missing ones get a placeholder (S4 §5, stage 3); messages without text
 * and calls without an id or a name are dropped (D-72). Ids are unique within one message.
 */
export function repairHistory(messages: readonly Message[]): Repaired {
  const repaired: Message[] = [];
  let added = 0;
  for (const [index, stored] of messages.entries()) {
    const message = withoutBrokenCalls(stored);
    if (message.role === "tool" || isEmpty(message)) continue;
    repaired.push(message);
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls) {
      const result = findResult(messages, index + 1, call.id);
      if (!result) added += 1;
      repaired.push(result ?? missingResult(call));
    }
  }
  return { messages: repaired, dropped: messages.length + added - repaired.length, added };
}

function withoutBrokenCalls(message: Message): Message {
  if (message.role !== "assistant" || message.toolCalls.every(isWhole)) return message;
  return { ...message, toolCalls: message.toolCalls.filter(isWhole) };
}

function isWhole({ id, name }: AssistantMessage["toolCalls"][number]): boolean {
  return id !== "" && name !== "";
}

function isEmpty(message: Exclude<Message, ToolMessage>): boolean {
  if (message.content !== "") return false;
  if (message.role === "assistant") return message.toolCalls.length === 0;
  return message.role === "system" || !message.images?.length;
}

/** The first result for the call among the consecutive tool messages at `from`. */
function findResult(messages: readonly Message[], from: number, callId: string): ToolMessage | null {
  for (let index = from; ; index += 1) {
    const message = messages[index];
    if (message?.role !== "tool") return null;
    if (message.toolCallId === callId) return message;
  }
}

function missingResult({ id, name }: AssistantMessage["toolCalls"][number]): ToolMessage {
  return { role: "tool", content: MISSING_RESULT, toolCallId: id, name };
}
