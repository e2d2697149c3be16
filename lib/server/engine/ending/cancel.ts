import { hasEnded, OPEN_STATUSES, type RunStatus } from "@/lib/schema/runs/run";
import { reportChildren } from "@/lib/server/engine/children/report-children";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { announceCancelRequest } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { isRaceLost } from "@/lib/server/platform/db/errors";
import { logger } from "@/lib/server/platform/logger";
import { atOnce, retry } from "@/lib/server/platform/retry";
import type { homeInReach } from "@/lib/server/platform/within-reach";
import { type EndReason, endingOf, toOpenRun } from "./plan";
import { storeEnding } from "./store";

/**
 * Requests the end of a run and its child runs. A queued or waiting run ends at once; a running one as soon as its
 * process has stopped working. Idempotent: does nothing when repeated or after the end. The caller has checked who may
 * do so.
 */
export async function cancelRun(database: Database, runId: string, by: string): Promise<void> {
  await database.run.updateMany({
    where: { id: runId, status: { in: [...OPEN_STATUSES] }, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date(), cancelledBy: by },
  });
  const run = await database.run.findUnique({ where: { id: runId } });
  if (!run || hasEnded(run.status as RunStatus)) return;
  const asked = run.cancelledBy ?? by;
  const isOver = run.status !== "running" && (await endUnclaimedRun(database, runId, reasonOf(run.status, asked)));
  if (!isOver) announceCancelRequest(runId, asked);
  await cancelChildren(database, runId, by);
  if (isOver) {
    await wakeParents(database);
    await reportChildren(database);
  }
}

function reasonOf(status: string, by: string): EndReason {
  return status === "waiting" ? { kind: "undecided", by, why: "cancelled" } : { kind: "cancelled", by };
}

/** Cancels every run started by `runId` that has not ended, recursively. */
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

const MAX_RETRIES = 4;

/**
 * Ends a run that no process executes, with the contents of its journal. False if the run has left the state that
 * `reason` refers to, because it was claimed or decided on in the meantime; then nothing is stored.
 */
export async function endUnclaimedRun(database: Database, runId: string, reason: EndReason): Promise<boolean> {
  const expected = reason.kind === "undecided" ? "waiting" : "queued";
  const end = async () => {
    const row = await database.run.findUnique({ where: { id: runId } });
    if (row?.status !== expected) return false;
    const run = toOpenRun(row);
    const stored = await readAllEvents(database, runId);
    const events = stored.map(({ event }) => event);
    return storeEnding(database, { run, ending: endingOf(reason, run, events), stored, todos: null });
  };
  const hasEndedIt = await retry(end, { when: isRaceLost, delays: atOnce(MAX_RETRIES) });
  if (hasEndedIt) await dispatchNext(database, runId);
  return hasEndedIt;
}

/**
 * No process executes the run, so no dispatcher looks for the next of its thread. A failure does not affect the ended
 * run: the next one is also looked for every minute.
 */
async function dispatchNext(database: Database, runId: string): Promise<void> {
  await dispatcherOf(database)
    .dispatchNext(runId)
    .catch((error: unknown) => logger().warn({ err: error, runId }, "could not dispatch the next run of a thread"));
}

/** What the runs to stop have in common; empty for all runs. */
export interface WhichRuns {
  readonly id?: string;
  readonly threadId?: string;
  readonly ownerId?: string;
  readonly projectId?: string;
  readonly thread?: ReturnType<typeof homeInReach>;
  /** Null: runs started by people, with any runs that those started. */
  readonly parentRunId?: null;
  /** Null: held messages stay. */
  readonly heldAt?: null;
}

/** Cancels those of these runs that have not ended, latest first; returns how many were asked to end. */
export async function cancelOpenRuns(database: Database, which: WhichRuns, by: string): Promise<number> {
  const open = await database.run.findMany({
    where: { ...which, status: { in: [...OPEN_STATUSES] } },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { position: "desc" }],
  });
  for (const { id } of open) await cancelRun(database, id, by);
  return open.length;
}
