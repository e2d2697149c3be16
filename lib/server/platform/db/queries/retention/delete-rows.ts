import { type Expression, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { buildUntyped } from "@/lib/server/platform/db/kysely/build";

interface Doomed {
  readonly table: keyof Tables;
  /** A condition on the table's columns. */
  readonly where: Expression<SqlBool>;
  /** The columns that identify its rows. Default: id. */
  readonly key?: readonly string[];
}

/** Deletes rows in chunks and returns how many. */
export function deleteRows(database: Database, { table, where, key = ["id"] }: Doomed, pace: Pace): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  return inChunks(async (limit) => {
    const some = buildUntyped.selectFrom<string>(table).select(key).where(where).limit(limit);
    const deleted = buildUntyped.deleteFrom<string>(table).where(sql<SqlBool>`(${columns}) in ${some}`);
    return (await database.execute(deleted.returning(key))).length;
  }, pace);
}

/** The rows whose column has this value. */
export function equals(column: string, value: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = ${value}`;
}

/** The rows whose time is before then. */
export function isBefore(column: string, time: Date): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} < ${sqlTimestamp(time)}`;
}

/** Rows that are of no use a fixed time after the one that they carry. */
interface Expiring {
  readonly table: keyof Tables;
  /** The time, found by an index. */
  readonly column: string;
  /** Which of them are over; all by default. */
  readonly where?: Expression<SqlBool>;
  readonly keptMs: number;
  readonly key?: readonly string[];
}

const DAY_MS = 86_400_000;
/** Firings, what was sent, what is done, and permissions that are over: to be looked up for a while. */
const HISTORY_MS = 90 * DAY_MS;
/** As long as the accounts of budgets. */
const USAGE_MS = 400 * DAY_MS;

export const EXPIRING: readonly Expiring[] = [
  { table: "session", column: "expiresAt", keptMs: 0 },
  { table: "verification", column: "expiresAt", keptMs: 0 },
  { table: "share", column: "expiresAt", keptMs: 0 },
  { table: "decision_token", column: "expiresAt", keptMs: 0, key: ["hash"] },
  { table: "kept_reply", column: "expiresAt", keptMs: 0 },
  { table: "channel_code", column: "expiresAt", keptMs: HISTORY_MS, key: ["hash"] },
  { table: "grant", column: "expiresAt", keptMs: HISTORY_MS },
  { table: "grant", column: "revokedAt", keptMs: HISTORY_MS },
  { table: "firing", column: "createdAt", where: sql`"state" <> 'claimed'`, keptMs: HISTORY_MS },
  { table: "delivery", column: "createdAt", where: sql`"nextAt" is null`, keptMs: HISTORY_MS },
  { table: "channel_message", column: "createdAt", where: sql`"isOpen" = false`, keptMs: HISTORY_MS },
  { table: "inbox_note", column: "doneAt", keptMs: HISTORY_MS },
  { table: "trace_export", column: "endedAt", keptMs: 8 * DAY_MS, key: ["runId"] },
  { table: "purged_run", column: "createdAt", keptMs: USAGE_MS },
];

/** Deletes what is over, and says how many of each table. */
export async function deleteExpired(database: Database, nowMs: number, pace: Pace): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const { keptMs, column, where = sql.lit(true), ...rows } of EXPIRING) {
    const over = sql<SqlBool>`${isBefore(column, new Date(nowMs - keptMs))} and ${where}`;
    const count = await deleteRows(database, { ...rows, where: over }, pace);
    if (count > 0) deleted[rows.table] = (deleted[rows.table] ?? 0) + count;
  }
  return deleted;
}
