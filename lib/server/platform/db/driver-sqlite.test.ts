import Connection from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { openDatabase } from "./database";
import { sqliteAdapter } from "./sqlite-adapter";
import { openSqlite, SqliteConnection } from "./sqlite-connection";

const NORMAL = 1;
const FULL = 2;

describe("SQLite connection", () => {
  let testDatabase: TestDatabase;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
  });

  afterEach(() => testDatabase.close());

  const pragma = async (name: string) => Object.values((await testDatabase.database.raw(`pragma ${name}`))[0] ?? {})[0];

  test("has WAL, foreign keys, a busy timeout and NORMAL syncing, on the connection that all share", async () => {
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("foreign_keys")).toBe(1);
    expect(await pragma("busy_timeout")).toBe(10);
    expect(await pragma("synchronous")).toBe(NORMAL);
  });

  test("refuses a row whose owner does not exist", async () => {
    const orphan = { id: "th_1", ownerId: "nobody", agentId: "none", clientId: "c" };
    await expect(testDatabase.database.thread.create({ data: orphan })).rejects.toThrow();
  });

  test("returns to NORMAL after a list, a failed list and a full write", async () => {
    const { database } = testDatabase;
    const create = () => database.setting.create({ data: { key: "k", value: "v" } });
    await database.$transaction([create()]);
    await expect(database.$transaction([create()])).rejects.toThrow();
    await database.raw(`update "setting" set "value" = 'x'`, [], "full");
    expect(await pragma("synchronous")).toBe(NORMAL);
  });

  test("keeps what was written when the process opens the file again", async () => {
    await testDatabase.database.raw(`insert into "setting" values ('k', 'v', '2026-01-01T00:00:00.000+00:00')`);
    await testDatabase.database.close();
    const again = await openDatabase(testDatabase.url);
    expect(await again.setting.findUnique({ where: { key: "k" } })).toMatchObject({ value: "v" });
    await again.close();
  });

  test("while another process holds the file's lock, reads are answered and every kind of write waits", async () => {
    const { database, url } = testDatabase;
    const other = new Connection(url.slice("file:".length));
    other.exec("begin immediate");
    const create = (key: string) => database.setting.create({ data: { key, value: "v" } });
    const settled: string[] = [];
    const writes = [
      database.raw(`insert into "setting" values ('raw', 'v', '2026-01-01T00:00:00.000+00:00')`),
      database.runAll([{ sql: `delete from "setting" where "key" = 'none'`, parameters: [] }]),
      create("prisma"),
      database.$transaction([create("first"), create("second")]),
    ];
    for (const write of writes) void write.finally(() => settled.push("write"));
    for (let count = 0; count < 20; count++) {
      expect(await database.raw(`select * from "setting"`)).toEqual([]);
      expect(await database.setting.count()).toBe(0);
    }
    settled.push("reads");
    other.exec("commit");
    await Promise.all(writes);
    expect(settled[0]).toBe("reads");
    expect(await database.setting.count()).toBe(4);
    other.close();
  });

  test("a lock that stays ends the wait with the reason, and nothing is left half done", async () => {
    const { url } = testDatabase;
    const other = new Connection(url.slice("file:".length));
    other.exec("begin immediate");
    const driver = openSqlite(url, 100);
    const insert = `insert into "setting" values ('k', 'v', '2026-01-01T00:00:00.000+00:00')`;
    await expect(driver.run(insert, [], "normal")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    const adapter = await sqliteAdapter(driver).connect();
    const query = { sql: insert, args: [], argTypes: [] };
    const busy = { cause: { kind: "SocketTimeout", originalCode: "SQLITE_BUSY" } };
    await expect(adapter.executeRaw(query)).rejects.toMatchObject(busy);
    await expect(adapter.startTransaction()).rejects.toMatchObject(busy);
    other.exec("commit");
    await driver.run(insert, [], "normal");
    const transaction = await adapter.startTransaction();
    await transaction.executeRaw({ ...query, sql: `delete from "setting"` });
    await transaction.rollback();
    expect(await driver.run(`select "key" from "setting"`, [], "normal")).toEqual([{ key: "k" }]);
    await driver.close();
    other.close();
  });

  test("finishes requested writes before it closes", async () => {
    const { database, url } = testDatabase;
    const write = database.raw(`insert into "setting" values ('k', 'v', '2026-01-01T00:00:00.000+00:00')`);
    await database.close();
    await write;
    const again = await openDatabase(url);
    expect(await again.setting.count()).toBe(1);
    await again.close();
  });
});

describe("SqliteConnection", () => {
  const open = () => {
    const connection = new Connection(":memory:");
    connection.exec("create table note (text text not null)");
    return { connection, writer: new SqliteConnection(() => connection) };
  };

  test("syncs fully exactly while a full write runs", async () => {
    const { writer } = open();
    const insert = "insert into note select synchronous from pragma_synchronous returning text";
    const levels = [];
    for (const durability of ["normal", "full", "normal"] as const) {
      levels.push(...(await writer.run(insert, [], durability)).map((row) => Number(row.text)));
    }
    expect(levels).toEqual([NORMAL, FULL, NORMAL]);
  });

  test("rejects every write of a turn whose commit fails, and stores none of them", async () => {
    const { writer, connection } = open();
    connection.exec(
      "create table parent (id integer primary key); create table child (id references parent deferrable initially deferred)",
    );
    const writes = [
      writer.run("insert into note values ('lost')", [], "normal"),
      writer.run("insert into child values (7)", [], "normal"),
    ];
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(connection.inTransaction).toBe(false);
    expect(await writer.run("select * from note", [], "normal")).toEqual([]);
  });

  test("a slow commit leaves the other writes to the next turn", async () => {
    const { writer, connection } = open();
    connection.function("slow", () => {
      for (const until = performance.now() + 10; performance.now() < until; );
      return "slow";
    });
    const slow = writer.run("insert into note values (slow())", [], "normal");
    const next = writer.run("insert into note values ('next')", [], "normal");
    const stored = async () => (await writer.run("select text from note", [], "normal")).map(({ text }) => text);
    await slow;
    expect(await stored()).toEqual(["slow"]);
    await next;
    expect(await stored()).toEqual(["slow", "next"]);
  });

  test("holds raw writes back while a transaction is open", async () => {
    const { writer } = open();
    const transaction = await writer.begin();
    transaction.perform("insert into note values ('lost')", []);
    const write = writer.run("insert into note values ('kept')", [], "normal");
    await new Promise((resolve) => setImmediate(resolve));
    transaction.rollback();
    await write;
    expect(await writer.run("select * from note", [], "normal")).toEqual([{ text: "kept" }]);
  });

  test("a transaction syncs fully, and is alone until it ends", async () => {
    const { writer } = open();
    const order: string[] = [];
    const first = await writer.begin();
    expect(first.perform("select synchronous from pragma_synchronous", []).rows).toEqual([[BigInt(FULL)]]);
    const second = writer.begin().then((transaction) => {
      order.push("second entered");
      transaction.rollback();
    });
    order.push("first leaves");
    first.commit();
    await second;
    expect(order).toEqual(["first leaves", "second entered"]);
    expect(await writer.run("pragma synchronous", [], "normal")).toEqual([{ synchronous: NORMAL }]);
  });

  test("of two transactions that wait, one goes in; a write that waits goes in with neither", async () => {
    const { writer } = open();
    const first = await writer.begin();
    const inside: string[] = [];
    const transaction = async (name: string) => {
      const begun = await writer.begin();
      inside.push(`${name} in`);
      begun.perform("insert into note values ('lost')", []);
      await new Promise((resolve) => setImmediate(resolve));
      inside.push(`${name} out`);
      begun.rollback();
    };
    const others = [transaction("second"), transaction("third")];
    const write = writer.run("insert into note values ('kept')", [], "normal");
    first.rollback();
    await Promise.all([...others, write]);
    expect(inside).toEqual(["second in", "second out", "third in", "third out"]);
    expect(await writer.run("select * from note", [], "normal")).toEqual([{ text: "kept" }]);
  });

  test("a file that can't be opened rejects every kind of work, and is opened by the next when it can be", async () => {
    let isThere = false;
    const writer = new SqliteConnection(() => {
      if (!isThere) throw new Error("no such file");
      return new Connection(":memory:");
    });
    const select = { sql: "select 1 as one", parameters: [] };
    const work = [
      () => writer.run("select 1", [], "full"),
      () => writer.runAll([select], "full"),
      () => writer.perform("select 1", []),
      () => writer.begin(),
      () => writer.runScript("select 1"),
    ];
    for (const attempt of work) await expect(attempt()).rejects.toThrow("no such file");
    isThere = true;
    expect(await writer.runAll([select, select], "full")).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await writer.close();
    for (const attempt of work) await expect(attempt()).rejects.toThrow(/not open|closed/);
  });

  test("closes only when what was requested is done, transactions included", async () => {
    const { writer } = open();
    const transaction = await writer.begin();
    const write = writer.run("insert into note values ('kept') returning text", [], "full");
    const closed = writer.close();
    await new Promise((resolve) => setImmediate(resolve));
    transaction.commit();
    expect(await write).toEqual([{ text: "kept" }]);
    await closed;
  });
});
