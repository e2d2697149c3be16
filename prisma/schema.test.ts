import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { requireMachine } from "@/lib/testing/require-machine";
import { applyMigrations, listMigrations, pendingSchemaChange } from "../scripts/migrations.mjs";
import { startPostgres } from "../scripts/postgres-server.mjs";
import { runPrisma } from "../scripts/prisma-cli.mjs";
import { isSchemaInSync, toPostgresSchema } from "../scripts/sync-schema.mjs";

const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-schema-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("schemas", () => {
  test("of the two databases are the same (npm run db:sync-schema)", () => {
    expect(isSchemaInSync()).toBe(true);
  });

  test("differ only in provider, output and notice", () => {
    const sqlite = '// one\n// two\n\ndatasource db {\n  provider = "sqlite"\n}\n\nmodel A {\n  id String @id\n}\n';
    expect(toPostgresSchema(sqlite)).toMatch(/^\/\/ Made from .*\n\ndatasource db \{\n {2}provider = "postgresql"/);
    expect(toPostgresSchema(sqlite)).toContain("model A {\n  id String @id\n}");
  });
});

describe("SQLite migrations", () => {
  const url = `file:${path.join(directory, "new/folder/app.db")}`;

  test("make exactly what the schema says, partial index included (npm run db:migrate)", async () => {
    expect(await pendingSchemaChange("sqlite", "file::memory:")).toBe("");
  });

  test("are applied once, through Prisma's own CLI without its binary", async () => {
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
    connection.exec(`
      insert into "user" ("id", "name", "email", "updatedAt") values ('u', 'Ada', 'ada@example.test', '2026-01-01');
      insert into "agent" ("id", "updatedAt") values ('a', '2026-01-01');
      insert into "agent_version" ("id", "agentId", "number", "config", "configHash") values ('v', 'a', 1, '{}', 'h');
      insert into "thread" ("id", "ownerId", "agentId", "clientId") values ('t', 'u', 'a', 't');
      insert into "message" ("id", "threadId", "runId", "position", "role", "content") values ('m', 't', 'r', 1, 'user', 'hi');
      insert into "run" ("id", "threadId", "ownerId", "agentId", "agentVersionId", "traceId", "status", "input",
        "assistantMessageId") values ('r', 't', 'u', 'a', 'v', 'tr', 'completed', '{}', 'am');`);
    for (const name of later) run(name);
    const thread = connection.prepare('select "summary", "compactionCount" from "thread"').get();
    expect(thread).toEqual({ summary: null, compactionCount: 0 });
    expect(connection.prepare('select "content" from "message"').pluck().get()).toBe("hi");
    expect(connection.prepare('select "status" from "run"').pluck().get()).toBe("completed");
    expect(connection.pragma("foreign_key_check")).toEqual([]);
  });

  test("refuse a database of a newer version in words", async () => {
    const connection = new Connection(url.slice("file:".length));
    connection.exec(`update "_prisma_migrations" set "migration_name" = '9999_future'`);
    connection.close();
    await expect(applyMigrations(url)).rejects.toThrow(/newer Ringmaster.*9999_future/);
  });

  test("say what is wrong when the database can't be reached", async () => {
    await expect(runPrisma("sqlite", ["migrate", "status"], "file:/dev/null/none.db")).rejects.toThrow(/P1001|P1003/);
  });
});

describe.skipIf(!requireMachine("postgresql"))("Postgres migrations", () => {
  test("make exactly what the schema says, and are applied once", async () => {
    const server = await startPostgres();
    try {
      expect(await pendingSchemaChange("postgresql", server.url)).toBe("");
      expect(await applyMigrations(server.url)).toEqual(listMigrations("postgresql").map(({ name }) => name));
      expect(await applyMigrations(server.url)).toEqual([]);
      expect(await runPrisma("postgresql", ["migrate", "status"], server.url)).toContain("up to date");
    } finally {
      await server.stop();
    }
  });
});
