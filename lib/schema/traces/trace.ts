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
  /** Of the thread. */
  title: z.string().nullable(),
  /** The beginning of the message that started the run; null where it was not recorded. */
  message: z.string().nullable(),
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

/**
 * In a search, `unfolded`: how many titles and errors are not yet prepared for it, as in `ThreadList`; `unmasked`: how
 * many texts it leaves out, because the masking rules were not applied to them yet.
 */
export const TraceList = z.object({
  traces: z.array(TraceSummary),
  nextCursor: z.string().nullable(),
  unfolded: z.int().optional(),
  unmasked: z.int().optional(),
});
export type TraceList = z.infer<typeof TraceList>;

/** Times and numbers largest first, names from A to Z. */
export const TRACE_ORDERS = [
  ...(["started", "worked", "waited", "cost", "tokens", "steps"] as const),
  ...(["message", "status", "agent", "model", "person", "thread", "origin", "firstToken"] as const),
] as const;
export type TraceOrder = (typeof TRACE_ORDERS)[number];

/** Several values, separated by commas: a run has one of them. */
const Choices = z.string().max(2_000).optional();

/** Which runs; all optional, all in the page's URL. Times are ISO 8601. */
const TraceChoice = z.strictObject({
  /** An id of a run, trace or thread, or a text in the title, the messages, the error or the model. */
  q: z.string().max(200).optional(),
  agentId: Choices,
  status: Choices,
  version: Choices,
  model: Choices,
  origin: Choices,
  /** Who started it. */
  person: Choices,
  /** Tools that it called, also in subagents; those of which a call failed. */
  tool: Choices,
  toolFailed: Choices,
  /** The code of its error. */
  error: Choices,
  /** How people rated it: up, down. */
  score: Choices,
  /** How a person answered one of its questions: approved, denied, edited, answered, declined. */
  decision: Choices,
  /** yes: people wrote notes on it. */
  notes: Choices,
  /** It failed, or one of its calls did. */
  hasError: z.stringbool().optional(),
  minCostUsd: z.coerce.number().min(0).optional(),
  maxCostUsd: z.coerce.number().min(0).optional(),
  minWorkedMs: z.coerce.number().int().min(0).optional(),
  maxWorkedMs: z.coerce.number().int().min(0).optional(),
  /** Only runs with this problem in the last 28 days. */
  problemId: z.string().max(100).optional(),
  attended: z.stringbool().optional(),
  since: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  mine: z.stringbool().optional(),
  /** True: traces of test threads instead of all others. */
  drafts: z.stringbool().optional(),
});

/** A page of the list. */
export const TraceFilters = TraceChoice.extend({
  /** By time worked or waited, longest first: only runs that have ended. */
  sort: z.enum(TRACE_ORDERS).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** It contains the beginning of a title, in any script. */
  cursor: z.string().max(3_000).optional(),
});
export type TraceFilters = z.infer<typeof TraceFilters>;

export const FacetQuery = TraceChoice;
export type FacetQuery = z.infer<typeof FacetQuery>;

/**
 * Runs per value under the filters, most first, at most 50 values. A facet's own choice does not narrow its own counts;
 * `runs` is how many match in all.
 */
export const FacetList = z.object({
  runs: z.number(),
  facets: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.object({ value: z.string(), label: z.string(), count: z.number() })),
    }),
  ),
  countedAt: z.string(),
});
export type FacetList = z.infer<typeof FacetList>;

/** One trace with its spans (light: bodies come from the span's own route). */
export const Trace = TraceSummary.extend({
  spans: z.array(Span),
  /** People's ratings of the run. */
  scores: z.array(Score),
  /** Of a replay's run: the replay, the run that it replays, and the first step that it ran itself. */
  replay: z.object({ id: z.string(), runId: z.string(), fromStep: z.number() }).optional(),
  /** The runs before and after it in a handoff. */
  handoff: z.object({ fromRunId: z.string().nullable(), toRunId: z.string().nullable() }).optional(),
  /** Who has undone the run, and when (ISO 8601); absent if nobody has, or it was taken back. */
  undone: z.object({ by: z.string(), at: z.string() }).optional(),
  droppedSpans: z.number(),
  /** False: the agent records only a part of its runs (`trace.sample`), and this is not one of them. */
  isSampled: z.boolean(),
});
export type Trace = z.infer<typeof Trace>;
