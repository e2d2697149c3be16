import type { RunRow } from "@/lib/server/platform/db/queries/runs";

/** A run that this process has claimed, with its row after the claim. */
export type ClaimedRun = RunRow;

interface WaitingRun {
  readonly segment: number;
  readonly waitedMs: number;
  readonly waitingSince: Date | null;
}

/**
 * The columns that turn a waiting run into a queued one, whose next segment begins; the time it waited does not
 * count.
 */
export function requeueColumns({ segment, waitedMs, waitingSince }: WaitingRun) {
  const waited = waitingSince === null ? 0 : Math.max(0, Date.now() - waitingSince.getTime());
  const status = "queued" as const;
  return { status, segment: segment + 1, waitingFor: null, waitingSince: null, waitedMs: waitedMs + waited };
}
