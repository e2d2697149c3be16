import pg from "pg";
import { expect, test } from "vitest";
import { reached, runDatabase } from "@/lib/testing/fixtures/run-fixture";
import { createDispatcher } from "./dispatcher-of";

const { database, url } = runDatabase();

test("a timer that somebody else adds at the same moment has the time of whoever came last", async () => {
  const [first, second] = [new Date("2099-01-01T00:00:00Z"), new Date("2099-02-01T00:00:00Z")];
  const dispatcher = createDispatcher(database());
  const at = (time: Date) => dispatcher.schedule({ name: "timer", at: time, task: "fire", data: {} });
  await database().runAll([...(await at(first))]);
  await database().raw(`delete from pgboss.job where singleton_key = 'timer'`);
  const other = new pg.Client(url());
  await other.connect();
  try {
    await other.query("begin");
    for (const { sql, parameters } of await at(first)) await other.query(sql, [...parameters]);
    const mine = database().runAll([...(await at(second))]);
    // It has found nothing to change, and waits to add.
    await reached(async () => {
      const { rows } = await other.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows.length > 0;
    });
    await other.query("commit");
    await mine;
  } finally {
    await other.end();
  }
  const jobs = await database().raw<{ at: string }>(
    `select start_after as "at" from pgboss.job where singleton_key = 'timer'`,
  );
  expect(jobs.map(({ at: time }) => new Date(time).toISOString())).toEqual([second.toISOString()]);
  await dispatcher.stop(0);
});
