import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { storedText } from "@/lib/schema/plain-text";

/** A person's rating of a reply: a thumb on the root span of its run, 1 or -1, one per person. */
export const Score = z.object({
  id: z.string(),
  runId: z.string(),
  spanId: z.string(),
  name: z.string(),
  value: z.number(),
  why: z.string().nullable(),
  /** What the reply should have been. */
  correction: z.string().nullable(),
  authorId: z.string(),
  authorName: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Score = z.infer<typeof Score>;

export const ScoreList = z.object({ scores: z.array(Score) });
export type ScoreList = z.infer<typeof ScoreList>;

/** Of one run, or of all runs of a thread. */
export const ScoreQuery = z
  .strictObject({ runId: RowId.optional(), threadId: RowId.optional() })
  .refine(({ runId, threadId }) => (runId === undefined) !== (threadId === undefined), {
    message: "name either a run or a thread",
    path: ["runId"],
  });
export type ScoreQuery = z.infer<typeof ScoreQuery>;

export const MAX_WHY_CHARS = 2_000;
const MAX_CORRECTION_CHARS = 20_000;

/** Replaces the caller's previous thumb; without `why` or `correction`, none is kept. */
export const ScoreBody = z.strictObject({
  runId: RowId,
  name: z.literal("thumb"),
  value: z.union([z.literal(1), z.literal(-1)]),
  why: storedText(MAX_WHY_CHARS).optional(),
  correction: storedText(MAX_CORRECTION_CHARS).optional(),
});
export type ScoreBody = z.infer<typeof ScoreBody>;
