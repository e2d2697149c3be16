import { z } from "zod";
import { RunStatus } from "@/lib/schema/runs/run";
import { RunVersion } from "@/lib/schema/runs/run-version";

export const CompareQuery = z.strictObject({ a: z.string().min(1).max(100), b: z.string().min(1).max(100) });

/** One of the two runs. */
const Side = z.object({
  traceId: z.string(),
  runId: z.string(),
  title: z.string().nullable(),
  agentName: z.string(),
  agentVersion: RunVersion,
  ownerName: z.string(),
  status: RunStatus,
  startedAt: z.string(),
  workedMs: z.number(),
  waitedMs: z.number(),
  /** Null if they are not known. */
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  modelCalls: z.number(),
  toolCalls: z.number(),
  /** False: its messages were removed; only what is stored of its calls is compared. */
  hasMessages: z.boolean(),
});
export type CompareSide = z.infer<typeof Side>;

/** A text of each run; null where only the other has one. Long ones are cut to the part that differs. */
const Texts = z.object({ same: z.boolean(), a: z.string().nullable(), b: z.string().nullable() });
export type ComparedTexts = z.infer<typeof Texts>;

const Call = z.object({
  toolCallId: z.string(),
  spanId: z.string().nullable(),
  gist: z.string(),
  status: z.string(),
  durationMs: z.number().nullable(),
});
export type ComparedCallSide = z.infer<typeof Call>;

/** Calls of the same tool with the same arguments, else in the same place; null where only the other run made one. */
const ComparedCall = z.object({
  tool: z.string(),
  same: z.boolean(),
  a: Call.nullable(),
  b: Call.nullable(),
  args: Texts,
  result: Texts,
});
export type ComparedCall = z.infer<typeof ComparedCall>;

const Step = z.object({
  workedMs: z.number().nullable(),
  costUsd: z.number().nullable(),
  tokens: z.number().nullable(),
});
export type ComparedStepSide = z.infer<typeof Step>;

/** `same`: the same answer and the same calls with the same results in the same order. */
const ComparedStep = z.object({
  step: z.number(),
  same: z.boolean(),
  a: Step.nullable(),
  b: Step.nullable(),
  answer: Texts,
  thought: Texts,
  calls: z.array(ComparedCall),
  /** Whether the calls that both made came in another order. */
  isReordered: z.boolean(),
  /** Whether the whole prompt and the tools that it was sent with are the same; null where that was not recorded. */
  samePrompt: z.boolean().nullable(),
  sameTools: z.boolean().nullable(),
});
export type ComparedStep = z.infer<typeof ComparedStep>;

/** Two runs side by side, one step per model call, from 1. Subagents' runs are not compared, only the calls of them. */
export const ComparedRuns = z.object({
  a: Side,
  b: Side,
  /** The agents' settings as YAML; only for administrators. */
  config: Texts.nullable(),
  message: Texts,
  steps: z.array(ComparedStep),
  /** How the runs ended, where that is worth saying. */
  end: Texts,
  firstDifference: z.object({ step: z.number() }).nullable(),
});
export type ComparedRuns = z.infer<typeof ComparedRuns>;
