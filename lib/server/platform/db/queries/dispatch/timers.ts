import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { withDates } from "@/lib/server/platform/db/rows";
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

const setTimer = hotStatement((value: PlaceFor<TimerRow>) =>
  build
    .insertInto("timer")
    .values({ name: value("name"), task: value("task"), data: value("data"), at: value("at") })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((eb) => ({
        task: eb.ref("excluded.task"),
        data: eb.ref("excluded.data"),
        at: eb.ref("excluded.at"),
        attempts: eb.lit(0),
      })),
    ),
);

/** Sets the timer, replacing one of the same name. */
export function setTimerStatement(timer: TimerRow): SqlStatement {
  return setTimer(timer);
}

const dueTimers = hotStatement((value: PlaceFor<{ now: string }>) =>
  build
    .selectFrom("timer")
    .select(["name", "task", "data", "at", "attempts"])
    .where("at", "<=", value("now"))
    .orderBy("at")
    .limit(AT_ONCE),
);

export async function selectDueTimers(
  database: Database,
  now: Date,
): Promise<(TimerRow & { readonly attempts: number })[]> {
  return withDates(await database.execute(dueTimers({ now: sqlTimestamp(now) })), "at");
}

const deletedTimer = hotStatement((value: PlaceFor<{ name: string; at: string }>) =>
  build.deleteFrom("timer").where("name", "=", value("name")).where("at", "=", value("at")),
);

/** In one commit. A timer set again in the meantime stays. */
export async function deleteTimers(database: Database, keys: readonly TimerKey[]): Promise<void> {
  await database.runAll(
    keys.map(({ name, at }) => deletedTimer({ name, at: sqlTimestamp(at) })),
    "normal",
  );
}

export async function postponeTimer(database: Database, { name, at }: TimerKey, later: Date): Promise<void> {
  await database.execute(
    build
      .updateTable("timer")
      .set((eb) => ({ at: later, attempts: eb("attempts", "+", eb.lit(1)) }))
      .where("name", "=", name)
      .where("at", "=", sqlTimestamp(at)),
  );
}
