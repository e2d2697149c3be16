import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Run } from "@/lib/schema/run";
import type { Viewer } from "@/lib/schema/user";
import { database } from "../db";
import { cancelRun } from "./cancel-run";
import { getRun } from "./get-run";

/** Stops the viewer's run, or anybody's for an admin; somebody else's is `not_found`. Returns it as it stands then. */
export async function cancelViewersRun(runId: string, viewer: Viewer): Promise<Run> {
  await getRun(runId, viewer);
  await cancelRun(database(), runId, viewer.id);
  return getRun(runId, viewer);
}

/** Stops all open runs of the viewer, or everybody's (admins only, else `forbidden`); returns how many there were. */
export async function cancelAllRuns(viewer: Viewer, whose: "own" | "everybody's"): Promise<number> {
  if (whose === "everybody's" && !viewer.scopes.includes("admin")) {
    throw new AppError("forbidden", "Only an admin may stop everybody's runs.");
  }
  const open = await database().run.findMany({
    where: { status: { in: ["queued", "running", "waiting"] }, ...(whose === "own" ? { ownerId: viewer.id } : {}) },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  for (const { id } of open) await cancelRun(database(), id, viewer.id);
  return open.length;
}
