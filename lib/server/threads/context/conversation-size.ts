import { estimateTokens } from "@/lib/agent/messages/estimate-tokens";
import type { Message, ToolCall } from "@/lib/schema/messages/message";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";

export const MOST_RESULTS = 50;
const GIST_CHARS = 80;

/** Tool results as the model gets them, largest first; `stored` has their full versions. */
export function largestResults(
  messages: readonly Message[],
  stored: readonly Message[],
  charsPerToken: number,
): ThreadContext["results"] {
  const whole = new Map(
    stored.flatMap((message) =>
      message.role === "tool" ? [[message.toolCallId, estimateTokens([message], charsPerToken)] as const] : [],
    ),
  );
  const calls = new Map<string, ToolCall>();
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.toolCalls) calls.set(call.id, call);
  }
  const sizeOf = (message: Extract<Message, { role: "tool" }>, call: ToolCall | undefined) => {
    const tokens = estimateTokens([message], charsPerToken);
    const before = whole.get(message.toolCallId) ?? 0;
    return { tool: message.name, gist: gistOf(call), tokens, cutFrom: before > tokens ? before : null };
  };
  const results = messages.flatMap((message) =>
    message.role === "tool" ? [sizeOf(message, calls.get(message.toolCallId))] : [],
  );
  return results.toSorted((left, right) => right.tokens - left.tokens);
}

function gistOf(call: ToolCall | undefined): string {
  const first = Object.values(call?.args ?? {}).find((value) => typeof value === "string");
  return String(first ?? "")
    .replaceAll(/\s+/gu, " ")
    .slice(0, GIST_CHARS);
}

const RECENT_STEPS = 5;
const FEWEST_STEPS = 2;

/** The average growth over the last steps, each a reply with the results of its calls; null if there are too few. */
export function stepGrowth(messages: readonly Message[], charsPerToken: number): number | null {
  const replies = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
  const recent = replies.slice(-RECENT_STEPS);
  const [first] = recent;
  if (first === undefined || recent.length < FEWEST_STEPS) return null;
  return Math.max(1, Math.round(estimateTokens(messages.slice(first), charsPerToken) / recent.length));
}
