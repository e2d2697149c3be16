import type { RunRow } from "@/lib/server/platform/db/queries/runs";

/** A run claimed by this process, with its row after the claim. */
export type ClaimedRun = RunRow;

interface WaitingRun {
  readonly segment: number;
  readonly waitedMs: number;
  readonly waitingSince: Date | null;
}

/** The columns that queue a waiting run for its next segment; the time it waited does not count. */
export function requeueColumns({ segment, waitedMs, waitingSince }: WaitingRun) {
  const waited = waitingSince === null ? 0 : Math.max(0, Date.now() - waitingSince.getTime());
  const status = "queued" as const;
  return { status, segment: segment + 1, waitingFor: null, waitingSince: null, waitedMs: waitedMs + waited };
}
