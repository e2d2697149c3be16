import { describe, expect, it } from "vitest";
import { outputRoom, statedLength } from "./stated-length";

describe("the lengths in a refusal", () => {
  it.each<[string, number | undefined, number | undefined]>([
    ["Prompt exceeds max length", undefined, undefined],
    ["Your request exceeded model token limit: 262144", 262_144, undefined],
    ["Range of input length should be [1, 30720]", 30_720, undefined],
    ["prompt token count of 128100 exceeds the limit of 128000", 128_000, 128_100],
    ["prompt is too long: 213,462 tokens > 200,000 maximum", 200_000, 213_462],
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      8_192,
      9_001,
    ],
    ["input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", 200_000, 188_240],
    ["This model's maximum context length is 4096 tokens, however you requested 5000", 4_096, 5_000],
    ["the request exceeds the available context size, n_ctx: 4096", 4_096, undefined],
    ["The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).", 1_048_576, 1_048_600],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072, 537_812],
    [
      "Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      32_768,
      40_960,
    ],
    ["Request is too large: 300123 tokens. Max 262144", 262_144, undefined],
    ["The sum of prompt tokens and max_tokens must not be greater than 8192", 8_192, undefined],
    ["Input length (265330) exceeds model's maximum context length (262144).", 262_144, 265_330],
    ["Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", 131_040, 131_393],
    ["Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)", 2_048, 5_152],
    ["The input (263000 tokens) is longer than the model's context length (262144 tokens).", 262_144, 263_000],
    ["Your request exceeded model token limit: 262144 (requested: 269030)", 262_144, 269_030],
    ["invalid params, context window exceeds limit (2013)", undefined, undefined],
    ["Token limit exceeded: 140000 > 131072", 131_072, 140_000],
    ["The number of tokens in the prompt (9000) exceeds the model's limit (8192)", 8_192, 9_000],
    ["`prompt` is 45000 tokens long, but model's maximum is 32000", 32_000, 45_000],
    ["temperature must be at most 1", undefined, undefined],
  ])("of %s", (words, limitTokens, sentTokens) => {
    expect(statedLength(words)).toEqual({
      ...(limitTokens === undefined ? {} : { limitTokens }),
      ...(sentTokens === undefined ? {} : { sentTokens }),
    });
  });
});

describe("the room for an answer", () => {
  it.each<[string, number | null]>([
    [
      "This model's maximum context length is 8192 tokens. However, you requested 9192 tokens (5192 in the messages, 4000 in the completion).",
      2_984,
    ],
    ["input length and `max_tokens` exceed context limit: 198240 + 4000 > 200000, decrease input length", 1_744],
    [
      "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 4000 `max_new_tokens`",
      1_080,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 96 input tokens (4000 > 4096 - 96).",
      3_984,
    ],
    [
      "Requested token count exceeds the model's maximum context length of 20275 tokens. You requested a total of 21094 tokens: 17094 tokens from the input messages and 4000 tokens for the completion.",
      3_165,
    ],
    ["input_length + max_new_tokens should be <= 2048", null],
    ["max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens", 2_048],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 3000]", 3_000],
    ["`max_tokens` must be less than or equal to `2000`", 2_000],
    ["max_tokens is too large: 4000. This model supports at most 3500 completion tokens", 3_500],
    [
      "maximum context length is 4096 tokens. However, you requested 8000 tokens (4000 in the messages, 4000 in the completion)",
      null,
    ],
    ["max_tokens must be at most 8192", null],
    ["prompt is too long: 213462 tokens > 200000 maximum", null],
  ])("in %s", (words, room) => {
    expect(outputRoom(words, 4_000)).toBe(room);
  });
});
