import { z } from "zod";

const Stands = {
  /** The span that it stands on. */
  spanId: z.string(),
};
const OfCall = { ...Stands, tool: z.string().nullable(), gist: z.string() };

const MEASURES = ["steps", "workedMs", "costUsd", "inputTokens"] as const;
export const DigestMeasure = z.enum(MEASURES);
export type DigestMeasure = z.infer<typeof DigestMeasure>;

/** One thing that is worth knowing about a run. `share` is 0 to 1. */
export const DigestLine = z.discriminatedUnion("kind", [
  /** What failed, by tool (null: a model call) and error; `spanId` is the last of them. */
  z.object({ kind: z.literal("failed"), ...OfCall, error: z.string(), times: z.number() }),
  /** Calls that never ran, because of a rule or a person. */
  z.object({
    kind: z.literal("refused"),
    ...OfCall,
    how: z.enum(["rule", "declined", "expired"]),
    times: z.number(),
  }),
  /** The longest waits for a person. */
  z.object({ kind: z.literal("waited"), ...OfCall, waitedMs: z.number(), person: z.string().nullable() }),
  /** The call that took most of the time worked. */
  z.object({ kind: z.literal("longest"), ...OfCall, tookMs: z.number(), share: z.number() }),
  /** The model call that cost most. */
  z.object({
    kind: z.literal("dearest"),
    ...Stands,
    step: z.number().nullable(),
    costUsd: z.number(),
    share: z.number(),
  }),
  /** How it differs from the middle one of the last completed runs of the version before. */
  z.object({
    kind: z.literal("version"),
    ...Stands,
    measure: DigestMeasure,
    value: z.number(),
    usual: z.number(),
    version: z.number(),
    runs: z.number(),
  }),
]);
export type DigestLine = z.infer<typeof DigestLine>;

/** GET `/api/traces/{id}/explain`: in this order; empty for a run of which there is nothing to say. */
export const TraceDigest = z.object({ lines: z.array(DigestLine) });
export type TraceDigest = z.infer<typeof TraceDigest>;
