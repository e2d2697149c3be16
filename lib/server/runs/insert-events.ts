import type { Database } from "../db";
import { sqlJson, sqlTimestamp } from "../db-dialect";
import type { EventRow, InsertRows } from "./event-writer";

const COLUMNS = {
  runId: "text",
  seq: "integer",
  epoch: "integer",
  type: "text",
  data: "text",
  createdAt: "timestamp",
} as const;

/**
 * One statement for the rows of many runs. A run that `owner` no longer holds at the row's epoch is left out (the
 * fence): the caller sees it missing from the result.
 */
export function eventInserter(database: Database, owner: string): InsertRows {
  const sql = `insert into "run_event" ("runId", "seq", "epoch", "type", "data", "createdAt")
    select r."runId", r."seq", r."epoch", r."type", r."data", r."createdAt"
    from ${database.dialect.rows("r", COLUMNS, "$1")}
    join "run" on "run"."id" = r."runId" and "run"."epoch" = r."epoch"
      and "run"."leaseOwner" = $2 and "run"."status" = 'running'
    where true order by r."ordinal"
    returning "runId"`;
  return async (rows, durability) => {
    const stored = await database.raw<{ runId: string }>(sql, [sqlJson(rows.map(toJsonRow)), owner], durability);
    return new Set(stored.map(({ runId }) => runId));
  };
}

function toJsonRow({ runId, seq, epoch, event, data, at }: EventRow) {
  return { runId, seq, epoch, type: event.type, data, createdAt: sqlTimestamp(new Date(at)) };
}

/** True when the same statement may work a moment later. */
export function isDatabaseBusy(error: unknown): boolean {
  const text = error instanceof Error ? `${"code" in error ? String(error.code) : ""} ${error.message}` : "";
  return /SQLITE_BUSY|database is locked|40001|40P01|57P0\d|ECONNREFUSED|ECONNRESET|Connection terminated|P1017|P1001|P2034/i.test(
    text,
  );
}
