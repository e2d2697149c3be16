import type { StateFile } from "@/lib/schema/traces/run-state";
import type { Database } from "@/lib/server/platform/db/database";
import {
  type FileThen,
  selectFilesThen,
  selectFirstLeft,
} from "@/lib/server/platform/db/queries/workspaces/files-then";

/** A file of the state, with its version as it is stored. */
export interface StoredStateFile extends StateFile {
  readonly version: number;
}

interface FilesThen {
  readonly files: readonly StoredStateFile[];
  readonly hasMore: boolean;
}

interface RunOfState {
  readonly id: string;
  readonly rootRunId: string | null;
}

const MAX_FILES = 5_000;

/** The files of the workspace after its change `seq`, by path; the run's own say at which of its steps they changed. */
export async function filesThen(
  database: Database,
  run: RunOfState,
  moment: { readonly workspaceId: string; readonly seq: number },
): Promise<FilesThen> {
  const [known, later] = await Promise.all([
    selectFilesThen(database, moment, MAX_FILES + 1),
    selectFirstLeft(database, moment, MAX_FILES + 1),
  ]);
  const stepOf = await stepsOfTree(database, run, known);
  const kept = known.map((file) => ({ ...toFile(file), changedAtStep: stepOf(file) }));
  const originals = later.filter(({ isOriginal }) => isOriginal).map((file) => toFile(file));
  const cleaned = later.filter(({ version }) => version > 1).map((file) => ({ ...toFile(file), ...CLEANED_UP }));
  const files = [...kept, ...originals, ...cleaned].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { files: files.slice(0, MAX_FILES), hasMore: files.length > MAX_FILES };
}

const CLEANED_UP = { sha256: null, sizeBytes: null, isKept: false };

function toFile({ path, version, blobHash, sizeBytes, keptHash }: FileThen): StoredStateFile {
  return { path, version, sha256: blobHash, sizeBytes, changedAtStep: null, isKept: keptHash !== null };
}

/** Finds the step of the run at which a file of it or of one of its subagents changed; null for all others. */
async function stepsOfTree(
  database: Database,
  { id, rootRunId }: RunOfState,
  files: readonly FileThen[],
): Promise<(file: FileThen) => number | null> {
  const others = new Set(files.flatMap(({ runId }) => (runId === null || runId === id ? [] : [runId])));
  const ownStep = (file: FileThen) => (file.runId === id ? file.step : null);
  if (others.size === 0) return ownStep;
  const [runs, calls] = await Promise.all([
    database.run.findMany({
      where: { rootRunId: rootRunId ?? id },
      select: { id: true, parentRunId: true, parentToolCallId: true },
    }),
    database.call.findMany({ where: { runId: id }, select: { toolCallId: true, step: true } }),
  ]);
  const parents = new Map(runs.map((run) => [run.id, run]));
  const steps = new Map(calls.map(({ toolCallId, step }) => [toolCallId, step]));
  const stepOfChild = (runId: string | null): number | null => {
    const run = parents.get(runId ?? "");
    if (!run) return null;
    if (run.parentRunId === id) return steps.get(run.parentToolCallId ?? "") ?? null;
    return stepOfChild(run.parentRunId);
  };
  return (file) => ownStep(file) ?? stepOfChild(file.runId);
}
