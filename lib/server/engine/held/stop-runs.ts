import { hasEnded, OPEN_STATUSES, type RunStatus } from "@/lib/schema/runs/run";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { cancelRun, type WhichRuns } from "@/lib/server/engine/ending/cancel";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { holdQueued } from "@/lib/server/engine/queue/hold-queue";
import { isInQueue, toQueuedMessage } from "@/lib/server/engine/queue/queued-message";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";

/** What a stop did. */
export interface Stopped {
  /** How many runs were asked to end. */
  readonly cancelled: number;
  /** How many queued messages are now held; absent for none. */
  readonly held?: number;
}

/**
 * A person stops these runs (D-96): what is under way ends, as does what nobody wrote, and the messages that people
 * have queued in those threads are held.
 */
export async function stopRuns(database: Database, which: WhichRuns, by: string): Promise<Stopped> {
  // Read before anything is held: a message that arrives from now on begins at once.
  const open = await database.run.findMany({
    where: { ...which, status: { in: [...OPEN_STATUSES] }, heldAt: null },
    select: { id: true, threadId: true },
    orderBy: [{ createdAt: "desc" }, { position: "desc" }],
  });
  const held = new Set<string>();
  for (const threadId of new Set(open.map((run) => run.threadId)))
    for (const id of await holdQueued(database, { threadId, ownerId: which.ownerId })) held.add(id);
  const stopped = open.filter(({ id }) => !held.has(id));
  for (const { id } of stopped) await cancelRun(database, id, by);
  return outcome(stopped.length, held.size);
}

function outcome(cancelled: number, held: number): Stopped {
  return { cancelled, ...(held === 0 ? {} : { held }) };
}

/**
 * A person stops one run, and with it the queue behind it. A message that still waits behind another run is only
 * withdrawn; a run that has ended, or was asked to, is left alone.
 */
export async function stopRun(database: Database, runId: string, by: string): Promise<Stopped> {
  const run = await database.run.findUnique({ where: { id: runId } });
  if (!run || hasEnded(run.status as RunStatus)) return { cancelled: 0 };
  const held = await holdBehind(database, run);
  if (held.includes(runId)) await lookForNext(database, runId);
  else await cancelRun(database, runId, by);
  return outcome(held.includes(runId) ? 0 : 1, held.length);
}

/** The ids of the runs that are now held, which may be the run itself. */
async function holdBehind(database: Database, run: RunRow): Promise<readonly string[]> {
  const { threadId, parentRunId, status, epoch, heldAt } = run;
  if (heldAt !== null || parentRunId !== null || run.cancelRequestedAt !== null) return [];
  const isQueued = status === "queued" && epoch === 0 && isInQueue(toQueuedMessage(run));
  return isQueued && (await isBehind(database, run)) ? [] : holdQueued(database, { threadId });
}

/** Whether another run of the thread is under way or comes first. */
async function isBehind(
  database: Database,
  { id, threadId, position }: { readonly id: string; readonly threadId: string; readonly position: number },
): Promise<boolean> {
  const before = { OR: [{ status: { not: "queued" } }, { position: { lt: position } }] };
  const where = { threadId, id: { not: id }, endedAt: null, heldAt: null, parentRunId: null, ...before };
  return (await database.run.count({ where })) > 0;
}

/** What a trigger has queued behind messages that are now held may begin. */
async function lookForNext(database: Database, runId: string): Promise<void> {
  await dispatcherOf(database).dispatchNext(runId);
  announceQueued();
}
