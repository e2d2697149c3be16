import { AppError } from "@/lib/schema/app-error";
import type { AssistantMessage, Message } from "@/lib/schema/messages/message";
import { findProblem } from "./messages";

/** A list of messages known to be valid. `length` shows whether the list was changed in place. */
interface CheckedList {
  readonly messages: readonly Message[];
  readonly length: number;
}

/**
 * Checks a hook's changes to a valid list before a provider sees them (D-72): roles, empty messages, results without
 * their call. Only messages that are not in `before` are checked, so the cost of a step does not grow with the history.
 * Throws `invalid_chain`, which names the culprit and the message.
 */
export function checkChain(messages: readonly Message[], culprit: string, before: CheckedList): void {
  if (messages === before.messages && messages.length === before.length) return;
  if (!Array.isArray(messages)) {
    throw new AppError(
      "invalid_chain",
      `${culprit} returned no list of messages. Return the request with its messages.`,
    );
  }
  const known = messages === before.messages ? [] : before.messages;
  const start = countSame(messages, known);
  const kept = countSameAtEnd(messages, known, start);
  const end = messages.length - kept;
  for (let index = start; index < end; index += 1) checkMessage(messages, index, culprit);
  // The rest is unchanged, but results right after the change may have lost their call.
  for (let index = end; messages[index]?.role === "tool"; index += 1) checkMessage(messages, index, culprit);
}

/** Checks one message at its position; the `messages` before it are assumed valid. */
export function checkMessage(messages: readonly Message[], index: number, culprit: string): void {
  const message = messages[index];
  const problem =
    typeof message === "object" && message !== null ? problemAt(messages, index, message) : "is not a message";
  if (problem === null) return;
  const role = message ? ` (${String(message.role)})` : "";
  throw new AppError("invalid_chain", `${culprit}: message ${index + 1}${role} ${problem}`);
}

function problemAt(messages: readonly Message[], index: number, message: Message): string | null {
  const problem = shapeProblem(message) ?? findProblem(message);
  if (problem !== null) return `is invalid: ${problem}`;
  if (message.role !== "tool" || callsBefore(messages, index).some(({ id }) => id === message.toolCallId)) return null;
  return `is a tool result without its call: the reply right before it does not call ${JSON.stringify(message.toolCallId)}`;
}

/** Extensions need not be type-checked, so a message may lack fields its type requires. */
function shapeProblem(message: Message): string | null {
  if (typeof message.content !== "string") return "content must be text";
  if (message.role !== "assistant" || Array.isArray(message.toolCalls)) return null;
  return "an assistant message needs toolCalls, an empty list when it calls nothing";
}

/** The calls that results at this position may answer: those of the preceding reply. */
function callsBefore(messages: readonly Message[], index: number): AssistantMessage["toolCalls"] {
  let at = index - 1;
  while (messages[at]?.role === "tool") at -= 1;
  const reply = messages[at];
  return reply?.role === "assistant" ? reply.toolCalls : [];
}

function countSame(left: readonly Message[], right: readonly Message[]): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count] === right[count]) count += 1;
  return count;
}

function countSameAtEnd(left: readonly Message[], right: readonly Message[], start: number): number {
  const most = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < most && left[left.length - 1 - count] === right[right.length - 1 - count]) count += 1;
  return count;
}
