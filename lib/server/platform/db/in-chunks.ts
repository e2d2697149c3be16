import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

/** A chunk that takes longer is followed by a smaller one. */
const AIM_MS = 15;
const FIRST_LIMIT = 100;
const LARGEST_LIMIT = 2_000;
/** Work in chunks takes at most this share of the time. */
const SHARE = 0.2;
const SHORTEST_REST_MS = 10;
/** Shorter chunks share one rest. */
const LEAST_WORK_MS = 5;
/** While the process is busier than this, chunks wait, but not for ever. */
const BUSY_UTILIZATION = 0.7;
const BUSY_REST_MS = 250;
const LONGEST_REST_MS = 30_000;

/** How background work makes room for work that somebody waits for. */
export interface Pace {
  /** Called after each chunk; false ends the work. */
  rest(tookMs: number): Promise<boolean>;
}

/** Rests four times as long as it worked, and longer while the process is busy. `isOver` ends the work early. */
export function calmPace(isOver: () => boolean = () => false): Pace {
  let workedMs = 0;
  return {
    async rest(tookMs) {
      workedMs += tookMs;
      if (workedMs < LEAST_WORK_MS) return !isOver();
      let waitMs = Math.max(SHORTEST_REST_MS, workedMs / SHARE - workedMs);
      let restedMs = 0;
      workedMs = 0;
      for (;;) {
        const before = performance.eventLoopUtilization();
        await setTimeout(waitMs, undefined, { ref: false });
        restedMs += waitMs;
        const isBusy = performance.eventLoopUtilization(before).utilization > BUSY_UTILIZATION;
        if (isOver()) return false;
        if (!isBusy || restedMs > LONGEST_REST_MS) return true;
        waitMs = BUSY_REST_MS;
      }
    },
  };
}

/**
 * Repeats `work`, which handles up to `limit` rows and returns how many it found, until it finds fewer; the limit
 * adapts to the time that a chunk takes, starting at `firstLimit`. Returns how many rows were found in all.
 */
export async function inChunks(
  work: (limit: number) => Promise<number>,
  pace: Pace,
  firstLimit = FIRST_LIMIT,
): Promise<number> {
  let total = 0;
  let limit = firstLimit;
  for (;;) {
    const startedAt = performance.now();
    const found = await work(limit);
    const tookMs = performance.now() - startedAt;
    total += found;
    const isOver = found < limit;
    // Also after the last chunk, so that the next work begins rested.
    if (found > 0 && !(await pace.rest(tookMs))) return total;
    if (isOver) return total;
    limit = nextLimit(limit, tookMs);
  }
}

function nextLimit(limit: number, tookMs: number): number {
  const wanted = Math.floor((limit * AIM_MS) / Math.max(tookMs, 0.1));
  return Math.max(1, Math.min(wanted, 2 * limit, LARGEST_LIMIT));
}
