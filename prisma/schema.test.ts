import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations } from "../scripts/database/apply-migrations";
import { readMigrations } from "../scripts/database/migration-files";
import { type PostgresServer, startPostgres } from "../scripts/database/postgres-server";
import { runPrisma } from "../scripts/database/run-prisma";
import { toPostgresSchema } from "../scripts/database/sync-schema";
import { nameMigration, pendingSchemaChange } from "../scripts/database/write-migration";

const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-schema-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

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
    const names = readMigrations("sqlite").map(({ name }) => name);
    const next = nameMigration("a_title");
    expect([next, ...names].sort().at(-1)).toBe(next);
    expect([next, ...names].sort((a, b) => a.localeCompare(b, "en")).at(-1)).toBe(next);
  });

  test("are applied once, with the records of Prisma's own CLI", async () => {
    const names = readMigrations("sqlite").map((migration) => migration.name);
    expect(await applyMigrations(url)).toEqual(names);
    expect(await applyMigrations(url)).toEqual([]);
    expect(await runPrisma("sqlite", ["migrate", "status"], url)).toContain("up to date");
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
    expect(await applyMigrations(server.url)).toEqual(readMigrations("postgresql").map(({ name }) => name));
    expect(await applyMigrations(server.url)).toEqual([]);
    expect(await runPrisma("postgresql", ["migrate", "status"], server.url)).toContain("up to date");
  });
});
