import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { runsOfTree } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { requireWritableThread } from "@/lib/server/threads/thread-row";
import { AUTOMATION_USER_ID } from "@/lib/server/triggers/webhooks/automation-user";
import { runNotFound } from "@/lib/server/views/get-run";

/** A run that the viewer may undo, with its subagents' runs. */
export interface RunToUndo {
  readonly run: ClaimedRun;
  /** The run first. */
  readonly tree: readonly ClaimedRun[];
  /** Another writer of its project undoes the project's files, and nothing that is the owner's. */
  readonly isOwn: boolean;
}

/**
 * Whoever the run belongs to, a writer of its project, and an administrator for what the installation itself started.
 * For everybody else there is no such run. Throws `conflict` for a subagent's run: that is undone with its parent.
 */
export async function requireRunToUndo(database: Database, runId: string, viewer: Viewer): Promise<RunToUndo> {
  const run = await database.run.findFirst({
    where: { id: runId, thread: { deletedAt: null, ...homeInReach(viewer) } },
  });
  if (!run) throw runNotFound();
  const isAutomation = run.ownerId === AUTOMATION_USER_ID && hasAdminScope(viewer);
  if (!isAutomation) await requireWriter(database, run, viewer);
  if (run.parentRunId !== null) {
    throw new AppError("conflict", "A subagent’s run is undone with the run that started it.");
  }
  const tree = await runsOfTree(database, run);
  return { run, tree, isOwn: isAutomation || run.ownerId === viewer.id };
}

async function requireWriter(database: Database, run: ClaimedRun, viewer: Viewer): Promise<void> {
  const thread = await database.thread.findUnique({
    where: { id: run.threadId },
    select: { id: true, parentThreadId: true },
  });
  const writable = await requireWritableThread(database, thread?.parentThreadId ?? run.threadId, viewer).catch(
    (error: unknown) => {
      if (error instanceof AppError) throw runNotFound();
      throw error;
    },
  );
  if (run.ownerId !== viewer.id && writable.projectId === null) throw runNotFound();
}
