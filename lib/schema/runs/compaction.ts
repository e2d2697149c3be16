import { z } from "zod";
import { Estimated } from "./section-tokens";

/**
 * Reply of POST `/api/threads/{id}/compact`, with the numbers of one compaction: messages summarised and kept, D-7's
 * estimate of the history before and after. `compacted` is 0 if the history is too short to compact.
 */
export const CompactReply = z.object({
  compacted: z.number(),
  kept: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  estimated: Estimated,
  /** The summary was no shorter than what it would have replaced, so it was dropped and nothing changed. */
  dropped: z.literal(true).optional(),
});
export type CompactReply = z.infer<typeof CompactReply>;

/**
 * A compaction of a thread's history (S4 phase 7): nothing is deleted, the model reads `summary` instead of the
 * messages it replaces. `count` is the thread's compaction counter afterwards; `memoryFlushed` says that the agent
 * first saved lasting facts (D-39).
 */
export const CompactionData = CompactReply.omit({ dropped: true }).extend({
  count: z.number(),
  memoryFlushed: z.boolean(),
  summary: z.string(),
});
export type CompactionData = z.infer<typeof CompactionData>;
