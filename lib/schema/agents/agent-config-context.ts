import { z } from "zod";

const ratio = z.number().gt(0).max(1);
const count = z.number().int().nonnegative();
const milliseconds = z.number().int().min(1).max(86_400_000);

/** Cuts huge tool results before the model reads them (S0, D-24). In characters. */
export const EvictionConfig = z.strictObject({
  enabled: z.boolean().default(true),
  max_chars: z.number().int().min(1).default(80_000),
  head: count.default(2_000),
  tail: count.default(2_000),
});

/** Shortens old tool results when the prompt is built (S4). Ratios of the context window; lengths in characters. */
export const PruningConfig = z.strictObject({
  enabled: z.boolean().default(true),
  soft_ratio: ratio.default(0.3),
  soft_max_chars: count.default(4_000),
  soft_head: count.default(1_500),
  soft_tail: count.default(1_500),
  hard_ratio: ratio.default(0.5),
  min_prunable_tool_chars: count.default(50_000),
  keep_last_assistants: count.default(3),
});

/** The in-run guard against a full window (S0, D-2). `max_tokens` and `max_words` apply to the summary. */
export const SummarizationConfig = z.strictObject({
  enabled: z.boolean().default(true),
  ratio: ratio.default(0.85),
  keep_ratio: ratio.default(0.1),
  keep_min: z.number().int().min(1).default(2),
  max_tokens: z.number().int().min(1).default(2_000),
  max_words: z.number().int().min(1).describe("How many words the summary may have at most.").default(2_000),
  truncate_chars: count.default(2_000),
});

/** After-run compaction of the stored history (S4, D-2 to D-5). */
export const CompactionConfig = z.strictObject({
  enabled: z.boolean().default(true),
  max_messages: z.number().int().min(1).default(50),
  min_ratio: z
    .number()
    .min(0)
    .max(1)
    .describe("Share of the window below which max_messages alone does not compact; 0: it always does.")
    .default(0),
  ratio: ratio.default(0.75),
  absolute_tokens: z.number().int().min(1).nullable().default(null),
  keep_last: z.number().int().min(1).default(4),
  max_tokens: z.number().int().min(1).default(1_024),
  temperature: z.number().min(0).max(2).default(0.3),
  timeout_ms: milliseconds.default(120_000),
  placement: z.enum(["pair", "system"]).default("pair"),
});

/** Saves lasting facts before a compaction (S4, D-39). In tokens and milliseconds. */
export const MemoryFlushConfig = z.strictObject({
  enabled: z.boolean().default(true),
  always: z.boolean().default(false),
  reserve_tokens: count.default(20_000),
  soft_threshold: count.default(4_000),
  max_iterations: z.number().int().min(1).max(50).default(5),
  timeout_ms: milliseconds.default(90_000),
  recent_messages: z.number().int().min(1).default(10),
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe("What the agent is asked, after the conversation. NO_REPLY is the answer where nothing is to be kept.")
    .default("Store durable memories now, if nothing to store reply NO_REPLY."),
});
