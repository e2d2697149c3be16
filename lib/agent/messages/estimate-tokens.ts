import type { ModelRequest } from "@/lib/agent/model";
import type { Message } from "@/lib/schema/messages/message";

/** Providers' token count for an average image. */
const IMAGE_TOKENS = 1_000;

/**
 * The only rough token count (D-7): per message, the characters of its text and of each call's raw arguments, each
 * divided by `charsPerToken` and rounded down, and 1,000 per image. Excludes the system prompt, which ratios do not
 * count.
 */
export function estimateTokens(messages: readonly Message[], charsPerToken = 4): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += Math.floor(message.content.length / charsPerToken);
    if ("images" in message) tokens += (message.images?.length ?? 0) * IMAGE_TOKENS;
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls) tokens += Math.floor(call.rawArgs.length / charsPerToken);
  }
  return tokens;
}

/** All that a request sends: prompt, tools and messages. */
export function estimateRequest({ system, tools, messages }: ModelRequest, charsPerToken?: number): number {
  const texts = [...system.map(({ text }) => text), ...tools.map((tool) => JSON.stringify(tool))];
  const prompt = texts.reduce((sum, text) => sum + tokensOf(text, charsPerToken), 0);
  return prompt + estimateTokens(messages, charsPerToken);
}

/** The same estimate for a single text, such as a section of the system prompt. */
export function tokensOf(text: string, charsPerToken = 4): number {
  return Math.floor(text.length / charsPerToken);
}
