import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { insertRow, insertRows, updateRows } from "./row-statements";

const AT = new Date("2026-01-02T03:04:05.006Z");
const LATER = new Date("2026-01-02T03:05:00.000Z");

let testDatabase: TestDatabase;
let database: Database;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = testDatabase.database;
});

afterEach(() => testDatabase.close());

const task = (name: string) => ({ name, task: "t", data: "{}", at: AT });
const timers = () => database.timer.findMany({ orderBy: { name: "asc" } });

test("statements of one shape share their text and bind their own values", async () => {
  const [one, other] = [insertRow("timer", task("a")), insertRow("timer", task("b"))];
  expect(one.sql).toBe(other.sql);
  await database.runAll([one, other]);
  const attempt = (name: string, increment: number) => updateRows("timer", { name }, { attempts: { increment } });
  await database.runAll([attempt("a", 2), attempt("b", 3), attempt("a", 1)]);
  expect(await timers()).toMatchObject([
    { name: "a", attempts: 3, at: AT },
    { name: "b", attempts: 3, at: AT },
  ]);
});

test("a column that is set and one that is added to have different texts, whatever came first", async () => {
  await database.runAll([insertRow("timer", { ...task("a"), attempts: 4 })]);
  await database.runAll([updateRows("timer", { name: "a" }, { attempts: { increment: 1 } })]);
  await database.runAll([updateRows("timer", { name: "a", task: "t" }, { attempts: 9, data: "[]" })]);
  await database.runAll([updateRows("timer", { name: "a", task: "other" }, { attempts: 1, data: "null" })]);
  expect(await timers()).toMatchObject([{ attempts: 9, data: "[]" }]);
});

test("rows of one statement keep nulls, quotes and dates, however many they are", async () => {
  const shape = { name: "text", task: "text", data: "text", at: "timestamp", attempts: "integer" } as const;
  const rows = ["a'", 'b"', "é\n"].map((name, attempts) => ({ ...task(name), attempts }));
  await database.runAll([insertRows(database.dialect, "timer", shape, rows)]);
  await database.runAll([insertRows(database.dialect, "timer", shape, [{ ...task("z"), attempts: 7 }])]);
  expect(await timers()).toHaveLength(4);
  expect(await database.timer.findMany({ where: { name: "é\n" } })).toMatchObject([{ attempts: 2, at: AT }]);
});

test("an end is never before the row's start", async () => {
  const run = { id: "tr", runId: "r", ownerId: "o", threadId: "t", agentId: "a", agentVersionId: "v", agentVersion: 1 };
  await database.runAll([insertRow("trace", { ...run, status: "running", startedAt: LATER })]);
  const end = (endedAt: Date) => updateRows("trace", { id: "tr" }, { endedAt: { notBeforeStart: endedAt } });
  await database.runAll([end(AT)]);
  expect(await database.trace.findMany()).toMatchObject([{ endedAt: LATER }]);
  await database.runAll([end(new Date(LATER.getTime() + 5))]);
  expect(await database.trace.findMany()).toMatchObject([{ endedAt: new Date(LATER.getTime() + 5) }]);
});
