import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Run } from "@/lib/schema/runs/run";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { cancelOpenRuns } from "@/lib/server/engine/ending/cancel";
import { type Stopped, stopRun, stopRuns } from "@/lib/server/engine/held/stop-runs";
import type { Database } from "@/lib/server/platform/db/database";
import { runInReach } from "@/lib/server/platform/within-reach";
import { getRun, runNotFound } from "@/lib/server/views/get-run";
import { requireOwnThread } from "./thread-row";

/**
 * Stops the viewer's run, or anyone's for an admin, and holds the messages queued behind it; someone else's run is
 * `not_found`. Returns its state afterwards.
 */
export async function cancelViewersRun(database: Database, runId: string, viewer: Viewer): Promise<Run> {
  await getRun(database, runId, viewer);
  await stopRun(database, runId, viewer.id);
  return getRun(database, runId, viewer);
}

/**
 * Stops all open runs of the viewer's thread, or only the named one, and holds the messages that people have queued
 * there. `not_found` for someone else's thread, and for a run of another thread (S4 AbortRun).
 */
export async function cancelThreadRuns(
  database: Database,
  threadId: string,
  viewer: Viewer,
  runId?: string,
): Promise<Stopped> {
  await requireOwnThread(database, threadId, viewer);
  if (runId === undefined) return stopRuns(database, { threadId }, viewer.id);
  if (!(await database.run.findFirst({ where: { id: runId, threadId } }))) throw runNotFound();
  return stopRun(database, runId, viewer.id);
}

/**
 * Stops all open runs of the viewer, or everyone's (admins only, otherwise `forbidden`). A person's stop holds the
 * queued messages; that of a program ends them too (D-96). By default whoever has an API key is a program.
 */
export async function cancelAllRuns(
  database: Database,
  viewer: Viewer,
  whose: "own" | "everybody's",
  isPerson = viewer.keyId === undefined,
): Promise<Stopped> {
  if (whose === "everybody's" && !hasAdminScope(viewer)) {
    throw new AppError("forbidden", "Only an admin may stop everybody's runs.");
  }
  const which = whose === "own" ? { ownerId: viewer.id, ...runInReach(viewer) } : {};
  if (isPerson) return stopRuns(database, which, viewer.id);
  return { cancelled: await cancelOpenRuns(database, { ...which, heldAt: null }, viewer.id) };
}
