import type { PendingReason } from "@/lib/agent/tool";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/run-event";
import type { Database } from "../db";
import { encodeRunEvent } from "./encode-event";
import { type HeldRun, isNotFound, withRetry } from "./finish-run";
import { LeaseLost } from "./lease-lost";
import { announceRows } from "./run-signal";

interface Pause {
  readonly run: HeldRun;
  readonly waitingFor: readonly PendingReason[];
  /** The number of the run's last stored row. */
  readonly lastSeq: number;
  /** What the log says of it (`run.waiting`); nothing while only child runs are waited for. */
  readonly events: readonly RunEvent[];
}

/**
 * Lets go of a run whose calls wait for people or child runs: from now on it is a row, held by nobody, until somebody
 * calls `requeueData` on it. Throws LeaseLost when the run is not in the expected state any more.
 */
export async function pauseRun(database: Database, { run, waitingFor, lastSeq, events }: Pause): Promise<void> {
  const now = new Date();
  const rows: StoredRunEvent[] = events.map((event, index) => ({
    runId: run.id,
    seq: lastSeq + 1 + index,
    at: now.getTime(),
    event,
  }));
  await withRetry(async () => {
    try {
      await database.$transaction([
        database.run.update({
          where: { id: run.id, status: run.status, epoch: run.epoch },
          data: {
            status: "waiting",
            waitingFor: waitingFor.join(","),
            waitingSince: now,
            leaseOwner: null,
            leaseUntil: null,
          },
          select: { id: true },
        }),
        database.runEvent.createMany({
          data: rows.map(({ event, at, ...row }) => ({
            ...row,
            epoch: run.epoch,
            type: event.type,
            data: encodeRunEvent(event),
            createdAt: new Date(at),
          })),
        }),
      ]);
    } catch (error) {
      if (isNotFound(error)) throw new LeaseLost();
      throw error;
    }
  });
  if (rows.length > 0) announceRows(run.id, rows);
}

interface WaitingRun {
  readonly segment: number;
  readonly waitedMs: number;
  readonly waitingSince: Date | null;
}

/** The columns that make a waiting run a queued one, whose next segment begins; the time it waited does not count. */
export function requeueData({ segment, waitedMs, waitingSince }: WaitingRun) {
  const waited = waitingSince === null ? 0 : Math.max(0, Date.now() - waitingSince.getTime());
  const status = "queued" as const;
  return { status, segment: segment + 1, waitingFor: null, waitingSince: null, waitedMs: waitedMs + waited };
}
