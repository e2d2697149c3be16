import type { Database } from "@/lib/server/platform/db/database";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A task due at a given time; `data` is JSON. */
interface TimerRow {
  readonly name: string;
  readonly task: string;
  readonly data: string;
  readonly at: Date;
}

export type TimerKey = Pick<TimerRow, "name" | "at">;

const AT_ONCE = 50;

/** Sets the timer, replacing one of the same name. */
export function setTimerStatement({ name, task, data, at }: TimerRow): SqlStatement {
  return {
    sql: `insert into "timer" ("name", "task", "data", "at") values ($1, $2, $3, $4)
      on conflict ("name") do update set "task" = excluded."task", "data" = excluded."data", "at" = excluded."at",
        "attempts" = 0`,
    parameters: [name, task, data, at],
  };
}

export async function selectDueTimers(
  database: Database,
  now: Date,
): Promise<(TimerRow & { readonly attempts: number })[]> {
  const rows = await database.raw(
    `select "name", "task", "data", "at", "attempts" from "timer" where "at" <= $1 order by "at" limit ${AT_ONCE}`,
    [now],
  );
  return readRows(rows, { dates: ["at"] });
}

/** In one commit. A timer set again in the meantime stays. */
export async function deleteTimers(database: Database, keys: readonly TimerKey[]): Promise<void> {
  const sql = `delete from "timer" where "name" = $1 and "at" = $2`;
  await database.rawTransaction(
    keys.map(({ name, at }) => ({ sql, parameters: [name, at] })),
    "normal",
  );
}

export async function postponeTimer(database: Database, { name, at }: TimerKey, later: Date): Promise<void> {
  await database.raw(`update "timer" set "at" = $3, "attempts" = "attempts" + 1 where "name" = $1 and "at" = $2`, [
    name,
    at,
    later,
  ]);
}
