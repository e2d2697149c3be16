import { afterEach, expect, test } from "vitest";
import { openDatabase } from "@/lib/server/platform/db/database";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { countPending, indexPending } from "./text-index";

let opened: TestDatabase;
afterEach(async () => {
  if (opened.database.dialect.provider === "postgresql") {
    for (const setting of PLAN) await opened.database.raw(alter(opened.url, `reset ${setting}`));
  }
  await opened.close();
});

/** Without these, a planner joins by loops, and runs a part of the statement once per row of another. */
const PLAN = ["enable_hashjoin", "enable_mergejoin", "enable_hashagg", "enable_sort", "enable_material"];
const alter = (url: string, change: string) => `alter database ${new URL(url).pathname.slice(1)} ${change}`;

test("a chunk is never larger than its limit, whichever plan the database chooses", async () => {
  opened = await createTestDatabase();
  const { database, url } = opened;
  const rows = database.dialect.rows("w", { id: "text" }, "$1");
  const ids = Array.from({ length: 25 }, (_, index) => ({ id: `m_${index}` }));
  await database.raw(`insert into "search_pending" select w."id" from ${rows}`, [JSON.stringify(ids)]);
  if (database.dialect.provider === "postgresql") {
    for (const setting of PLAN) await database.raw(alter(url, `set ${setting} = off`));
  }
  const planned = await openDatabase(url);
  try {
    expect(await indexPending(planned, 10)).toBe(10);
    expect(await countPending(planned, 100)).toBe(15);
  } finally {
    await planned.close();
  }
});
