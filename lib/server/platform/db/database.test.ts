import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { containsText, parseTimestamp, sqlJson } from "./dialect";
import { NothingChanged } from "./errors";
import { insertRow, insertRows, updateRows } from "./kysely/row-statements";
import type { SqlStatement } from "./sql-statement";

describe("database", () => {
  let testDatabase: TestDatabase;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    await testDatabase.database.user.create({ data: { id: "usr_1", name: "Ann", email: "ann@example.org" } });
  });

  afterEach(() => testDatabase.close());

  const names = async () => (await testDatabase.database.user.findMany({ orderBy: { id: "asc" } })).map((u) => u.name);
  const rename = (name: string, id = "usr_1") => testDatabase.database.user.update({ where: { id }, data: { name } });

  test("is of the kind that these tests are for", async () => {
    const { provider } = testDatabase.database.dialect;
    const [row] = await testDatabase.database.raw(
      `select ${provider === "sqlite" ? "sqlite_version()" : "version()"} as "text"`,
    );
    expect(provider).toBe(inject("testDatabase"));
    expect(row?.text).toMatch(provider === "sqlite" ? /^3\./ : /^PostgreSQL/);
  });

  test("has no callback transaction, by type and at run time", () => {
    const callback = async () => undefined;
    // @ts-expect-error the callback form is not in the type
    expect(() => testDatabase.database.$transaction(callback)).toThrow(/list form/);
    for (const way of ["$extends", "$on", "$connect"]) expect(way in testDatabase.database).toBe(false);
  });

  test("finds a text as it is written: percent sign, underscore and backslash are letters, case is not", async () => {
    const { database } = testDatabase;
    for (const [index, name] of ["100% Wool", "1000 Wool", "read_file", "readXfile", "a\\b", "ab"].entries()) {
      await database.user.create({ data: { id: `usr_s${index}`, name, email: `${index}@example.org` } });
    }
    const found = async (text: string) => {
      const rows = await database.user.findMany({ where: { name: containsText(database.dialect, text) } });
      return rows.map((row) => row.name);
    };
    expect(await found("100% w")).toEqual(["100% Wool"]);
    expect(await found("READ_FILE")).toEqual(["read_file"]);
    expect(await found("a\\b")).toEqual(["a\\b"]);
    expect((await found("%")).toSorted()).toEqual(["100% Wool"]);
    expect(await found("wool")).toHaveLength(2);
  });

  test("stores all of a list or nothing", async () => {
    const { database } = testDatabase;
    const duplicate = { id: "usr_2", name: "Bob", email: "ann@example.org" };
    await expect(
      database.$transaction([rename("Changed"), database.user.create({ data: duplicate })]),
    ).rejects.toThrow();
    expect(await names()).toEqual(["Ann"]);
  });

  test("stores all raw statements of a list or none, and tells what each returned", async () => {
    const { database } = testDatabase;
    const set = (name: string, id: string) => ({
      sql: `update "user" set "name" = $1 where "id" = $2`,
      parameters: [name, id],
      mustChange: true,
    });
    const read = { sql: `select "name" from "user"`, parameters: [] };
    expect(await database.runAll([set("Bea", "usr_1"), read])).toEqual([[], [{ name: "Bea" }]]);
    await expect(database.runAll([set("Lost", "usr_1"), set("x", "nobody")])).rejects.toThrow(NothingChanged);
    expect(await names()).toEqual(["Bea"]);
  });

  test("a list stores nothing, whichever of its statements finds its row changed or fails", async () => {
    const { database } = testDatabase;
    const add = (key: string) => insertRow("setting", { key, value: "v", updatedAt: new Date() });
    const lost = { ...updateRows("user", { id: "nobody" }, { name: "Lost" }), mustChange: true };
    const failing = { sql: `update "setting" set "value" = null where "key" = 'stored'`, parameters: [] };
    await database.runAll([add("stored")]);
    for (let position = 0; position < 8; position += 1) {
      const others = Array.from({ length: 7 }, (_, index) => add(`${position}.${index}`));
      const withFailing = (statement: SqlStatement) => [
        ...others.slice(0, position),
        statement,
        ...others.slice(position),
      ];
      await expect(database.runAll(withFailing(lost))).rejects.toThrow(NothingChanged);
      await expect(database.runAll(withFailing(failing))).rejects.toThrow(/null|NULL/);
    }
    await expect(database.runAll([lost])).rejects.toThrow(NothingChanged);
    // The first of two is the reason.
    await expect(database.runAll([lost, failing])).rejects.toThrow(NothingChanged);
    await expect(database.runAll([failing, lost])).rejects.toThrow(/null|NULL/);
    expect(await database.raw(`select "key" from "setting"`)).toEqual([{ key: "stored" }]);
  });

  test("a failing list of raw statements does not undo a neighbour's write", async () => {
    const { database } = testDatabase;
    const now = new Date();
    const again = insertRow("user", {
      ...{ id: "usr_2", name: "Again", email: "ann@example.org" },
      ...{ createdAt: now, updatedAt: now },
    });
    const named = (name: string) => updateRows("user", { id: "usr_1" }, { name });
    const outcomes = await Promise.allSettled([
      database.runAll([named("Bea")]),
      database.runAll([named("Lost"), again]),
      database.raw(`update "user" set "role" = 'admin'`),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await database.user.findMany({ select: { name: true, role: true } })).toEqual([
      { name: "Bea", role: "admin" },
    ]);
  });

  test("statements write rows as Prisma does", async () => {
    const { database } = testDatabase;
    const createdAt = new Date("2026-01-02T03:04:05.006Z");
    const columns = { key: "text", runId: "text", threadId: "text", createdAt: "timestamp" } as const;
    const row = (key: string) => ({ key, runId: 'a "b" \n', threadId: "é", createdAt });
    await database.runAll([
      insertRows(database.dialect, "first_time", columns, [row("a"), row("b")]),
      insertRow("first_time", row("c")),
      updateRows("first_time", { key: "b", threadId: "é" }, { threadId: "th" }),
    ]);
    const stored = await database.firstTime.findMany({ orderBy: { key: "asc" } });
    expect(stored).toEqual([row("a"), { ...row("b"), threadId: "th" }, row("c")]);
  });

  test("a failing list does not undo a neighbour's write", async () => {
    const { database } = testDatabase;
    const duplicate = { id: "usr_x", name: "X", email: "ann@example.org" };
    const failing = database.$transaction([
      rename("Lost"),
      rename("Lost too"),
      database.user.create({ data: duplicate }),
    ]);
    const neighbours = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? database.auditEntry.create({
            data: { id: `a${index}`, actorId: "u", action: "x", target: "t", details: "{}" },
          })
        : database.raw(
            `insert into "audit_entry" ("id", "actorId", "action", "target", "details", "createdAt") values ($1, 'u', 'x', 't', '{}', $2)`,
            [`a${index}`, new Date()],
          ),
    );
    await expect(failing).rejects.toThrow();
    await Promise.all(neighbours);
    expect(await database.auditEntry.count()).toBe(20);
    expect(await names()).toEqual(["Ann"]);
  });

  test("keeps working after a failed list", async () => {
    const { database } = testDatabase;
    const duplicate = { id: "usr_2", name: "Bob", email: "ann@example.org" };
    await expect(database.$transaction([database.user.create({ data: duplicate })])).rejects.toThrow();
    await database.$transaction([rename("Once"), rename("Twice")]);
    expect(await names()).toEqual(["Twice"]);
  });

  test("runs lists that start together one after the other", async () => {
    const { database } = testDatabase;
    await Promise.all(["a", "b", "c", "d"].map((name) => database.$transaction([rename(name), rename(`${name}!`)])));
    expect((await names())[0]).toMatch(/^[abcd]!$/);
  });

  test("writes rows from a JSON list with one raw statement and reads them back through Prisma", async () => {
    const { database } = testDatabase;
    const createdAt = new Date("2026-05-06T07:08:09.010Z");
    const rows = [2, 1].map((seq) => ({ seq, type: "text.delta", data: JSON.stringify({ text: "a\u0000b'\"\\" }) }));
    const source = database.dialect.rows("e", { seq: "integer", type: "text", data: "text" }, "$2");
    const written = await database.raw<{ seq: number }>(
      `insert into "run_event" ("runId", "seq", "epoch", "type", "data", "createdAt")
       select $1, e."seq", 0, e."type", e."data", $3 from ${source} order by e."ordinal" returning "seq"`,
      ["run_1", sqlJson(rows), createdAt],
      "full",
    );
    expect(written.map((row) => row.seq)).toEqual([2, 1]);
    const [event] = await database.runEvent.findMany({ orderBy: { seq: "asc" } });
    expect(event).toMatchObject({ seq: 1, createdAt, data: rows[0]?.data });
  });

  test("reads every type of field from a JSON list, and NULL for a missing one", async () => {
    const { dialect, raw } = testDatabase.database;
    const columns = { t: "text", i: "integer", f: "float", b: "boolean", d: "timestamp", j: "json" } as const;
    const list = sqlJson([{ t: "x", i: 7, f: 0.5, b: true, d: "2026-05-06T07:08:09.010+00:00", j: { k: [1] } }, {}]);
    const [full, empty] = await raw<Record<string, unknown>>(`select * from ${dialect.rows("r", columns, "$1")}`, [
      list,
    ]);
    expect({ ...full, b: Boolean(full?.b), d: String(full?.d), j: JSON.parse(String(full?.j)) }).toEqual({
      t: "x",
      i: 7,
      f: 0.5,
      b: true,
      d: "2026-05-06T07:08:09.010+00:00",
      j: { k: [1] },
      ordinal: 1,
    });
    expect(empty).toEqual({ t: null, i: null, f: null, b: null, d: null, j: null, ordinal: 2 });
  });

  test("compares raw timestamps with those that Prisma wrote", async () => {
    const { database } = testDatabase;
    const { createdAt } = await database.user.findUniqueOrThrow({ where: { id: "usr_1" } });
    const sql = `select "createdAt" from "user" where "createdAt" = $1 and "createdAt" > $2`;
    const rows = await database.raw<{ createdAt: string }>(sql, [createdAt, new Date(createdAt.getTime() - 1)]);
    expect(rows.map((row) => parseTimestamp(row.createdAt))).toEqual([createdAt]);
  });

  test("reads raw timestamps to the millisecond, zeros included", async () => {
    const { database } = testDatabase;
    for (const time of ["2026-05-06T07:08:09.000", "2026-05-06T07:08:09.500", "2026-05-06T07:08:09.007"]) {
      const createdAt = new Date(`${time}Z`);
      await database.user.update({ where: { id: "usr_1" }, data: { createdAt } });
      const rows = await database.raw(`select "createdAt" from "user" where "id" = 'usr_1'`);
      expect(rows).toEqual([{ createdAt: `${time}+00:00` }]);
    }
  });

  test("a failed raw write leaves the others of its turn alone", async () => {
    const { database } = testDatabase;
    const insert = (id: string, email: string) =>
      database.raw(
        `insert into "user" ("id", "name", "email", "updatedAt") values ($1, $1, $2, $3)`,
        [id, email, new Date()],
        "full",
      );
    const outcomes = await Promise.allSettled([insert("a", "a@x"), insert("b", "ann@example.org"), insert("c", "c@x")]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await names()).toEqual(["a", "c", "Ann"]);
  });

  test("allows one running root run per thread, and any number of queued, ended and child runs", async () => {
    const { database } = testDatabase;
    const versions = { create: { id: "ver_1", number: 1, config: "{}", configHash: "h" } };
    await database.agent.create({ data: { id: "default", versions } });
    const thread = { id: "th_1", ownerId: "usr_1", agentId: "default", clientId: "c" };
    await database.thread.create({ data: thread });
    const run = (id: string, status: string, parentRunId: string | null = null) => {
      const ids = { id, threadId: "th_1", ownerId: "usr_1", agentId: "default", agentVersionId: "ver_1", traceId: id };
      return database.run.create({ data: { ...ids, status, parentRunId, input: "{}", assistantMessageId: id } });
    };
    await run("r1", "running");
    for (const status of ["queued", "completed", "queued", "failed"]) await run(`r-${Math.random()}`, status);
    await run("child", "running", "r1");
    await expect(run("r2", "running")).rejects.toThrow();
    await expect(run("r3", "waiting")).rejects.toThrow();
  });
});
