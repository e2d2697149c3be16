import type { TracePort } from "@/lib/server/engine/ports";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";

/** As with runs: a dead holder is noticed soon, however long a compaction may take. */
const LEASE = { leaseMs: 15_000, renewMs: 5_000 };

/**
 * Runs `work` while only this caller, in any process, may compact the thread. Null when somebody else is compacting;
 * nobody ever waits for it. A holder that dies keeps the lock for `leaseMs` at most.
 */
export async function holdThread<Result>(
  database: Database,
  threadId: string,
  work: (owner: string) => Promise<Result>,
  { leaseMs, renewMs } = LEASE,
): Promise<Result | null> {
  const owner = await lockThread(database, threadId, leaseMs);
  if (owner === null) return null;
  const timer = setInterval(() => {
    renewThread(database, threadId, owner, leaseMs).catch((error: unknown) =>
      logger().warn({ err: error, threadId }, "could not renew the lock of a compaction"),
    );
  }, renewMs);
  try {
    return await work(owner);
  } finally {
    clearInterval(timer);
    await unlockThread(database, threadId, owner);
  }
}

/** Takes the right to compact the thread for `holdMs`. Null when somebody else has it. */
export async function lockThread(database: Database, threadId: string, holdMs: number): Promise<string | null> {
  const owner = createId("cmp");
  const now = new Date();
  const rows = await database.raw(
    `update "thread" set "compactionOwner" = $2, "compactionUntil" = $3
     where "id" = $1 and ("compactionUntil" is null or "compactionUntil" < $4) returning "id"`,
    [threadId, owner, new Date(now.getTime() + holdMs), now],
  );
  return rows.length > 0 ? owner : null;
}

async function renewThread(database: Database, threadId: string, owner: string, holdMs: number): Promise<void> {
  await database.raw(
    `update "thread" set "compactionUntil" = $3 where "id" = $1 and "compactionOwner" = $2 returning "id"`,
    [threadId, owner, new Date(Date.now() + holdMs)],
  );
}

/** Releases it; does nothing when it has expired and somebody else has it. */
export async function unlockThread(database: Database, threadId: string, owner: string): Promise<void> {
  await database.raw(
    `update "thread" set "compactionOwner" = null, "compactionUntil" = null where "id" = $1 and "compactionOwner" = $2`,
    [threadId, owner],
  );
}

/**
 * Releases what dead processes held and closes the spans of their compactions: `all` at the start of the only process
 * that uses the database, otherwise what has expired.
 */
export async function unlockDeadThreads(
  database: Database,
  whose: "all" | "expired",
  traces: Pick<TracePort, "endLateSpans">,
): Promise<void> {
  const isDead = whose === "all" ? "$1 = $1" : `"compactionUntil" < $1`;
  const threads = await database.raw<{ id: string }>(
    `update "thread" set "compactionOwner" = null, "compactionUntil" = null
     where "compactionUntil" is not null and ${isDead} returning "id"`,
    [new Date()],
  );
  for (const { id } of threads) await traces.endLateSpans(id);
}

/** Marks the cycle (the thread's compaction counter) as flushed; false when it already was: once per cycle. */
export async function claimFlush(database: Database, threadId: string, cycle: number): Promise<boolean> {
  const rows = await database.raw(
    `update "thread" set "flushedCycle" = $2 where "id" = $1 and ("flushedCycle" is null or "flushedCycle" < $2)
     returning "id"`,
    [threadId, cycle],
  );
  return rows.length > 0;
}
