import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { tokenCount } from "@/lib/models/wire/token-count";
import { isObject, type JsonObject } from "./event-reader";

const UNKNOWN: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** The usage that a chunk reports, wherever its server puts it; undefined if there is none. */
export function findUsage(chunk: JsonObject, choice: JsonObject | undefined): JsonObject | undefined {
  const groq = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
  const places = [chunk.usage, choice?.usage, groq, chunk.usageMetadata, chunk.timings, chunk];
  return places.filter(isObject).find((place) => inputOf(place) !== undefined || outputOf(place) !== undefined);
}

/** Counts under the names of several servers; numbers may be text, and are never negative. */
export function readUsage(usage: JsonObject | undefined): LanguageModelV4Usage {
  if (usage === undefined) return UNKNOWN;
  const all = count(usage.total_tokens, usage.totalTokens);
  const given = { input: inputOf(usage), output: outputOf(usage) };
  const input = given.input ?? difference(all, given.output);
  const output = given.output ?? difference(all, given.input);
  const inputDetails = detailsOf(usage.prompt_tokens_details, usage.input_tokens_details);
  const outputDetails = detailsOf(usage.completion_tokens_details, usage.output_tokens_details);
  const cacheRead =
    count(
      inputDetails.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cached_tokens,
      usage.cache_read_input_tokens,
      usage.cache_n,
    ) ?? 0;
  const cacheWrite = count(inputDetails.cache_write_tokens, usage.cache_creation_input_tokens);
  const reasoning = count(outputDetails.reasoning_tokens, usage.reasoning_tokens) ?? 0;
  return {
    inputTokens: { total: input, noCache: difference(input, cacheRead), cacheRead, cacheWrite },
    outputTokens: { total: output, text: difference(output, reasoning), reasoning },
  };
}

export function isNothing(usage: JsonObject): boolean {
  return (inputOf(usage) ?? 0) === 0 && (outputOf(usage) ?? 0) === 0;
}

function inputOf(usage: JsonObject): number | undefined {
  return count(
    usage.prompt_tokens,
    usage.input_tokens,
    usage.promptTokens,
    usage.promptTokenCount,
    usage.prompt_eval_count,
    usage.prompt_n,
  );
}

function outputOf(usage: JsonObject): number | undefined {
  return count(
    usage.completion_tokens,
    usage.output_tokens,
    usage.completionTokens,
    usage.candidatesTokenCount,
    usage.eval_count,
    usage.predicted_n,
  );
}

function detailsOf(...places: readonly unknown[]): JsonObject {
  return places.find(isObject) ?? {};
}

function difference(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined ? undefined : Math.max(0, whole - part);
}

/** The first of the values that is a count. */
function count(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const tokens = tokenCount(value);
    if (tokens !== undefined) return tokens;
  }
  return undefined;
}
