import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";

// Only on Postgres: on SQLite there is one process, which counts in memory.

/** The state of a window: how often it was used, and when it ends. */
interface RateWindow {
  readonly count: number;
  readonly secondsLeft: number;
}

const CLOCK = sql<string>`(now() at time zone 'utc')`;
const SECONDS_LEFT = sql<number>`ceil(extract(epoch from "rate_limit"."endsAt" - ${CLOCK}))::int`.as("secondsLeft");

/** Null if the key has no window, or the window is over. */
export async function selectRate(database: Database, key: string): Promise<RateWindow | null> {
  const [row] = await database.execute(
    build.selectFrom("rate_limit").select(["count", SECONDS_LEFT]).where("key", "=", key).where("endsAt", ">", CLOCK),
  );
  return row ?? null;
}

/** Counts one use, in a new window if there is none; the result includes it. */
export async function addToRate(database: Database, key: string, windowMs: number): Promise<RateWindow> {
  const endsAt = sql<string>`${CLOCK} + ${windowMs} * interval '1 millisecond'`;
  const [row] = await database.execute(
    build
      .insertInto("rate_limit")
      .values({ key, count: 1, endsAt })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet((eb) => {
          const cases = eb.case().when("rate_limit.endsAt", "<=", CLOCK);
          return {
            count: cases
              .then(eb.lit(1))
              .else(eb("rate_limit.count", "+", eb.lit(1)))
              .end(),
            endsAt: cases.then(eb.ref("excluded.endsAt")).else(eb.ref("rate_limit.endsAt")).end(),
          };
        }),
      )
      .returning(["count", SECONDS_LEFT]),
  );
  return row ?? { count: 1, secondsLeft: 0 };
}

export async function deleteRate(database: Database, key: string): Promise<void> {
  await database.execute(build.deleteFrom("rate_limit").where("key", "=", key));
}

/** Deletes windows that are over. */
export async function deleteEndedRates(database: Database): Promise<void> {
  if (database.dialect.provider === "postgresql")
    await database.execute(build.deleteFrom("rate_limit").where("endsAt", "<=", CLOCK));
}
