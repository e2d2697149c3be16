import { hasEnded, OPEN_STATUSES, type RunStatus } from "@/lib/schema/run";
import { reportChildren } from "@/lib/server/engine/children/report-children";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import { isLeaseLost } from "@/lib/server/engine/lease-lost";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { announceCancelRequest } from "@/lib/server/engine/log/signals";
import type { ClaimedRun } from "@/lib/server/engine/queue";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { endWaitingRun, UNDECIDED } from "./end-waiting-run";
import { finishRun } from "./finish-run";
import { toHeldRun } from "./held-run";
import { endingOfJournal } from "./run-ending";

/**
 * Asks for the end of a run and of its child runs. A queued or waiting one ends here and now; a running one as
 * soon as its process has stopped what it was doing. Idempotent: asked again, or after the end, nothing happens. The caller has checked who may do so.
 */
export async function cancelRun(database: Database, runId: string, by: string): Promise<void> {
  await database.run.updateMany({
    where: { id: runId, status: { in: [...OPEN_STATUSES] }, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date(), cancelledBy: by },
  });
  const run = await database.run.findUnique({ where: { id: runId } });
  if (!run || hasEnded(run.status as RunStatus)) return;
  if (run.status === "running") announceCancelRequest(runId, run.cancelledBy ?? by);
  else if (run.status === "waiting") await endWaitingRun(database, runId, run.cancelledBy ?? by, UNDECIDED.cancelled);
  else await endUnheld(database, run, by);
  await cancelChildren(database, runId, by);
  if (run.status !== "running") {
    await wakeParents(database);
    await reportChildren(database);
  }
}

/** Cancels every run that `runId` has started and that has not ended, and so on. */
export async function cancelChildren(
  database: Database,
  runId: string,
  by: string,
  only: { readonly isBackground?: boolean } = {},
): Promise<void> {
  const children = await database.run.findMany({
    where: { ...only, parentRunId: runId, endedAt: null },
    select: { id: true },
  });
  for (const { id } of children) await cancelRun(database, id, by);
}

/** Ends a run that no process holds: what its journal has is what it leaves. */
async function endUnheld(database: Database, run: ClaimedRun, by: string): Promise<void> {
  const runId = run.id;
  const { messages } = RunInput.parse(JSON.parse(run.input));
  const events = await readAllEvents(database, runId);
  const ending = endingOfJournal(runId, messages, events, { type: "run.cancelled", by });
  try {
    await finishRun(database, { run: toHeldRun(run), ending, events, todos: null });
  } catch (error) {
    if (!isLeaseLost(error)) throw error;
    announceCancelRequest(runId, by);
  }
}

/** What the runs to be stopped have in common; empty: all runs that there are. */
interface WhichRuns {
  readonly id?: string;
  readonly threadId?: string;
  readonly ownerId?: string;
}

/** Cancels these runs as far as they have not ended, the latest first; returns how many were asked. */
export async function cancelOpenRuns(database: Database, which: WhichRuns, by: string): Promise<number> {
  const open = await database.run.findMany({
    where: { ...which, status: { in: [...OPEN_STATUSES] } },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  for (const { id } of open) await cancelRun(database, id, by);
  return open.length;
}
