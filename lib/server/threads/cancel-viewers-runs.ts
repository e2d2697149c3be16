import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Run } from "@/lib/schema/runs/run";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { cancelOpenRuns, cancelRun } from "@/lib/server/engine/ending/cancel";
import { database } from "@/lib/server/platform/db/database";
import { runInReach } from "@/lib/server/platform/within-reach";
import { getRun, runNotFound } from "@/lib/server/views/get-run";
import { requireOwnThread } from "./thread-row";

/**
 * Stops the viewer's run, or anyone's for an admin; someone else's run is `not_found`. Returns its state afterwards.
 */
export async function cancelViewersRun(runId: string, viewer: Viewer): Promise<Run> {
  await getRun(runId, viewer);
  await cancelRun(database(), runId, viewer.id);
  return getRun(runId, viewer);
}

/**
 * Stops all open runs of the viewer's thread, or only the named one; returns how many there were. `not_found` for
 * someone else's thread, and for a run of another thread (S4 AbortRun).
 */
export async function cancelThreadRuns(threadId: string, viewer: Viewer, runId?: string): Promise<number> {
  await requireOwnThread(threadId, viewer);
  if (runId !== undefined && !(await database().run.findFirst({ where: { id: runId, threadId } }))) throw runNotFound();
  return cancelOpenRuns(database(), { threadId, ...(runId === undefined ? {} : { id: runId }) }, viewer.id);
}

/**
 * Stops all open runs of the viewer, or everyone's (admins only, otherwise `forbidden`); returns how many there were.
 */
export async function cancelAllRuns(viewer: Viewer, whose: "own" | "everybody's"): Promise<number> {
  if (whose === "everybody's" && !hasAdminScope(viewer)) {
    throw new AppError("forbidden", "Only an admin may stop everybody's runs.");
  }
  return cancelOpenRuns(database(), whose === "own" ? { ownerId: viewer.id, ...runInReach(viewer) } : {}, viewer.id);
}
