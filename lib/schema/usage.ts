import { z } from "zod";

/**
 * Tokens of one or more model calls by class. `inputTokens` is everything that went in, cached parts included;
 * `outputTokens` everything that came out, reasoning included.
 */
export const Usage = z.object({
  inputTokens: z.number(),
  cachedReadTokens: z.number(),
  cachedWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
});
export type Usage = z.infer<typeof Usage>;

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedReadTokens: 0,
  cachedWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** `left` without `right`, which is a part of it. */
export function subtractUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens - right.inputTokens,
    cachedReadTokens: left.cachedReadTokens - right.cachedReadTokens,
    cachedWriteTokens: left.cachedWriteTokens - right.cachedWriteTokens,
    outputTokens: left.outputTokens - right.outputTokens,
    reasoningTokens: left.reasoningTokens - right.reasoningTokens,
  };
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedReadTokens: left.cachedReadTokens + right.cachedReadTokens,
    cachedWriteTokens: left.cachedWriteTokens + right.cachedWriteTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    reasoningTokens: left.reasoningTokens + right.reasoningTokens,
  };
}
