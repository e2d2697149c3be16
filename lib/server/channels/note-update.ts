import "server-only";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { moveOffsetStatement } from "@/lib/server/platform/db/queries/dispatch/channels";
import { type FiringRow, insertFiringStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { rejectUpdate } from "@/lib/server/triggers/channels/rejected-updates";
import type { Received } from "./received";

/** Stores how far the channel has been read. */
export async function moveOffset(database: Database, { row, update, now }: Received): Promise<void> {
  await database.runAll([moveOffsetStatement(row.id, update.offset, now)]);
}

/** Records the update with the offset; false for one recorded before, which counts as turned away. */
export async function isNew(database: Database, received: Received, triggerId: string): Promise<boolean> {
  return note(database, received, { triggerId, state: "skipped" });
}

/** As `isNew`, with a firing and what is stored together with it. */
export async function note(
  database: Database,
  { row, update, now }: Received,
  firing: Partial<FiringRow> & Pick<FiringRow, "triggerId" | "state">,
  more: readonly SqlStatement[] = [],
): Promise<boolean> {
  const key = { key: `update:${update.id}`, externalId: update.id, dueAt: now, createdAt: now };
  try {
    await database.runAll([
      insertFiringStatement({ id: createId("fir"), ...key, ...firing }),
      moveOffsetStatement(row.id, update.offset, now),
      ...more,
    ]);
    return true;
  } catch (error) {
    if (!isTaken(error)) throw error;
    await rejectUpdate(database, { channelId: row.id, kind: "repeat", detail: "same id, started nothing twice", now });
    await database.runAll([moveOffsetStatement(row.id, update.offset, now)]);
    return false;
  }
}
