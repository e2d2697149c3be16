import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";

export const ProblemKind = z.enum(["failed", "limit", "loop", "tool_error", "denied", "thumb_down"]);
export type ProblemKind = z.infer<typeof ProblemKind>;

export const ProblemState = z.enum(["open", "resolved", "ignored"]);
export type ProblemState = z.infer<typeof ProblemState>;

/** `q` finds in titles and tools. */
export const ProblemQuery = z.strictObject({
  agentId: AgentId.optional(),
  state: ProblemState.optional(),
  q: z.string().trim().max(200).optional(),
});
export type ProblemQuery = z.infer<typeof ProblemQuery>;

/** Failures of the last 28 days that are alike. */
export const Problem = z.object({
  id: z.string(),
  /** One sentence, without what differs from one failure to the next. */
  title: z.string(),
  kind: ProblemKind,
  agentId: z.string(),
  tool: z.string().nullable(),
  /** The lowest version that had it; null where only drafts had. */
  firstVersion: z.number().nullable(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  runs: z.number(),
  /** Whose runs they were. */
  people: z.number(),
  /** Runs per day, oldest first, today last; 28 days in the viewer's time zone. */
  perDay: z.array(z.number()),
  /** A resolved problem that comes back in a later version is open again, an ignored one when its runs have doubled. */
  state: ProblemState,
  resolvedInVersion: z.number().nullable(),
  /** The latest runs that had it. */
  sampleRunIds: z.array(z.string()),
});
export type Problem = z.infer<typeof Problem>;

/** Latest first; at most 200. */
export const ProblemList = z.object({ problems: z.array(Problem) });
export type ProblemList = z.infer<typeof ProblemList>;

export const ProblemChange = z.strictObject({ state: ProblemState });
