import type { TracePort } from "@/lib/server/engine/ports";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { claimThread, releaseThread, releaseThreads, renewThread } from "@/lib/server/platform/db/queries/threads";
import { logger } from "@/lib/server/platform/logger";

/** As with runs: a dead holder is detected quickly, however long a compaction takes. */
const LEASE = { leaseMs: 15_000, renewMs: 5_000 };

/**
 * Runs `work` while only this caller, in any process, may compact the thread. Returns null without waiting if the
 * thread is already being compacted. A holder that dies keeps the lock for `leaseMs` at most.
 */
export async function withThreadLock<Result>(
  database: Database,
  threadId: string,
  work: (owner: string) => Promise<Result>,
  { leaseMs, renewMs } = LEASE,
): Promise<Result | null> {
  const owner = await lockThread(database, threadId, leaseMs);
  if (owner === null) return null;
  const timer = setInterval(() => {
    renewThread(database, { threadId, owner, holdMs: leaseMs }).catch((error: unknown) =>
      logger().warn({ err: error, threadId }, "could not renew the lock of a compaction"),
    );
  }, renewMs);
  try {
    return await work(owner);
  } finally {
    clearInterval(timer);
    await releaseThread(database, threadId, owner);
  }
}

/** Locks the thread for compaction for `holdMs`. Null if another holder has the lock. */
export async function lockThread(database: Database, threadId: string, holdMs: number): Promise<string | null> {
  const owner = createId("cmp");
  return (await claimThread(database, { threadId, owner, holdMs })) ? owner : null;
}

/**
 * Releases the locks of dead processes and closes the spans of their compactions: `all` when the only process that uses
 * the database starts, otherwise the expired ones.
 */
export async function unlockDeadThreads(
  database: Database,
  whose: "all" | "expired",
  traces: Pick<TracePort, "endLateSpans">,
): Promise<void> {
  for (const threadId of await releaseThreads(database, whose)) await traces.endLateSpans(threadId);
}
