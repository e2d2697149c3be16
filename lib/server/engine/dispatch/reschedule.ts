import { RunSuspended } from "@/lib/agent/run-cancelled";
import { AppError } from "@/lib/schema/app-error";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { SegmentOutcome } from "@/lib/server/engine/dispatch/run-dispatcher";
import { LeaseLost, ShuttingDown } from "@/lib/server/engine/lease-lost";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy } from "@/lib/server/platform/db/errors";
import { type HeldRun, letGoStatements } from "@/lib/server/platform/db/queries/dispatch/claims";
import { doubling, retry } from "@/lib/server/platform/retry";

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/**
 * Whether the run continues elsewhere or later: suspended, or the database became unavailable before its log noticed.
 */
export function isPutOff(error: unknown): boolean {
  return error instanceof RunSuspended || (!(error instanceof AppError) && isBusy(error));
}

/**
 * Gives the run back, unless another process has taken it over. Neither a process that is ending nor a database that
 * does not answer counts as a crash.
 */
export async function reschedule(
  database: Database,
  run: ClaimedRun,
  reason: unknown,
  signal: AbortSignal,
): Promise<SegmentOutcome> {
  await letGo(database, run, signal);
  return reason instanceof LeaseLost ? "done" : "requeue";
}

/**
 * This process no longer executes the run, and is alive: no claim of it counts as a crash. Waits for the database,
 * however long it is away: until then whoever takes the run over must think that this process has died.
 */
export async function letGo(database: Database, held: HeldRun, signal: AbortSignal): Promise<void> {
  const mayWait = (error: unknown) => isBusy(error) && !(signal.reason instanceof ShuttingDown);
  const store = () => database.runAll(letGoStatements(held), "full");
  await retry(store, { when: mayWait, delays: doubling(FIRST_WAIT_MS, LONGEST_WAIT_MS) });
}
