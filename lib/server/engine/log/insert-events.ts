import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { EventRow, InsertRows } from "./event-writer";

/** Few enough that the statements for each number of rows stay prepared. */
const MAX_ROWS = 40;

/**
 * One statement for the rows of many runs. A run that `owner` no longer holds at the row's epoch is skipped (the
 * fence): the caller sees that it is missing from the result.
 */
export function eventInserter(database: Database, owner: string): InsertRows {
  return async (rows, durability) => {
    const stored = new Set<string>();
    for (let start = 0; start < rows.length; start += MAX_ROWS) {
      const batch = rows.slice(start, start + MAX_ROWS);
      const sql = insertStatement(database, batch.length);
      const found = await database.raw<{ runId: string }>(sql, [owner, ...batch.flatMap(toParameters)], durability);
      for (const { runId } of found) stored.add(runId);
    }
    return stored;
  };
}

/** A connection that broke during the commit leaves open whether it succeeded, so the rows are sent again. */
const AGAIN = `on conflict ("runId", "seq") do update set "epoch" = excluded."epoch"
  where "run_event"."epoch" = excluded."epoch"`;

/**
 * SQLite compares a bare parameter with the condition of each partial index of "run", and then prepares the statement
 * again for every value. A cast keeps it prepared.
 */
const OWNER = "cast($1 as text)";

const statements = { sqlite: new Map<number, string>(), postgresql: new Map<number, string>() };

function insertStatement({ dialect: { provider } }: Database, count: number): string {
  const known = statements[provider].get(count);
  if (known !== undefined) return known;
  const timestamp = provider === "sqlite" ? "text" : "timestamp(3)";
  const types = ["text", "integer", "integer", "text", "text", timestamp];
  const tuples = Array.from({ length: count }, (_, row) => {
    const values = types.map((type, column) => `cast($${2 + row * types.length + column} as ${type})`);
    return `(${values.join(", ")})`;
  });
  const sql = `insert into "run_event" ("runId", "seq", "epoch", "type", "data", "createdAt")
    select r.column1, r.column2, r.column3, r.column4, r.column5, r.column6 from (values ${tuples.join(", ")}) as r
    join "run" on "run"."id" = r.column1 and "run"."epoch" = r.column3
      and "run"."leaseOwner" = ${OWNER} and "run"."status" = 'running'
    where true ${provider === "postgresql" ? AGAIN : ""} returning "runId"`;
  statements[provider].set(count, sql);
  return sql;
}

function toParameters({ runId, seq, epoch, event, data, at }: EventRow): SqlValue[] {
  return [runId, seq, epoch, event.type, data, sqlTimestamp(new Date(at))];
}
