import { renameSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CompiledQuery } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withRequestContext } from "@/lib/server/platform/request-context";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { SqliteReader } from "./sqlite-reader";

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const LONG = `with recursive "n" as (select 1 as "i" union all select "i" + 1 from "n" where "i" < $1)
  select count(*) as "count" from "n"`;

test("while a long read goes on, everybody else is answered", async () => {
  const { database } = testDatabase;
  const ended: string[] = [];
  const long = database
    .readAside(CompiledQuery.raw(LONG, [2_000_000]) as CompiledQuery<{ count: number }>)
    .then(([row]) => {
      ended.push("long");
      return row?.count;
    });
  for (let round = 0; round < 50; round += 1) await database.raw("select 1");
  await database.setting.create({ data: { key: "k", value: "written meanwhile" } });
  ended.push("others");
  expect(await long).toBe(2_000_000);
  expect(ended).toEqual(["others", "long"]);
});

test("a read aside sees what was written before it, in the types of every other read", async () => {
  const { database } = testDatabase;
  await database.user.create({ data: { id: "u1", name: "Ünal 😀", email: "u@example.test" } });
  const sql = `select "name", "emailVerified", "id" = $2 as "isFirst", "createdAt" from "user" where "email" = $1`;
  const parameters = ["u@example.test", "u1"];
  const aside = await database.readAside(CompiledQuery.raw(sql, parameters));
  expect(aside).toEqual(await database.raw(sql, parameters));
  expect(aside).toMatchObject([{ name: "Ünal 😀", emailVerified: false }]);
});

test("reads at once are answered each with its own rows", async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map((number) => testDatabase.database.readAside(CompiledQuery.raw(`select $1 as "n"`, [number]))),
  );
  expect(answers).toEqual(numbers.map((n) => [{ n }]));
});

/** Never ends: whatever waits behind it would wait for ever. */
const ENDLESS = `with recursive "n" as (select 1 as "i" union all select "i" + 1 from "n") select count(*) from "n"`;
const NOBODY = { ip: null, apiKeyId: null };

test("what waits to be read for a request is not read once that has ended", async () => {
  const { database } = testDatabase;
  const client = new AbortController();
  const first = database.readAside(CompiledQuery.raw(LONG, [200_000]));
  const left = withRequestContext(NOBODY, () => database.readAside(CompiledQuery.raw(ENDLESS)), client.signal);
  const last = database.readAside(CompiledQuery.raw("select 1 as one"));
  client.abort(new Error("nobody waits"));
  await expect(left).rejects.toThrow("nobody waits");
  expect(await first).toEqual([{ count: 200_000 }]);
  expect(await last).toEqual([{ one: 1 }]);
});

test("nobody waits for what is being read for a request that has ended, and the next read is answered", async () => {
  const { database } = testDatabase;
  const client = new AbortController();
  const ended: string[] = [];
  const left = withRequestContext(
    NOBODY,
    () => database.readAside(CompiledQuery.raw(LONG, [2_000_000])),
    client.signal,
  );
  const next = database.readAside(CompiledQuery.raw("select 1 as one")).finally(() => ended.push("next"));
  client.abort(new Error("nobody waits"));
  await expect(left.finally(() => ended.push("left"))).rejects.toThrow("nobody waits");
  expect(await next).toEqual([{ one: 1 }]);
  expect(ended).toEqual(["left", "next"]);
});

test("what a request began and left behind is read, even if its client has gone since", async () => {
  const { database } = testDatabase;
  const client = new AbortController();
  const answered = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  await withRequestContext(
    NOBODY,
    async () => {
      later = answered.promise.then(() => database.readAside(CompiledQuery.raw("select 1 as one")));
    },
    client.signal,
  );
  client.abort(new Error("nobody waits"));
  answered.resolve();
  expect(await later).toEqual([{ one: 1 }]);
});

test("a read that comes just as the idle thread ends is answered", async () => {
  const { url } = testDatabase;
  const reader = new SqliteReader(url.slice("file:".length), { idleMs: 1 });
  const answers: unknown[] = [];
  for (let round = 0; round < 40; round += 1) {
    answers.push(await reader.read("select 1 as one", []));
    for (let turn = 0; turn < round; turn += 1) await nextTurn();
  }
  await reader.close();
  expect(answers).toEqual(Array.from({ length: 40 }, () => [{ one: 1 }]));
});

test("a read aside writes nothing, and one that fails says why and does not stop the next", async () => {
  const { database } = testDatabase;
  const write = `insert into "setting" values ('k', 'v', '2026-01-01T00:00:00.000+00:00') returning "key"`;
  await expect(database.readAside(CompiledQuery.raw(write))).rejects.toMatchObject({ code: "SQLITE_READONLY" });
  await expect(database.readAside(CompiledQuery.raw("select nonsense from nowhere"))).rejects.toThrow("no such table");
  expect(await database.readAside(CompiledQuery.raw("select 1 as one"))).toEqual([{ one: 1 }]);
  expect(await database.setting.count()).toBe(0);
});

test("where the file can't be opened the read says so, and the next one tries again", async () => {
  const { database, url } = testDatabase;
  const file = url.slice("file:".length);
  renameSync(file, `${file}.away`);
  await expect(database.readAside(CompiledQuery.raw("select 1"))).rejects.toMatchObject({ code: "SQLITE_CANTOPEN" });
  renameSync(`${file}.away`, file);
  expect(await database.readAside(CompiledQuery.raw("select 1 as one"))).toEqual([{ one: 1 }]);
});

test("a closed database answers no read", async () => {
  const { database } = testDatabase;
  const reading = database.readAside(CompiledQuery.raw(LONG, [2_000_000])).catch((error: unknown) => error);
  await database.close();
  expect(await reading).toEqual(new Error("The thread that reads the database has ended."));
  await expect(database.readAside(CompiledQuery.raw("select 1"))).rejects.toThrow("closed");
});
