import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations, listMigrations } from "../scripts/database/apply-migrations";
import { type PostgresServer, startPostgres } from "../scripts/database/postgres-server";
import { runPrisma } from "../scripts/database/run-prisma";
import { toPostgresSchema } from "../scripts/database/sync-schema";
import { nameMigration, pendingSchemaChange } from "../scripts/database/write-migration";

const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-schema-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a database of the first version may hold. */
const OLD_ROWS = `
  insert into "user" ("id", "name", "email", "updatedAt") values ('u', 'Ada', 'ada@example.test', '2026-01-01');
  insert into "agent" ("id", "updatedAt") values ('a', '2026-01-01');
  insert into "agent_version" ("id", "agentId", "number", "config", "configHash") values ('v', 'a', 1, '{}', 'h');
  insert into "thread" ("id", "ownerId", "agentId", "clientId") values ('t', 'u', 'a', 't');
  insert into "message" ("id", "threadId", "runId", "position", "role", "content") values ('m', 't', 'r', 1, 'user', 'hi');
  insert into "run" ("id", "threadId", "ownerId", "agentId", "agentVersionId", "traceId", "status", "input",
    "assistantMessageId", "inputTokens", "costUsd", "endedAt")
    values ('r', 't', 'u', 'a', 'v', 'tr', 'completed', '{}', 'am', 12, 0.5, '2026-01-01');
  insert into "trace" ("id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion", "model",
    "status", "startedAt") values ('tr', 'r', 'u', 't', 'a', 'v', 1, 'demo:demo', 'completed', '2026-01-01');`;
const KEPT_THREAD = `select "leafRunId", "compactionCount", "model", "inputTokens", "costUsd" from "thread" where "id" = 't'`;
const KEPT = { leafRunId: "r", compactionCount: 0, model: "demo:demo", inputTokens: 12, costUsd: 0.5 };

/** A thread of three runs and its subagent's, compacted and with a plan, as it was before branches. */
const ONE_PATH = `
  insert into "user" ("id", "name", "email", "updatedAt") values ('u2', 'Bo', 'bo@example.test', '2026-01-01');
  insert into "thread" ("id", "ownerId", "agentId", "clientId", "summary", "summaryCutId", "compactionCount",
    "flushedCycle") values ('t2', 'u2', 'a', 't2', 'They talked.', 'm2', 2, 2);
  insert into "run" ("id", "threadId", "ownerId", "agentId", "agentVersionId", "traceId", "status", "input",
    "assistantMessageId", "position", "parentRunId", "endedAt")
    values ('r1', 't2', 'u2', 'a', 'v', 'x', 'completed', '{}', 'am1', 1, null, '2026-01-01'),
      ('r2', 't2', 'u2', 'a', 'v', 'x', 'completed', '{}', 'am2', 3, null, '2026-01-01'),
      ('r3', 't2', 'u2', 'a', 'v', 'x', 'queued', '{}', 'am3', 7, null, null);
  insert into "todo" ("threadId", "position", "todoId", "title", "status")
    values ('t2', 1, 'b', 'Second', 'pending'), ('t2', 0, 'a', 'First', 'done');`;
const ONE_PATH_AFTERWARDS = {
  'select "id", "afterRunId", "todos" is not null as "planned" from "run" where "threadId" = \'t2\' order by "position"':
    [
      { id: "r1", afterRunId: null, planned: false },
      { id: "r2", afterRunId: "r1", planned: true },
      { id: "r3", afterRunId: "r2", planned: false },
    ],
  'select "leafRunId", "isBranched" from "thread" where "id" = \'t2\'': [{ leafRunId: "r3", isBranched: false }],
  'select "cutMessageId", "summary", "count", "flushed", "afterRunId" from "compaction" order by "flushed"': [
    { cutMessageId: "m2", summary: "They talked.", count: 2, flushed: false, afterRunId: "r3" },
    { cutMessageId: null, summary: null, count: 2, flushed: true, afterRunId: "r3" },
  ],
};
const PLAN = [
  { id: "a", title: "First", status: "done" },
  { id: "b", title: "Second", status: "pending" },
];
/** Texts from before they were folded: those with other letters are named for it, and all traces for their index. */
const OTHER_LETTERS = `
  update "thread" set "title" = 'Отпуск' where "id" = 't';
  update "thread" set "title" = 'Holidays' where "id" = 't2';
  insert into "transcript_message" ("id", "threadId", "runId", "position", "role", "parts", "text")
    values ('tm1', 't', 'r', 1, 'user', '[]', 'Straße'), ('tm2', 't', 'r', 2, 'user', '[]', 'Street');`;
const UNFOLDED = `select "kind", "id", "token" from "search_unfolded" order by "kind", "id"`;
const NAMED = [
  { kind: "thread", id: "t", token: 0 },
  { kind: "trace", id: "tr", token: 0 },
  { kind: "transcript_message", id: "tm1", token: 0 },
];
const isFolding = (name: string) => name.endsWith("_fold_texts");
const isBranches = (name: string) => name.endsWith("_branches");
/** SQLite has no booleans. */
const asNumbers = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, item) => (typeof item === "boolean" ? Number(item) : item));

describe("schemas", () => {
  test("of the two databases are the same (npm run db:sync-schema)", () => {
    const [sqlite = "", postgres] = ["sqlite", "postgresql"].map((provider) =>
      readFileSync(`prisma/${provider}/schema.prisma`, "utf8"),
    );
    expect(postgres).toBe(toPostgresSchema(sqlite));
  });

  test("differ only in provider, output and notice", () => {
    const sqlite = '// one\n// two\n\ndatasource db {\n  provider = "sqlite"\n}\n\nmodel A {\n  id String @id\n}\n';
    expect(toPostgresSchema(sqlite)).toMatch(
      /^\/\/ Generated from .*\n\ndatasource db \{\n {2}provider = "postgresql"/,
    );
    expect(toPostgresSchema(sqlite)).toContain("model A {\n  id String @id\n}");
  });
});

describe("SQLite migrations", () => {
  const url = `file:${path.join(directory, "new/folder/app.db")}`;

  test("make exactly what the schema says, partial index included (npm run db:migrate)", async () => {
    expect(await pendingSchemaChange("sqlite", "file::memory:")).toBe("");
  });

  test("come last when they are new, or a fresh database would meet them before those they build on", () => {
    const names = listMigrations("sqlite").map(({ name }) => name);
    const next = nameMigration("a_title");
    expect([next, ...names].sort().at(-1)).toBe(next);
    expect([next, ...names].sort((a, b) => a.localeCompare(b, "en")).at(-1)).toBe(next);
  });

  test("are applied once, with the records of Prisma's own CLI", async () => {
    const names = listMigrations("sqlite").map((migration) => migration.name);
    expect(await applyMigrations(url)).toEqual(names);
    expect(await applyMigrations(url)).toEqual([]);
    expect(await runPrisma("sqlite", ["migrate", "status"], url)).toContain("up to date");
  });

  test("keep what a database of the first version holds", () => {
    const connection = new Connection(":memory:");
    const run = (name: string) =>
      connection.exec(readFileSync(`prisma/sqlite/migrations/${name}/migration.sql`, "utf8"));
    const [first = "", ...later] = listMigrations("sqlite").map(({ name }) => name);
    run(first);
    connection.exec(OLD_ROWS);
    for (const name of later) {
      if (isBranches(name)) connection.exec(ONE_PATH);
      if (isFolding(name)) connection.exec(OTHER_LETTERS);
      run(name);
    }
    for (const [sql, rows] of Object.entries(ONE_PATH_AFTERWARDS)) {
      expect(connection.prepare(sql).all()).toEqual(asNumbers(rows));
    }
    expect(connection.prepare(UNFOLDED).all()).toEqual(NAMED);
    const plan = connection.prepare(`select "todos" from "run" where "id" = 'r2'`).pluck().get();
    expect(JSON.parse(String(plan))).toEqual(PLAN);
    expect(connection.prepare(KEPT_THREAD).get()).toEqual(KEPT);
    expect(connection.prepare('select "content" from "message"').pluck().get()).toBe("hi");
    expect(connection.prepare('select "status" from "run" where "id" = \'r\'').pluck().get()).toBe("completed");
    expect(connection.pragma("foreign_key_check")).toEqual([]);
  });

  test("refuse a database of a newer version in words", async () => {
    const connection = new Connection(url.slice("file:".length));
    connection.exec(`update "_prisma_migrations" set "migration_name" = '9999_future'`);
    connection.close();
    await expect(applyMigrations(url)).rejects.toThrow(/newer version of Ringmaster.*9999_future/);
  });

  test("say what is wrong when the database can't be reached", async () => {
    await expect(runPrisma("sqlite", ["migrate", "status"], "file:/dev/null/none.db")).rejects.toThrow(/P1001|P1003/);
  });
});

describe.skipIf(!requireMachine("postgresql"))("Postgres migrations", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("make exactly what the schema says, and are applied once", async () => {
    expect(await pendingSchemaChange("postgresql", server.url)).toBe("");
    expect(await applyMigrations(server.url)).toEqual(listMigrations("postgresql").map(({ name }) => name));
    expect(await applyMigrations(server.url)).toEqual([]);
    expect(await runPrisma("postgresql", ["migrate", "status"], server.url)).toContain("up to date");
  });

  test("keep what a database of the first version holds", async () => {
    await server.query("create database older");
    const client = new pg.Client({ connectionString: server.url.replace(/postgres$/, "older") });
    await client.connect();
    const run = (name: string) =>
      client.query(readFileSync(`prisma/postgresql/migrations/${name}/migration.sql`, "utf8"));
    const [first = "", ...later] = listMigrations("postgresql").map(({ name }) => name);
    await run(first);
    await client.query(OLD_ROWS);
    for (const name of later) {
      if (isBranches(name)) await client.query(ONE_PATH);
      if (isFolding(name)) await client.query(OTHER_LETTERS);
      await run(name);
    }
    const rows = async (sql: string) => (await client.query(sql)).rows;
    for (const [sql, expected] of Object.entries(ONE_PATH_AFTERWARDS)) expect(await rows(sql)).toEqual(expected);
    expect(await rows(UNFOLDED)).toEqual(NAMED);
    const [planned] = await rows(`select "todos" from "run" where "id" = 'r2'`);
    expect(JSON.parse(planned.todos)).toEqual(PLAN);
    expect(await rows(KEPT_THREAD)).toEqual([KEPT]);
    expect(await rows('select "content" from "message"')).toEqual([{ content: "hi" }]);
    expect(await rows('select "status", "depth", "isBackground" from "run" where "id" = \'r\'')).toEqual([
      { status: "completed", depth: 0, isBackground: false },
    ]);
    await client.end();
  });
});
