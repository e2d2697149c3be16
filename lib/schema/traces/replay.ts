import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunStatus } from "@/lib/schema/runs/run";
import { RunVersion } from "@/lib/schema/runs/run-version";
import { ReplayTools } from "./replay-tools";

/** Settings of an agent that a replay may change: what they touch of the prompt is built anew, the rest is as recorded. */
const ChangedConfig = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  system_prompt: z.string().max(200_000).optional(),
  max_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
});

/**
 * What a replay changes. `results`: texts of recorded results, by the id of their call. `args`: arguments with which a
 * recorded call runs instead, under the policy of its tool.
 */
export const ReplayChanges = z
  .strictObject({
    version: z.int().positive().optional(),
    draft: z.literal(true).optional(),
    config: ChangedConfig.optional(),
    message: z.string().min(1).max(1_000_000).optional(),
    results: z.record(z.string().max(200), z.string().max(1_000_000)).optional(),
    args: z.record(z.string().max(200), z.record(z.string(), z.unknown())).optional(),
  })
  .refine(({ version, draft }) => version === undefined || draft === undefined, {
    path: ["draft"],
    error: "name a version or the draft, not both",
  });
export type ReplayChanges = z.infer<typeof ReplayChanges>;

/** POST /api/replays. `runId` is the run's id or its trace's. */
export const ReplayBody = z.strictObject({
  runId: RowId,
  fromStep: z.int().positive().default(1),
  with: ReplayChanges.optional(),
  tools: ReplayTools.prefault({}),
  /** The tools that really run although they do more than read: each has to be named. */
  confirmLive: z.array(z.string().min(1).max(200)).max(500).default([]),
  /** Whether what a person decided about a recorded call also holds for the same call. */
  reuse_decisions: z.boolean().default(false),
  repeat: z.int().min(1).max(10).default(1),
});
export type ReplayBody = z.infer<typeof ReplayBody>;

export const StartedReplay = z.object({ replayId: z.string(), runIds: z.array(z.string()) });
export type StartedReplay = z.infer<typeof StartedReplay>;

const ReplayRun = z.object({
  runId: z.string(),
  traceId: z.string().nullable(),
  status: RunStatus,
  /** As in a comparison with the recording, from the replay's first step on; null while it runs, and if nothing differs. */
  firstDifference: z.object({ step: z.number() }).nullable(),
  /** Whether it made the recorded calls, in their order; null until it has ended. */
  sameCalls: z.boolean().nullable(),
  error: z.string().nullable(),
  costUsd: z.number().nullable(),
  workedMs: z.number().nullable(),
});
export type ReplayRun = z.infer<typeof ReplayRun>;

const Same = z.object({ runs: z.number(), of: z.number() });

/**
 * One run's share of a row: the recorded call; other arguments; the call not made; a call that the recording has not;
 * the latter not made. `open`: the run has not ended.
 */
export const ReplayCell = z.enum(["same", "differs", "missing", "new", "absent", "open"]);
export type ReplayCell = z.infer<typeof ReplayCell>;

/**
 * change: every changed run differs, and no unchanged one. chance: unchanged runs differ as often. unknown: neither can
 * be said.
 */
export const ReplayWhy = z.enum(["same", "change", "chance", "unknown"]);
export type ReplayWhy = z.infer<typeof ReplayWhy>;

/** A call, or the answer, of one step, across the recording and all runs. */
const ReplayRow = z.object({
  step: z.number(),
  kind: z.enum(["call", "answer"]),
  tool: z.string(),
  gist: z.string(),
  isRecorded: z.boolean(),
  unchanged: z.array(ReplayCell),
  changed: z.array(ReplayCell),
  why: ReplayWhy,
});
export type ReplayRow = z.infer<typeof ReplayRow>;

const Range = z.object({ from: z.number(), to: z.number() });

const ReplayTotal = z.object({
  what: z.enum(["cost", "worked"]),
  recorded: z.number().nullable(),
  unchanged: Range.nullable(),
  changed: Range.nullable(),
  /** change: the ranges of at least two runs each are apart. */
  why: ReplayWhy,
});
export type ReplayTotal = z.infer<typeof ReplayTotal>;

/** GET /api/replays/{id}. Masked like a trace. */
export const Replay = z.object({
  id: z.string(),
  runId: z.string(),
  traceId: z.string(),
  title: z.string().nullable(),
  agentName: z.string(),
  agentVersion: RunVersion,
  ownerName: z.string(),
  createdAt: z.string(),
  fromStep: z.number(),
  /** The recording's model calls. */
  steps: z.number(),
  isUnchanged: z.boolean(),
  /** What was changed, in words; the prompt and results as texts only for whoever may read them. */
  changes: z.array(z.string()),
  runs: z.array(ReplayRun),
  same: Same,
  /** The newest unchanged replay of the same run that began no later; null if there is none. */
  control: z.object({ id: z.string(), runs: z.array(ReplayRun), same: Same }).nullable(),
  rows: z.array(ReplayRow),
  totals: z.array(ReplayTotal),
});
export type Replay = z.infer<typeof Replay>;

/** A tool that the step's model call offered. */
const ReplayableTool = z.object({
  name: z.string(),
  /** Whether its calls can run on a copy of the files. */
  inSandbox: z.boolean(),
  /** Whether it only reads; null if the agent has no such tool any more, so that its calls can't run. */
  readOnly: z.boolean().nullable(),
});
export type ReplayableTool = z.infer<typeof ReplayableTool>;

/** The files with which a sandbox begins. */
const ReplaySandbox = z.object({
  /** Why they can't be had, and what could be done instead; null if they can. */
  problem: z.string().nullable(),
  files: z.number(),
  /** Files of the workspace that no version knows, which a sandbox lacks; null if they can't be counted here. */
  neverVersioned: z.number().nullable(),
});
export type ReplaySandbox = z.infer<typeof ReplaySandbox>;

/** GET /api/runs/{id}/replays: the step from which it would begin; default 1. */
export const ReplayPlanQuery = z.strictObject({ step: z.coerce.number().int().positive().default(1) });

/** GET /api/runs/{id}/replays: what a replay of the run would begin with, and the replays that the viewer may see. */
export const ReplayPlan = z.object({
  runId: z.string(),
  steps: z.number(),
  /** Why the run can't be replayed from any step; null if it can. */
  problem: z.string().nullable(),
  /** The last message that started it; null for a run without one. */
  message: z.string().nullable(),
  /** Null for whoever may not read the agent's prompt. */
  systemPrompt: z.string().nullable(),
  model: z.string(),
  /** Models that may be chosen instead. */
  models: z.array(z.string()),
  version: RunVersion,
  /** Published versions that may be chosen instead, newest first, and whether the draft may; administrators only. */
  versions: z.array(z.number()),
  hasDraft: z.boolean(),
  calls: z.array(
    z.object({
      toolCallId: z.string(),
      step: z.number(),
      tool: z.string(),
      gist: z.string(),
      result: z.string(),
      /** JSON; null where it is too long to be edited. */
      args: z.string().nullable(),
    }),
  ),
  tools: z.array(ReplayableTool),
  sandbox: ReplaySandbox,
  costUsd: z.number().nullable(),
  workedMs: z.number().nullable(),
  replays: z.array(
    z.object({
      id: z.string(),
      createdAt: z.string(),
      fromStep: z.number(),
      repeat: z.number(),
      isUnchanged: z.boolean(),
    }),
  ),
});
export type ReplayPlan = z.infer<typeof ReplayPlan>;
