import type { CompiledQuery } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { retireUnusedThreads } from "@/lib/server/platform/db/queries/threads";
import { planOf } from "@/lib/testing/databases/plan-of";
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
    const plan = await planOf(opened.database, { sql: found, parameters }, ["seqscan"]);
    expect(plan, `${sql}\n${plan}`).not.toMatch(/^SCAN |Seq Scan/m);
  }
});
