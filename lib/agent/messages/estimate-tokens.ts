import type { ModelRequest } from "@/lib/agent/model";
import type { Message } from "@/lib/schema/messages/message";
import { exactTokens } from "@/lib/schema/messages/token-estimate";

/** Providers' token count for an average image. */
const IMAGE_TOKENS = 1_000;

/**
 * The rough token count of messages (D-7): the text and each call's raw arguments, each counted by script and rounded
 * down, and 1,000 per image. Excludes the system prompt, which ratios do not count.
 */
export function estimateTokens(messages: readonly Message[], charsPerToken = 4): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += tokensOfContent(message, charsPerToken);
    if ("images" in message) tokens += (message.images?.length ?? 0) * IMAGE_TOKENS;
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls) tokens += tokensOf(call.rawArgs, charsPerToken);
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
  return Math.floor(exactTokens(text, charsPerToken));
}

interface CountedContent {
  readonly content: string;
  readonly charsPerToken: number;
  readonly tokens: number;
}

/** The messages of a run are counted before every call, and most of them again and again. */
const counted = new WeakMap<Message, CountedContent>();

function tokensOfContent(message: Message, charsPerToken: number): number {
  const { content } = message;
  const known = counted.get(message);
  if (known?.content === content && known.charsPerToken === charsPerToken) return known.tokens;
  const tokens = tokensOf(content, charsPerToken);
  counted.set(message, { content, charsPerToken, tokens });
  return tokens;
}
