import type { CompiledQuery } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { retireUnusedThreads } from "@/lib/server/platform/db/queries/threads";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { deleteExpired, EXPIRING } from "./delete-rows";
import { deleteVersionsBefore } from "./old-versions";

let opened: TestDatabase;
beforeAll(async () => {
  opened = await createTestDatabase();
});
afterAll(() => opened.close());

const pace = { rest: async () => true };
const NOW = new Date();

/** The statements that the work makes, in order. */
async function statementsOf(work: (database: Database) => Promise<unknown>) {
  const made: CompiledQuery[] = [];
  const execute: Database["execute"] = (query, durability) => {
    const compiled = "sql" in query ? query : query.compile();
    made.push(compiled);
    return opened.database.execute(compiled, durability);
  };
  await work(
    new Proxy(opened.database, { get: (all, name) => (name === "execute" ? execute : Reflect.get(all, name)) }),
  );
  return made;
}

/** How the database would find the rows; on Postgres as if reading a whole table were expensive, as it is in a large one. */
async function planOf(sql: string, parameters: readonly unknown[]): Promise<string> {
  const { database } = opened;
  if (database.dialect.provider === "sqlite") {
    const rows = await database.raw<{ detail: string }>(`explain query plan ${sql}`, parameters);
    return rows.map(({ detail }) => detail).join("\n");
  }
  const text = sql.replaceAll(/\$(\d+)/g, (_, place) => `'${parameters[Number(place) - 1]}'`);
  const [, rows] = await database.runAll([
    { sql: "set local enable_seqscan = off", parameters: [] },
    { sql: `explain ${text}`, parameters: [] },
  ]);
  return (rows ?? []).map((row) => String(row["QUERY PLAN"])).join("\n");
}

test("whatever the hourly deletions look for, an index finds, a bounded number of rows at a time", async () => {
  const statements = [
    ...(await statementsOf((database) => deleteExpired(database, NOW.getTime(), pace))),
    ...(await statementsOf((database) => deleteVersionsBefore(database, NOW, pace))),
    ...(await statementsOf((database) => retireUnusedThreads(database, NOW, NOW, pace))),
  ];
  expect(statements).toHaveLength(EXPIRING.length + 3);
  for (const { sql, parameters } of statements) {
    expect(sql).toMatch(/ limit \$\d+\)/);
    const found = sql.slice(sql.indexOf("(select ") + 1, sql.lastIndexOf(")"));
    const plan = await planOf(found, parameters);
    expect(plan, `${sql}\n${plan}`).not.toMatch(/^SCAN |Seq Scan/m);
  }
});
