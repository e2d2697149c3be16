import { z } from "zod";

/** The period that a call is compared with. */
export const PERCENTILE_DAYS = 30;
/** Below this many calls a percentile says more about chance than about the call. */
export const LEAST_CALLS = 20;
/** Only the last so many are counted. */
export const MOST_CALLS = 10_000;

/** How long a call took beside its agent's other calls of the same tool. The shares are 0 to 1. */
export const CallPercentile = z.object({
  tool: z.string(),
  tookMs: z.number(),
  calls: z.number(),
  /** Everybody's calls, or the viewer's own. */
  of: z.enum(["everybody", "own"]),
  slowerThan: z.number(),
  fasterThan: z.number(),
  p95Ms: z.number(),
});
export type CallPercentile = z.infer<typeof CallPercentile>;

/** Null for what is no tool call that ran to its end, for drafts and replays, and where there are too few calls. */
export const CallPercentileReply = z.object({ percentile: CallPercentile.nullable() });
export type CallPercentileReply = z.infer<typeof CallPercentileReply>;
