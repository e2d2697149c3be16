import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import type { ClaimedRun } from "./claimed-run";

/** After these events the run waits; `waitedMs` counts that time. */
const PAUSES: readonly string[] = ["run.waiting", "interrupt.decided"];

/**
 * How much of its time limit the run has used: the time since its start, except while it waited, while no process had
 * it, or while its machine slept. `before` are the events of earlier segments.
 */
export function workedMs(
  { startedAt, waitedMs }: Pick<ClaimedRun, "startedAt" | "waitedMs">,
  before: readonly StoredRunEvent[],
  nowMs: number,
): number {
  const sinceStartMs = nowMs - (startedAt?.getTime() ?? nowMs);
  // A clock that was set back must not give a negative time.
  return Math.max(0, sinceStartMs - waitedMs - abandonedMs(before, nowMs));
}

/** The sum of the times between the last event of an interrupted segment and the start of the next one. */
function abandonedMs(before: readonly StoredRunEvent[], nowMs: number): number {
  const starts = before.flatMap(({ event, at }, index) => (event.type === "run.started" ? [{ index, at }] : []));
  return [...starts, { index: before.length, at: nowMs }].reduce((sumMs, { index, at }) => {
    const last = before[index - 1];
    const isCut = last !== undefined && !PAUSES.includes(last.event.type);
    return isCut ? sumMs + Math.max(0, at - last.at) : sumMs;
  }, 0);
}

const CHECK_MS = 5_000;
/** If the machine has not slept, the clocks differ by less than this. */
const LEAST_MS = 1_000;

/**
 * Adds to the run's waiting time what the wall clock has advanced while timers stood still: a laptop slept, or its
 * clock was set. Call the result when the segment has stopped; it resolves when everything is stored.
 */
export function watchSleep(database: Database, { id, epoch }: Pick<ClaimedRun, "id" | "epoch">): () => Promise<void> {
  let aheadMs = Date.now() - performance.now();
  let storing: Promise<unknown> = Promise.resolve();
  const check = () => {
    const now = Date.now() - performance.now();
    const sleptMs = Math.round(now - aheadMs);
    if (sleptMs < LEAST_MS) return;
    aheadMs = now;
    const data = { waitedMs: { increment: sleptMs } };
    const stored = database.run.updateMany({ where: { id, epoch }, data });
    storing = Promise.all([storing, stored]).catch((error: unknown) =>
      logger().warn({ err: error, runId: id, sleptMs }, "could not record how long the machine slept"),
    );
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return async () => {
    clearInterval(timer);
    check();
    await storing;
  };
}
