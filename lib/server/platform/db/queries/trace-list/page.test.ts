import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { planOf, statementOf } from "@/lib/testing/databases/plan-of";
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
async function planOfPage(order: "started" | "cost" | "tokens", after: typeof PLACE | null): Promise<string> {
  const { database } = testDatabase;
  const page = (watched: Database) => selectTracePage(watched, ALL, { order, after, limit: 50 });
  return planOf(database, await statementOf(database, "execute", page), ["seqscan", "bitmapscan", "sort"]);
}

test.each([
  ["cost", "trace_cost_idx"],
  ["tokens", "trace_tokens_idx"],
] as const)(
  "a page by %s is read from its index, the first and a later one, and nothing is sorted",
  async (order, index) => {
    for (const after of [null, PLACE]) {
      const plan = await planOfPage(order, after);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
    }
    expect(await planOfPage(order, PLACE)).toMatch(/<expr><|<=/);
  },
);
