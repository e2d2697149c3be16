import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  type ArgScalarType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlQueryable,
} from "@prisma/driver-adapter-utils";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteAdapter } from "./sqlite-adapter";
import { openSqlite, SqliteConnection } from "./sqlite-connection";

const TABLES = `
  create table owner (id text primary key, name text not null unique);
  create table thing (id integer primary key, ownerId text references owner (id), big bigint, flag boolean,
    amount real, price decimal, at datetime, data blob, json jsonb, note varchar(5), unique (ownerId, note));
  create trigger refused before delete on owner begin select raise(abort, 'refused'); end;`;

let directory: string;
let connection: SqliteConnection;
let ours: SqlDriverAdapter;
/** Prisma's own, over a database of its own. */
let official: SqlDriverAdapter;

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-adapter-"));
  connection = openSqlite(`file:${path.join(directory, "ours.db")}`);
  ours = await sqliteAdapter(connection).connect();
  official = await new PrismaBetterSqlite3({ url: `file:${path.join(directory, "official.db")}` }).connect();
  await official.executeScript("pragma foreign_keys = on");
  for (const adapter of [ours, official]) await adapter.executeScript(TABLES);
});

afterEach(async () => {
  await official.dispose();
  await connection.close();
  rmSync(directory, { recursive: true });
});

type Argument = readonly [value: unknown, type?: ArgScalarType];

const queryOf = (sql: string, args: readonly Argument[] = []) => ({
  sql,
  args: args.map(([value]) => value),
  argTypes: args.map(([, scalarType = "unknown"]) => ({ scalarType, arity: "scalar" as const })),
});

/** What a queryable answers: its rows, its count of changes, or its error in Prisma's words. */
async function answers(to: SqlQueryable, sql: string, args?: readonly Argument[]) {
  const said = (work: Promise<unknown>) => work.catch((error: Error) => ({ error: error.name, cause: error.cause }));
  return [await said(to.queryRaw(queryOf(sql, args))), await said(to.executeRaw(queryOf(sql, args)))];
}

const isBytes = ([value, type]: Argument) => type === "bytes" || value instanceof Uint8Array;

async function expectSame(sql: string, args?: readonly Argument[]) {
  const answer = await answers(ours, sql, args);
  expect(answer).toEqual(await answers(official, sql, args));
  return answer;
}

describe("the SQLite adapter answers as Prisma's own", () => {
  const ADD = "insert into owner values ('a', 'Ann')";
  const COLUMNS = "ownerId, big, flag, amount, price, at, data, json, note";

  test.each<[string, Argument]>([
    ["a text", ["é 🎪"]],
    ["a number", [1.5]],
    ["an integer as text", ["12", "int"]],
    ["a float as text", ["1.25", "float"]],
    ["a decimal as text", ["3.10", "decimal"]],
    ["a bigint as text", ["9007199254740993", "bigint"]],
    ["a bigint", [9_007_199_254_740_993n]],
    ["a small bigint", [7n]],
    ["a boolean", [true]],
    ["a date", [new Date("2026-01-02T03:04:05.006Z")]],
    ["a date as text", ["2026-01-02T03:04:05.006+02:00", "datetime"]],
    ["bytes as text", ["AAEC", "bytes"]],
    ["bytes", [new Uint8Array([1, 2])]],
    ["null", [null]],
  ])("for %s, in every type of column", async (_, argument) => {
    const places = COLUMNS.split(", ").slice(1, -1);
    for (const column of places) await expectSame(`insert into thing (${column}) values (?)`, [argument]);
    await expectSame(`select id, ${COLUMNS} from thing order by id`);
    await expectSame("select typeof(?) as type, hex(?) as bytes", [argument, argument]);
    if (!isBytes(argument)) await expectSame("select ? as value", [argument]);
  });

  test("and for bytes that no column declares, which Prisma's refuses", async () => {
    const { columnTypes, rows } = await ours.queryRaw(queryOf("select x'0102' as value"));
    expect([columnTypes, rows]).toEqual([[ColumnTypeEnum.Bytes], [[Buffer.from([1, 2])]]]);
  });

  test("for rows, none, expressions, what statements return and what they change", async () => {
    await expectSame(ADD);
    await expectSame("insert into owner values ('b', 'Bo') on conflict do nothing returning id, name");
    await expectSame("select id, name, count(*), max(id) as last, 1.5, null from owner");
    await expectSame("select * from owner where id = 'none'");
    await expectSame("update owner set name = name || '!' returning name");
    await expectSame("update owner set name = 'x' where id = 'none'");
    await expectSame("select count(*) as n from owner where name like ('%' || ? || '%')", [["!"]]);
    await expectSame("pragma foreign_keys");
    await expectSame("insert into thing (at) values (1700000000000), ('2026-01-01 00:00:00')");
    await expectSame("insert into thing (big, flag) values (2.0, 1), (1.9, 0)");
    await expectSame("select at, big, flag from thing");
  });

  test("for what the database refuses", async () => {
    await expectSame(ADD);
    for (const sql of [
      ADD,
      "insert into owner values ('c', 'Ann')",
      "insert into owner (id) values ('c')",
      "insert into thing (ownerId) values ('nobody')",
      "delete from owner",
      "select * from missing",
      "select missing from owner",
      "insert into owner (missing) values (1)",
      "insert into thing (id) values ('no number')",
      "select json('{')",
      "no statement",
    ]) {
      const [answer] = await expectSame(sql);
      expect(answer, sql).toMatchObject({ error: "DriverAdapterError" });
    }
  });

  test("for a number of parameters that does not fit", async () => {
    for (const args of [[], [["a"], ["b"]]] as const) {
      const [answer] = await answers(ours, "select ? as one", args);
      expect(answer).toMatchObject({ error: "RangeError" });
    }
  });

  test("for a script, and what of it comes before an error", async () => {
    const script = "insert into owner values ('s', 'S'); insert into owner values ('s', 'S');";
    for (const adapter of [ours, official]) {
      await expect((async () => adapter.executeScript(script))()).rejects.toMatchObject({
        cause: { kind: "UniqueConstraintViolation" },
      });
    }
    await expectSame("select * from owner");
  });

  test("and knows one isolation level only", async () => {
    for (const adapter of [ours, official]) {
      await expect(adapter.startTransaction("READ COMMITTED")).rejects.toMatchObject({
        cause: { kind: "InvalidIsolationLevel", level: "READ COMMITTED" },
      });
      await (await adapter.startTransaction("SERIALIZABLE")).rollback();
    }
  });
});

describe("a transaction of the SQLite adapter", () => {
  const add = (name: string) => queryOf("insert into owner values (?, ?)", [[name], [name]]);
  const names = async () => (await ours.queryRaw(queryOf("select name from owner order by name"))).rows.flat();

  test("stores what it committed and nothing that it rolled back", async () => {
    const kept = await ours.startTransaction();
    await kept.executeRaw(add("kept"));
    await kept.commit();
    const lost = await ours.startTransaction();
    await lost.executeRaw(add("lost"));
    expect((await lost.queryRaw(queryOf("select count(*) from owner"))).rows).toEqual([[2]]);
    await lost.rollback();
    expect(await names()).toEqual(["kept"]);
  });

  test("keeps everybody else out: a rollback undoes no neighbour's write, of Prisma, raw or a list", async () => {
    const lost = await ours.startTransaction();
    await lost.executeRaw(add("lost"));
    const statement = { sql: "insert into owner values ('list', 'list')", parameters: [] };
    const neighbours = [
      ours.executeRaw(add("prisma")),
      connection.run("insert into owner values ('raw', 'raw')", [], "full"),
      connection.runAll([statement, { ...statement, sql: "update owner set name = name" }], "full"),
      ours.startTransaction().then(async (next) => {
        await next.executeRaw(add("transaction"));
        await next.commit();
      }),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    await lost.rollback();
    await Promise.all(neighbours);
    expect(await names()).toEqual(["list", "prisma", "raw", "transaction"]);
  });

  test("whose commit fails stores nothing, and lets the others in", async () => {
    await ours.executeScript("create table late (ownerId text references owner (id) deferrable initially deferred)");
    const failing = await ours.startTransaction();
    await failing.executeRaw(add("lost"));
    await failing.executeRaw(queryOf("insert into late values ('nobody')"));
    const neighbour = ours.executeRaw(add("kept"));
    await expect(failing.commit()).rejects.toMatchObject({ cause: { kind: "ForeignKeyConstraintViolation" } });
    await neighbour;
    await failing.rollback();
    expect(await names()).toEqual(["kept"]);
  });

  test("that SQLite itself rolled back accepts nothing more, and can't be committed", async () => {
    await ours.executeScript("create trigger full before insert on thing begin select raise(rollback, 'full'); end");
    const failing = await ours.startTransaction();
    await failing.executeRaw(add("lost"));
    await expect(failing.executeRaw(queryOf("insert into thing (id) values (1)"))).rejects.toThrow();
    await expect(failing.executeRaw(add("alone"))).rejects.toThrow("has ended");
    await expect(failing.commit()).rejects.toThrow();
    expect(await names()).toEqual([]);
    await ours.executeRaw(add("kept"));
    expect(await names()).toEqual(["kept"]);
  });

  test("ends once", async () => {
    const one = await ours.startTransaction();
    await one.commit();
    const two = await ours.startTransaction();
    await two.executeRaw(add("kept"));
    await one.rollback();
    await expect(one.commit()).rejects.toThrow("has ended");
    await expect(one.executeRaw(add("lost"))).rejects.toThrow("has ended");
    await two.commit();
    expect(await names()).toEqual(["kept"]);
  });
});

test("Prisma's writes share a commit with the raw ones of their turn, and fail alone", async () => {
  const said: unknown[] = [];
  const shared = new SqliteConnection(() => new Connection(":memory:", { verbose: (sql) => said.push(sql) }));
  const adapter = await sqliteAdapter(shared).connect();
  await adapter.executeScript("create table note (text text unique)");
  const insert = (text: string) => adapter.executeRaw(queryOf("insert into note values (?)", [[text]]));
  said.length = 0;
  const outcomes = await Promise.allSettled([
    insert("a"),
    shared.run("insert into note values ($1)", ["b"], "normal"),
    insert("a"),
    insert("c"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(said.filter((sql) => sql === "COMMIT")).toHaveLength(1);
  expect(await shared.run("select text from note", [], "normal")).toEqual(["a", "b", "c"].map((text) => ({ text })));
  await shared.close();
});
