import { z } from "zod";
import { FilePath } from "@/lib/schema/files/workspace-file";
import { Todo } from "@/lib/schema/runs/todo";

/** Model calls count from 1; the number after the last is the end of the run. */
const Step = z.coerce.number().int().min(1).max(1_000_000);

export const RunStateQuery = z.strictObject({ step: Step });
export const RunStateFileQuery = RunStateQuery.extend({ path: FilePath.min(1) });
export type RunStateFileQuery = z.infer<typeof RunStateFileQuery>;

const StateFile = z.object({
  path: z.string(),
  /** Hash and size are null if the version of then was cleaned up. */
  sha256: z.string().nullable(),
  sizeBytes: z.number().nullable(),
  /** The step of this run that wrote it, itself or through a subagent; null if it was there before or came from elsewhere. */
  changedAtStep: z.number().nullable(),
  /** Whether its content can still be read. */
  isKept: z.boolean(),
});
export type StateFile = z.infer<typeof StateFile>;

const PART = ["todos", "files", "memory", "summary", "prompt", "tools", "rules"] as const;

/**
 * What the model of a step was about to read, besides the messages: after everything of the step before, and before its
 * own calls. A part is null if it is not known; `missing` says why, in a sentence.
 */
export const RunState = z.object({
  runId: z.string(),
  step: z.number(),
  /** The run's model calls so far; `steps` + 1 is its end, once it has ended. */
  steps: z.number(),
  todos: z.array(Todo).nullable(),
  files: z.array(StateFile).nullable(),
  /** Files beyond the first 5,000. */
  hasMoreFiles: z.boolean(),
  memory: z.array(z.object({ path: z.string(), version: z.number() })).nullable(),
  /** What stood for the older part of the conversation; null also where nothing did. */
  summary: z.string().nullable(),
  promptHash: z.string().nullable(),
  toolNames: z.array(z.string()).nullable(),
  /** The agent's permission settings; only for those who may read its prompt. */
  rules: z.record(z.string(), z.unknown()).nullable(),
  /** The ids of the grants in force. */
  grants: z.array(z.string()).nullable(),
  missing: z.array(z.object({ part: z.enum(PART), reason: z.string() })),
});
export type RunState = z.infer<typeof RunState>;
export type MissingPart = RunState["missing"][number];
