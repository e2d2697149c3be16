import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { lostOwnersOf, progressStatement } from "@/lib/server/platform/db/queries/dispatch/claims";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** How many processes may die in a row while they execute a run, without a finished step in between. */
const MOST_LOST = 3;
/** For a run that blocks every process for longer than its lease: each lives, and none gets anywhere. */
const MOST_TAKEOVERS = 50;

export function isTakenOverTooOften(run: Pick<ClaimedRun, "lostOwners" | "takeovers">): boolean {
  return lostOwnersOf(run).length > MOST_LOST || run.takeovers > MOST_TAKEOVERS;
}

const NOTHING: readonly SqlStatement[] = [];

/**
 * What is stored with a row of a segment whose run was taken over: once the segment has finished a step of its own, the
 * processes that were lost before no longer count. A reply alone is not a finished step: the call that it asks for may
 * be what ends the process, each time. The next step begins when all its calls have results.
 */
export function progressOf(run: ClaimedRun): (row: StoredRunEvent) => readonly SqlStatement[] {
  if (run.lostOwners === null) return () => NOTHING;
  let replied: number | null = null;
  let isCleared = false;
  return ({ event }) => {
    if (event.type === "model.completed") replied ??= event.step;
    const isProgress = event.type === "model.started" && replied !== null && event.step > replied;
    if (isCleared || !isProgress) return NOTHING;
    isCleared = true;
    return [progressStatement(run)];
  };
}
