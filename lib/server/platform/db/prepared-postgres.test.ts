import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { type Database, openDatabase } from "./database";
import { textStatement } from "./kysely/build";
import { insertRow } from "./kysely/row-statements";
import { PreparedNames } from "./prepared-names";

let testDatabase: TestDatabase;
/** With one connection. */
let database: Database;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { work: 1, jobs: 0, notifier: 0 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.close();
});

const TIMES = Array.from({ length: 12 }, (_, index) => index);
const ask = (value: number) => database.raw<{ value: number }>("select $1::int as value", [value]);
const settings = () => database.raw(`select * from "setting" order by "key"`);
const setting = (key: string) => insertRow("setting", { key, value: "v", updatedAt: new Date(0) });
const prepared = async () =>
  (await database.raw<{ name: string }>("select name from pg_prepared_statements")).filter(({ name }) =>
    name.startsWith("rm_"),
  ).length;

test("a statement that is sent again and again is prepared, by itself and in a list, and answers the same", async () => {
  for (const value of TIMES) expect(await ask(value)).toEqual([{ value }]);
  expect(await prepared()).toBe(1);
  for (const number of TIMES) await database.runAll([setting(`a${number}`), setting(`b${number}`)]);
  expect(await prepared()).toBe(2);
  expect(await settings()).toHaveLength(24);
});

test("where the database forgets them, as a pooler does, everything goes on without, and nothing is stored twice", async () => {
  for (const value of TIMES) await ask(value);
  for (const number of TIMES) await database.runAll([setting(`a${number}`), setting(`b${number}`)]);
  await database.raw("deallocate all");
  await database.runAll([setting("a after"), setting("b after")]);
  expect(await ask(7)).toEqual([{ value: 7 }]);
  expect(await settings()).toHaveLength(26);
  for (const value of TIMES) await ask(value);
  expect(await prepared()).toBe(0);
});

test("a name that is taken on a connection does no harm", async () => {
  const names = new PreparedNames();
  const text = "select $1::int as value";
  for (const _ of TIMES) names.nameOf(text);
  await database.raw(`prepare "${names.nameOf(text)}" as select 'another'`);
  for (const value of TIMES) expect(await ask(value)).toEqual([{ value }]);
});

test("a table may change while statements about it are prepared", async () => {
  for (const _ of TIMES) await settings();
  await database.raw(`alter table "setting" add column "more" text default 'x'`);
  await database.runAll([setting("after")]);
  expect(await settings()).toMatchObject([{ key: "after", more: "x" }]);
});

test("other errors are told as they are", async () => {
  for (const _ of TIMES) await expect(database.raw("select 1 / $1::int", [0])).rejects.toMatchObject({ code: "22012" });
  for (const number of TIMES) await database.runAll([setting(`${number}`), setting(`x${number}`)]);
  await expect(database.runAll([setting("new"), setting("0")])).rejects.toMatchObject({ code: "23505" });
  expect(await settings()).toHaveLength(24);
});

test("long reads are planned for their own values", async () => {
  for (const _ of TIMES) await database.readAside(textStatement(sql`select 1 as one`));
  expect(await prepared()).toBe(0);
});

test("only what is sent often has a name, and only so many", () => {
  const names = new PreparedNames();
  expect([1, 2, 3, 4].map(() => names.nameOf("a"))).toEqual([undefined, undefined, undefined, undefined]);
  expect(names.nameOf("a")).toMatch(/^rm_/);
  for (let text = 0; text < 10_000; text += 1) for (const _ of TIMES) names.nameOf(`text ${text}`);
  expect(names.nameOf("text 9999")).toBeUndefined();
  expect(names.nameOf("a")).toMatch(/^rm_/);
});
