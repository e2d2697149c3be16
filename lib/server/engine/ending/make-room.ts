import { AppError } from "@/lib/schema/app-error";
import { OPEN_STATUSES } from "@/lib/schema/runs/run";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { waitsForPeople } from "@/lib/server/engine/children/run-tree";
import type { Database } from "@/lib/server/platform/db/database";
import { areQueued } from "@/lib/server/platform/db/queries/dispatch/claims";
import { isOnPath } from "@/lib/server/platform/db/queries/paths";
import { selectWaitingRuns } from "@/lib/server/platform/db/queries/runs";
import { env } from "@/lib/server/platform/env";
import { cancelChildren, cancelOpenRuns, endUnclaimedRun } from "./cancel";

/** The run that the new one follows, and whether that gives the thread branches. */
export interface Place {
  readonly afterRunId: string | null;
  readonly isBranched: boolean;
}

interface Sender {
  readonly threadId: string;
  readonly ownerId: string;
  /** What continues a run, or comes from a trigger, declines nothing. */
  readonly continues?: unknown;
  readonly trigger?: unknown;
}

/** Throws `unavailable` when the queue is so long that another run would wait too long. */
export async function requireRoom(database: Database): Promise<void> {
  if (!(await areQueued(database, env().maxQueued))) return;
  const message = "Too many runs are waiting to be executed. Nothing was stored; try again in a minute.";
  throw new AppError("unavailable", message, { details: { retryAfterSeconds: 60 } });
}

/**
 * What a message that is sent now does to the runs before it: it declines what waits there, and then does what
 * `on_busy` says. Throws `busy` where that is `reject`.
 */
export async function makeRoom(database: Database, sender: Sender, version: AgentVersion, place: Place): Promise<void> {
  if (sender.trigger) return;
  await declineWaiting(database, sender, place);
  const { threadId, ownerId } = sender;
  const { on_busy: onBusy } = version.config.threads;
  if (onBusy === "queue") return;
  const open = await database.run.findFirst({
    where: { threadId, status: { in: [...OPEN_STATUSES] }, heldAt: null },
    select: { id: true },
  });
  if (!open) return;
  if (onBusy === "reject") {
    throw new AppError("busy", "This thread has a run that has not ended yet. Wait until it has, or stop it.");
  }
  await cancelOpenRuns(database, { threadId, heldAt: null }, ownerId);
}

/**
 * A new message instead of a decision ends the runs waiting before it (D-53), whatever `on_busy` says, because nothing
 * is executing there. Runs waiting on another branch keep waiting, and the message queues behind them (D-88).
 */
async function declineWaiting(
  database: Database,
  { threadId, ownerId, continues }: Sender,
  { afterRunId, isBranched }: Place,
): Promise<void> {
  if (continues) return;
  for (const run of await selectWaitingRuns(database, threadId)) {
    // Asks waiting for another project member are that member's to decide.
    if (run.ownerId !== ownerId) continue;
    if (isBranched && !(await isOnPath(database, run.id, afterRunId))) continue;
    if (!waitsForPeople(run) && !(await hasAskingChild(database, run.id))) continue;
    await endUnclaimedRun(database, run.id, { kind: "undecided", by: ownerId, why: "new-message" });
    await cancelChildren(database, run.id, ownerId);
  }
}

/** Whether a subagent of the run, at any depth, is waiting for a person. */
async function hasAskingChild(database: Database, rootRunId: string): Promise<boolean> {
  return (await database.run.count({ where: { rootRunId, status: "waiting", OR: ASKS_A_PERSON } })) > 0;
}

const ASKS_A_PERSON = ["approval", "question", "budget", "connect"].map((kind) => ({ waitingFor: { contains: kind } }));
