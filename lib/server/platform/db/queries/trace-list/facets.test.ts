import type { CompiledQuery } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { selectDifference } from "./difference";
import { selectFacets } from "./facets";

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const ALL = { isDraft: false, choices: {} };

/** How the database would read what is asked aside. */
async function planOf(ask: (database: Database) => Promise<unknown>): Promise<string> {
  const { database } = testDatabase;
  const sent: CompiledQuery[] = [];
  const watching = new Proxy(database, {
    get: (target, name) =>
      name === "readAside"
        ? async (query: CompiledQuery) => {
            sent.push(query);
            return [];
          }
        : Reflect.get(target, name),
  }) as Database;
  await ask(watching);
  const [{ sql = "", parameters = [] } = {}] = sent;
  const isPostgres = database.dialect.provider === "postgresql";
  // Tables without rows are otherwise read as a whole.
  for (const kind of isPostgres ? ["seqscan", "bitmapscan", "hashjoin", "mergejoin"] : []) {
    await database.raw(`set enable_${kind} = off`);
  }
  const rows = await database.raw(`${isPostgres ? "explain" : "explain query plan"} ${sql}`, parameters);
  return rows.map((row) => Object.values(row).join(" ")).join("\n");
}

const FROM_INDEX = /COVERING INDEX call_traceId_tool_status_idx|Index Only Scan using "call_traceId_tool_status_idx"/g;

test("tools, and those that failed, are counted from the index of a trace's calls, without their rows", async () => {
  expect((await planOf((database) => selectFacets(database, ALL))).match(FROM_INDEX)).toHaveLength(2);
  const difference = await planOf((database) => selectDifference(database, { within: ALL, runIds: ["run"] }, ALL));
  expect(difference.match(FROM_INDEX)).toHaveLength(2);
});
