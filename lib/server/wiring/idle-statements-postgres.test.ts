import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "@/lib/server/platform/db/database";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { applyDirectly } from "@/scripts/database/apply-migrations";
import { type PostgresServer, startPostgres } from "@/scripts/database/postgres-server";

/** Most of what repeats does so at least that often. */
const WATCHED_SECONDS = 31;
const MOST_A_SECOND = 5;
/** Work of the start is over once so few statements were made in a second. */
const SETTLED = 15;

let postgres: PostgresServer;
let server: RunServer;

beforeAll(async () => {
  postgres = await startPostgres(["shared_preload_libraries=pg_stat_statements"]);
  await applyDirectly(postgres.url);
  await postgres.query("create extension pg_stat_statements");
  server = await startRunServer(
    async () => ({ text: "Hello." }),
    {},
    async () => {
      const database = await openDatabase(postgres.url);
      return { database, url: postgres.url, close: () => database.close() };
    },
  );
});

afterAll(async () => {
  await server.close();
  await postgres.stop();
});

async function statements(): Promise<{ query: string; calls: number }[]> {
  return server.database.raw<{ query: string; calls: number }>(
    `select left(regexp_replace("query", '\\s+', ' ', 'g'), 120) as "query", sum("calls")::int as "calls"
       from pg_stat_statements group by 1 order by 2 desc`,
  );
}

async function madeIn(seconds: number) {
  await server.database.raw("select pg_stat_statements_reset()");
  await sleep(1_000 * seconds);
  const made = await statements();
  return { made, perSecond: made.reduce((sum, { calls }) => sum + calls, 0) / seconds };
}

test("a process with nothing to do asks Postgres at most five things a second", { timeout: 120_000 }, async () => {
  for (let second = 0; second < 30; second += 1) if ((await madeIn(1)).perSecond <= SETTLED) break;
  const { made, perSecond } = await madeIn(WATCHED_SECONDS);
  expect(perSecond, JSON.stringify(made.slice(0, 20), null, 1)).toBeLessThanOrEqual(MOST_A_SECOND);
  // It was watched while it worked: the queue is looked at every second.
  expect(perSecond).toBeGreaterThan(0.5);
});
