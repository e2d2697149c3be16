import type { Database } from "@/lib/server/platform/db/database";

// Only on Postgres: on SQLite there is one process, which counts in memory.

/** The state of a window: how often it was used, and when it ends. */
interface RateWindow {
  readonly count: number;
  readonly secondsLeft: number;
}

const CLOCK = "(now() at time zone 'utc')";
const SECONDS_LEFT = `ceil(extract(epoch from "rate_limit"."endsAt" - ${CLOCK}))::int as "secondsLeft"`;

/** Null if the key has no window, or the window is over. */
export async function selectRate(database: Database, key: string): Promise<RateWindow | null> {
  const [row] = await database.raw<RateWindow>(
    `select "count", ${SECONDS_LEFT} from "rate_limit" where "key" = $1 and "endsAt" > ${CLOCK}`,
    [key],
  );
  return row ?? null;
}

/** Counts one use, in a new window if there is none; the result includes it. */
export async function addToRate(database: Database, key: string, windowMs: number): Promise<RateWindow> {
  const isOver = `"rate_limit"."endsAt" <= ${CLOCK}`;
  const [row] = await database.raw<RateWindow>(
    `insert into "rate_limit" ("key", "count", "endsAt") values ($1, 1, ${CLOCK} + $2 * interval '1 millisecond')
      on conflict ("key") do update set
        "count" = case when ${isOver} then 1 else "rate_limit"."count" + 1 end,
        "endsAt" = case when ${isOver} then excluded."endsAt" else "rate_limit"."endsAt" end
      returning "count", ${SECONDS_LEFT}`,
    [key, windowMs],
  );
  return row ?? { count: 1, secondsLeft: 0 };
}

export async function deleteRate(database: Database, key: string): Promise<void> {
  await database.raw(`delete from "rate_limit" where "key" = $1`, [key]);
}

/** Deletes windows that are over. */
export async function deleteEndedRates(database: Database): Promise<void> {
  if (database.dialect.provider === "postgresql")
    await database.raw(`delete from "rate_limit" where "endsAt" <= ${CLOCK}`);
}
