import { createId } from "../create-id";
import type { Database } from "../db";
import { interruptLateSpans } from "../traces/save-spans";

/**
 * Takes the right to compact the thread, in whatever process, for `holdMs` at most. Null when somebody else has it.
 * Nobody ever waits for it.
 */
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

/** Gives it back; nothing happens when it has run out and somebody else has it. */
export async function unlockThread(database: Database, threadId: string, owner: string): Promise<void> {
  await database.raw(
    `update "thread" set "compactionOwner" = null, "compactionUntil" = null where "id" = $1 and "compactionOwner" = $2`,
    [threadId, owner],
  );
}

/**
 * Gives back what a dead process held and closes the spans of its compactions: for the start of the only process that
 * uses the database.
 */
export async function unlockAllThreads(database: Database): Promise<void> {
  const threads = await database.raw<{ id: string }>(
    `update "thread" set "compactionOwner" = null, "compactionUntil" = null where "compactionOwner" is not null
     returning "id"`,
    [],
  );
  for (const { id } of threads) await interruptLateSpans(database, id);
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
