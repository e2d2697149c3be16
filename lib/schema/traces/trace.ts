import { z } from "zod";
import { RUN_START, RunStatus } from "@/lib/schema/runs/run";
import { RunVersion } from "@/lib/schema/runs/run-version";
import { ShownUsage } from "@/lib/schema/runs/usage";
import { Score } from "./score";
import { Span } from "./span";

/** A row of the trace list. `durationMs` is null while the run is open; `costUsd` is null if a price is unknown. */
export const TraceSummary = z.object({
  id: z.string(),
  runId: z.string(),
  threadId: z.string(),
  title: z.string().nullable(),
  agentId: z.string(),
  agentName: z.string(),
  agentVersion: RunVersion,
  ...RUN_START,
  ownerId: z.string(),
  ownerName: z.string(),
  model: z.string().nullable(),
  status: RunStatus,
  error: z.string().nullable(),
  /** Why the run ended as it did: the code of `error`, the notice of a limit, and who cancelled. */
  errorCode: z.string().nullable(),
  notice: z.string().nullable(),
  cancelledBy: z.string().nullable(),
  startedAt: z.string(),
  durationMs: z.number().nullable(),
  /** Time spent waiting for a person, without the open wait; `waitingSince` is when that one began. */
  waitedMs: z.number(),
  waitingSince: z.string().nullable(),
  steps: z.number(),
  usage: ShownUsage,
  costUsd: z.number().nullable(),
  timeToFirstTokenMs: z.number().nullable(),
});
export type TraceSummary = z.infer<typeof TraceSummary>;

/** `unfolded`, in a search: how many titles and errors are not yet prepared for it, as in `ThreadList`. */
export const TraceList = z.object({
  traces: z.array(TraceSummary),
  nextCursor: z.string().nullable(),
  unfolded: z.int().optional(),
});
export type TraceList = z.infer<typeof TraceList>;

export const TRACE_ORDERS = ["started", "worked", "waited"] as const;
export type TraceOrder = (typeof TRACE_ORDERS)[number];

/** Filters of the trace list; all optional, all in the page's URL. Times are ISO 8601. */
export const TraceFilters = z.strictObject({
  q: z.string().max(200).optional(),
  agentId: z.string().optional(),
  status: z.string().optional(),
  model: z.string().optional(),
  /** Origins of the run; several separated by commas. */
  origin: z.string().optional(),
  attended: z.stringbool().optional(),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  mine: z.stringbool().optional(),
  /** True: traces of test threads instead of all others. */
  drafts: z.stringbool().optional(),
  /** By time worked or waited, longest first: only runs that have ended. */
  sort: z.enum(TRACE_ORDERS).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type TraceFilters = z.infer<typeof TraceFilters>;

/** One trace with its spans (light: bodies come from the span's own route). */
export const Trace = TraceSummary.extend({
  spans: z.array(Span),
  /** People's ratings of the run. */
  scores: z.array(Score),
  /** The runs before and after it in a handoff. */
  handoff: z.object({ fromRunId: z.string().nullable(), toRunId: z.string().nullable() }).optional(),
  droppedSpans: z.number(),
  /** False: the agent records only a part of its runs (`trace.sample`), and this is not one of them. */
  isSampled: z.boolean(),
});
export type Trace = z.infer<typeof Trace>;
