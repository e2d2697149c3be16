import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { ReplaySandbox } from "@/lib/schema/traces/replay";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { backendOf, placeOf } from "@/lib/server/file-access/run-workspace";
import { readBlob } from "@/lib/server/files/blobs";
import { type OpenWorkspace, openWorkspace } from "@/lib/server/files/open-workspace";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { selectWorkspaceFiles } from "@/lib/server/platform/db/queries/workspaces/files";
import { filesThen, type StoredStateFile } from "@/lib/server/traces/state/state-files";

/** A step of a recorded run: its files are those with which the step began. */
export interface StepOfRun {
  readonly run: RunRow;
  readonly step: number;
}

/**
 * Checks that a sandbox can begin with the files of a step. Throws `conflict` with what is missing, and what could be
 * done instead.
 */
export async function requireSandbox(db: Database, of: StepOfRun): Promise<void> {
  await requireFiles(db, of);
}

/** The files with which a step began. Throws `conflict` with what is missing, and what could be done instead. */
async function requireFiles(db: Database, { run, step }: StepOfRun): Promise<readonly StoredStateFile[]> {
  const row = await db.runStep.findUnique({ where: { runId_step: { runId: run.id, step } } });
  if (row !== null && row.workspaceId === null) return [];
  if (row?.workspaceId == null || row.readSeq === null) {
    throw new AppError("conflict", `The files of step ${step} were not recorded. ${INSTEAD}`);
  }
  if ((await db.workspace.count({ where: { id: row.workspaceId } })) === 0) {
    throw new AppError("conflict", `The files of step ${step} have been deleted. ${INSTEAD}`);
  }
  const { files, hasMore } = await filesThen(db, run, { workspaceId: row.workspaceId, seq: row.readSeq });
  if (hasMore) throw new AppError("conflict", `Step ${step} had more than 5,000 files. ${INSTEAD}`);
  const gone = files.filter(({ isKept, sha256 }) => !isKept || sha256 === null);
  if (gone.length > 0) throw new AppError("conflict", `${goneText(gone, step)} ${INSTEAD}`);
  return files;
}

const INSTEAD = "Use the recorded results instead of the sandbox.";
const MOST_NAMED = 5;

function goneText(gone: readonly StoredStateFile[], step: number): string {
  const names = gone.slice(0, MOST_NAMED).map(({ path }) => path);
  const more = gone.length - names.length;
  const listed = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `What these files were at step ${step} has been cleaned up: ${listed}.`;
}

/** What a sandbox that begins with this step would have, and what it would lack. */
export async function describeSandbox(db: Database, of: StepOfRun, config: AgentConfig): Promise<ReplaySandbox> {
  try {
    const files = await requireFiles(db, of);
    return { problem: null, files: files.length, neverVersioned: await countNeverVersioned(db, of.run, config) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "conflict")) throw error;
    return { problem: error.message, files: 0, neverVersioned: null };
  }
}

const MOST_COUNTED = 10_000;

/** Files that are in the run's workspace now and have no version. */
async function countNeverVersioned(db: Database, run: RunRow, config: AgentConfig): Promise<number | null> {
  const backend = backendOf(run, config);
  if (backend === null) return 0;
  const opened = await openWorkspace(db, backend, await placeOf(db, run)).catch(unlessElsewhere);
  if (opened === null) return null;
  const { files } = await opened.workspace.glob("**", "", MOST_COUNTED);
  const known = await db.fileVersion.findMany({
    where: { workspaceId: opened.id },
    distinct: ["path"],
    select: { path: true },
  });
  const versioned = new Set(known.map(({ path }) => path));
  return files.filter((path) => !versioned.has(path)).length;
}

function unlessElsewhere(error: unknown): null {
  if (error instanceof AppError && error.code === "unavailable") return null;
  throw error;
}

/**
 * Puts the files with which the recorded step began into the files of the replay's run, until the run has begun to act
 * on them. Throws `conflict` if some are no longer kept.
 */
export async function fillScratch(db: Database, run: ClaimedRun, config: AgentConfig, of: StepOfRun): Promise<void> {
  const backend = backendOf(run, config);
  if (backend === null || !(await isUntouched(db, run))) return;
  const files = await requireFiles(db, of);
  const opened = await openWorkspace(db, backend, await placeOf(db, run));
  if (opened.root === null) await addRows(db, opened, files);
  else await writeFiles(db, opened, files);
}

/** A subagent with files of its own gets them once: the first one of its agent. Others share those that are there. */
async function isUntouched(db: Database, run: ClaimedRun): Promise<boolean> {
  if ((await db.runEvent.count({ where: { runId: run.id, type: "tool.intent" } })) > 0) return false;
  if (run.parentRunId === null) return true;
  const first = await db.run.findFirst({
    where: {
      replayId: run.replayId,
      agentId: run.agentId,
      OR: [{ id: run.rootRunId ?? "" }, { rootRunId: run.rootRunId }],
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return first?.id === run.id;
}

async function addRows(db: Database, { id: workspaceId }: OpenWorkspace, files: readonly StoredStateFile[]) {
  const there = new Set((await selectWorkspaceFiles(db, workspaceId)).map(({ path }) => path));
  const updatedAt = new Date();
  const rows = files.flatMap(({ path, sha256, sizeBytes }) =>
    sha256 === null || there.has(path)
      ? []
      : [{ workspaceId, path, blobHash: sha256, sizeBytes: sizeBytes ?? 0, updatedAt }],
  );
  if (rows.length > 0) await db.workspaceFile.createMany({ data: rows });
}

async function writeFiles(db: Database, { workspace }: OpenWorkspace, files: readonly StoredStateFile[]) {
  for (const { path, sha256 } of files) {
    const bytes = sha256 === null ? null : await readBlob(db, sha256);
    if (bytes !== null) await workspace.write(path, bytes);
  }
}
