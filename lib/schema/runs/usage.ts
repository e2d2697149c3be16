import { z } from "zod";

/**
 * Tokens of one or more model calls by class. `inputTokens` covers all input, cached parts included; `outputTokens` all
 * output, reasoning included.
 */
export const Usage = z.object({
  inputTokens: z.number(),
  cachedReadTokens: z.number(),
  cachedWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  /** The usage of at least one call is unknown (D-84): the fields cover only the others. */
  isUsagePartial: z.boolean().optional(),
  /** The model of at least one call does not count its tokens: the fields contain estimates. */
  isUsageEstimated: z.boolean().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** A call that was stopped or failed, and whose provider sent no usage. */
export const UNKNOWN_SPENDING: Spending = {
  usage: {
    inputTokens: 0,
    cachedReadTokens: 0,
    cachedWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    isUsagePartial: true,
  },
  costUsd: null,
};

/** What a call whose process died had been sent and had answered until then, estimated: its provider charges that. */
export const LostCall = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Null if the price is unknown. */
  costUsd: z.number().nullable(),
});
export type LostCall = z.infer<typeof LostCall>;

/** A call whose usage is unknown, with what can be said about it. */
export function unknownSpending(estimate: LostCall | undefined): Spending {
  if (!estimate) return UNKNOWN_SPENDING;
  const { inputTokens, outputTokens, costUsd } = estimate;
  return { usage: { ...UNKNOWN_SPENDING.usage, inputTokens, outputTokens, isUsageEstimated: true }, costUsd };
}

const KnownUsage = Usage.omit({ isUsagePartial: true, isUsageEstimated: true }).extend({
  /** Marks numbers that a provider did not count (D-84). */
  estimated: z.literal(true).optional(),
});

/** Usage as it is shown: unknown (null) if that of any call is; `knownUsage` then covers the others. */
export const ShownUsage = z.object({
  inputTokens: z.number().nullable(),
  cachedReadTokens: z.number().nullable(),
  cachedWriteTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  reasoningTokens: z.number().nullable(),
  estimated: KnownUsage.shape.estimated,
  knownUsage: KnownUsage.optional(),
});
export type ShownUsage = z.infer<typeof ShownUsage>;

export function showUsage({ isUsagePartial, isUsageEstimated, ...tokens }: Usage): ShownUsage {
  const known = isUsageEstimated ? { ...tokens, estimated: true as const } : tokens;
  if (!isUsagePartial) return known;
  return {
    inputTokens: null,
    cachedReadTokens: null,
    cachedWriteTokens: null,
    outputTokens: null,
    reasoningTokens: null,
    knownUsage: known,
  };
}

const KnownWireUsage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  estimated: z.literal(true).optional(),
});

/** Accompanies the token counts of `/agents` (D-84). */
export const WIRE_USAGE_NOTES = {
  /** The counts contain estimates, not only what a provider counted. */
  estimated: KnownWireUsage.shape.estimated,
  /** The usage of the other calls, if that of one is unknown and the counts are null. */
  known_usage: KnownWireUsage.optional(),
} as const;

export function wireUsageNotes({ estimated, knownUsage: known }: ShownUsage) {
  const marked = (isEstimated: true | undefined) => (isEstimated ? { estimated: true as const } : {});
  if (!known) return marked(estimated);
  const { inputTokens, outputTokens } = known;
  return { known_usage: { input_tokens: inputTokens, output_tokens: outputTokens, ...marked(known.estimated) } };
}

/** The usage behind a shown one, so that more can be added. */
export function readUsage({ knownUsage, ...shown }: ShownUsage): Usage {
  const source = knownUsage ?? shown;
  const { inputTokens, cachedReadTokens, cachedWriteTokens, outputTokens, reasoningTokens } = source;
  return {
    inputTokens: inputTokens ?? 0,
    cachedReadTokens: cachedReadTokens ?? 0,
    cachedWriteTokens: cachedWriteTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    reasoningTokens: reasoningTokens ?? 0,
    ...(knownUsage === undefined ? {} : { isUsagePartial: true }),
    ...(source.estimated ? { isUsageEstimated: true } : {}),
  };
}

/** All input and output; null if any call's usage is unknown. */
export function totalTokens({ inputTokens, outputTokens, isUsagePartial }: Usage): number | null {
  return isUsagePartial ? null : inputTokens + outputTokens;
}

/** `totalTokens` as a subagent's card shows it, with its estimate mark. */
export function cardTokens(usage: Usage): { tokens: number | null; estimated?: true } {
  const tokens = totalTokens(usage);
  return usage.isUsageEstimated ? { tokens, estimated: true } : { tokens };
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedReadTokens: 0,
  cachedWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

export function addUsage(left: Usage, right: Usage): Usage {
  return combine(left, right, (one, other) => one + other);
}

/** `left` minus `right`, which is part of it; never below zero, in case a provider counted differently. */
export function subtractUsage(left: Usage, right: Usage): Usage {
  return combine(left, right, (whole, part) => Math.max(0, whole - part));
}

/** US dollars; the sum is unknown (null) if either part is. */
export function addCost(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : roundedUsd(left + right);
}

/** The spending of model calls: tokens, and US dollars if every price is known. */
export const Spending = z.object({ usage: Usage, costUsd: z.number().nullable() }).readonly();
export type Spending = z.infer<typeof Spending>;

export const NO_SPENDING: Spending = { usage: NO_USAGE, costUsd: 0 };

/** A call with no reported cost: it is unknown, unless the call used nothing. */
interface Spent {
  readonly usage: Usage;
  readonly costUsd?: number | null | undefined;
}

export function costOf({ usage, costUsd }: Spent): number | null {
  if (costUsd !== undefined) return costUsd;
  if (usage.isUsagePartial) return null;
  return usage.inputTokens + usage.outputTokens === 0 ? 0 : null;
}

export function addSpending(left: Spending, right: Spent): Spending {
  return { usage: addUsage(left.usage, right.usage), costUsd: addCost(left.costUsd, costOf(right)) };
}

/** Ten decimals: a hundredth of the cheapest token, without the binary noise beyond. */
export function roundedUsd(usd: number): number {
  return Math.round(usd * 1e10) / 1e10;
}

function combine(left: Usage, right: Usage, join: (one: number, other: number) => number): Usage {
  return {
    inputTokens: join(left.inputTokens, right.inputTokens),
    cachedReadTokens: join(left.cachedReadTokens, right.cachedReadTokens),
    cachedWriteTokens: join(left.cachedWriteTokens, right.cachedWriteTokens),
    outputTokens: join(left.outputTokens, right.outputTokens),
    reasoningTokens: join(left.reasoningTokens, right.reasoningTokens),
    ...(left.isUsagePartial || right.isUsagePartial ? { isUsagePartial: true } : {}),
    ...(left.isUsageEstimated || right.isUsageEstimated ? { isUsageEstimated: true } : {}),
  };
}
