import type { Database } from "@/lib/server/platform/db/database";
import type { SqlValue } from "@/lib/server/platform/db/dialect";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";

interface Doomed {
  readonly table: string;
  /** A condition on the table's columns, with parameters from `$1`. */
  readonly where: string;
  readonly parameters: readonly SqlValue[];
  /** The columns that identify its rows. Default: id. */
  readonly key?: readonly string[];
}

/** Deletes rows in chunks and returns how many. */
export function deleteRows(
  database: Database,
  { table, where, parameters, key = ["id"] }: Doomed,
  pace: Pace,
): Promise<number> {
  const columns = key.map((name) => `"${name}"`).join(", ");
  return inChunks(async (limit) => {
    const some = `select ${columns} from "${table}" where ${where} limit ${limit}`;
    const sql = `delete from "${table}" where (${columns}) in (${some}) returning ${columns}`;
    return (await database.raw(sql, parameters)).length;
  }, pace);
}

/** Rows that are of no use a fixed time after the one that they carry. */
interface Expiring {
  readonly table: string;
  /** What is over before `$1`; found by an index. */
  readonly where: string;
  readonly keptMs: number;
  readonly key?: readonly string[];
}

const DAY_MS = 86_400_000;
/** Firings, what was sent, what is done, and permissions that are over: to be looked up for a while. */
const HISTORY_MS = 90 * DAY_MS;
/** As long as the accounts of budgets. */
const USAGE_MS = 400 * DAY_MS;

export const EXPIRING: readonly Expiring[] = [
  { table: "session", where: `"expiresAt" < $1`, keptMs: 0 },
  { table: "verification", where: `"expiresAt" < $1`, keptMs: 0 },
  { table: "share", where: `"expiresAt" < $1`, keptMs: 0 },
  { table: "decision_token", where: `"expiresAt" < $1`, keptMs: 0, key: ["hash"] },
  { table: "kept_reply", where: `"expiresAt" < $1`, keptMs: 0 },
  { table: "channel_code", where: `"expiresAt" < $1`, keptMs: HISTORY_MS, key: ["hash"] },
  { table: "grant", where: `"expiresAt" < $1`, keptMs: HISTORY_MS },
  { table: "grant", where: `"revokedAt" < $1`, keptMs: HISTORY_MS },
  { table: "firing", where: `"createdAt" < $1 and "state" <> 'claimed'`, keptMs: HISTORY_MS },
  { table: "delivery", where: `"createdAt" < $1 and "nextAt" is null`, keptMs: HISTORY_MS },
  { table: "channel_message", where: `"createdAt" < $1 and "isOpen" = false`, keptMs: HISTORY_MS },
  { table: "inbox_note", where: `"doneAt" < $1`, keptMs: HISTORY_MS },
  { table: "purged_run", where: `"createdAt" < $1`, keptMs: USAGE_MS },
];

/** Deletes what is over, and says how many of each table. */
export async function deleteExpired(database: Database, nowMs: number, pace: Pace): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const { keptMs, ...rows } of EXPIRING) {
    const count = await deleteRows(database, { ...rows, parameters: [new Date(nowMs - keptMs)] }, pace);
    if (count > 0) deleted[rows.table] = (deleted[rows.table] ?? 0) + count;
  }
  return deleted;
}
