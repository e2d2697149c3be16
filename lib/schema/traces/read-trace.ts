import { z } from "zod";

/** A text that may be cut: `chars` is the length of the whole. */
const ReadText = z.object({ text: z.string(), chars: z.number() });
export type ReadText = z.infer<typeof ReadText>;

const Passage = z.discriminatedUnion("kind", [
  /** What a person, or what else started the run, said to it. */
  z.object({ kind: z.literal("message"), id: z.string(), text: ReadText }),
  /** A model call begins. Worked without waiting for people; null where no span says. */
  z.object({
    kind: z.literal("step"),
    id: z.string(),
    step: z.number(),
    atMs: z.number().nullable(),
    workedMs: z.number().nullable(),
    costUsd: z.number().nullable(),
    calls: z.number(),
  }),
  z.object({ kind: z.literal("thought"), id: z.string(), text: ReadText }),
  z.object({ kind: z.literal("answer"), id: z.string(), text: ReadText }),
  z.object({
    kind: z.literal("call"),
    id: z.string(),
    toolCallId: z.string(),
    /** The span that ran it; null where none was stored. */
    spanId: z.string().nullable(),
    tool: z.string(),
    gist: z.string(),
    status: z.enum(["running", "waiting", "completed", "failed", "cancelled", "interrupted", "unknown"]),
    startedAtMs: z.number().nullable(),
    durationMs: z.number().nullable(),
    args: ReadText,
    result: ReadText.nullable(),
    isError: z.boolean(),
    /** Runs of subagents that it started. */
    childRunIds: z.array(z.string()),
  }),
  /** A person was waited for, before the call above it could run. */
  z.object({
    kind: z.literal("wait"),
    id: z.string(),
    fromMs: z.number(),
    toMs: z.number().nullable(),
    /** "Waited 4 min 12 s for Ada"; what they decided, and by which rule they were asked. */
    title: z.string(),
    decision: z.string(),
  }),
  /** Something that happened to the run: older messages summarised, a limit, an error. */
  z.object({ kind: z.literal("notice"), id: z.string(), tone: z.enum(["plain", "fail"]), text: z.string() }),
]);
export type ReadPassage = z.infer<typeof Passage>;
export type ReadCall = Extract<ReadPassage, { kind: "call" }>;

const ReadRun = z.object({
  runId: z.string(),
  /** The agent, or the subagent. */
  name: z.string(),
  steps: z.number(),
  /** False: its messages were removed; calls, times and cost are what is left. */
  hasMessages: z.boolean(),
  passages: z.array(Passage),
});
export type ReadRun = z.infer<typeof ReadRun>;

/** A run as one text in reading order: first the trace's own, then those of its subagents. */
export const ReadTrace = z.object({
  traceId: z.string(),
  runId: z.string(),
  title: z.string().nullable(),
  /** Who, or what, started it. */
  askedBy: z.string(),
  startedAt: z.string(),
  runs: z.array(ReadRun),
  /** Runs beyond the first 200 are left out. */
  hasMoreRuns: z.boolean(),
});
export type ReadTrace = z.infer<typeof ReadTrace>;
