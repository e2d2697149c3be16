import type { CompiledQuery } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { selectTracePage } from "./page";

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const ALL = { isDraft: false, choices: {} };
const PLACE = { key: 5, id: "tr_1" };

/** How the database would read a page of all runs. */
async function planOf(order: "started" | "cost" | "tokens", after: typeof PLACE | null): Promise<string> {
  const { database } = testDatabase;
  const sent: CompiledQuery[] = [];
  const watching = new Proxy(database, {
    get: (target, name) =>
      name === "execute" ? async (query: CompiledQuery) => void sent.push(query) : Reflect.get(target, name),
  }) as Database;
  await selectTracePage(watching, ALL, { order, after, limit: 50 });
  const [{ sql = "", parameters = [] } = {}] = sent;
  const isPostgres = database.dialect.provider === "postgresql";
  // A table without rows is otherwise read as a whole.
  if (isPostgres) await database.raw("set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off");
  const rows = await database.raw(`${isPostgres ? "explain" : "explain query plan"} ${sql}`, parameters);
  return rows.map((row) => Object.values(row).join(" ")).join("\n");
}

test.each([
  ["cost", "trace_cost_idx"],
  ["tokens", "trace_tokens_idx"],
] as const)(
  "a page by %s is read from its index, the first and a later one, and nothing is sorted",
  async (order, index) => {
    for (const after of [null, PLACE]) {
      const plan = await planOf(order, after);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
    }
    expect(await planOf(order, PLACE)).toMatch(/<expr><|<=/);
  },
);
