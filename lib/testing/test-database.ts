import { randomUUID } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { describe, inject } from "vitest";
import { type Database, openDatabase } from "@/lib/server/db";
import { POSTGRES_TEMPLATE } from "./database-templates";
import { requireMachine } from "./require-machine";

/** A migrated, empty database of one test's own. */
export interface TestDatabase {
  readonly database: Database;
  /** For a child process or a second client. */
  readonly url: string;
  /** Closes and removes it. */
  close(): Promise<void>;
}

/** A fresh SQLite database, a copy of this run's template (about 5 ms). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-test-"));
  const file = path.join(directory, "test.db");
  copyFileSync(inject("sqliteTemplate"), file);
  const url = `file:${file}`;
  const database = await openDatabase(url);
  const close = async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { database, url, close };
}

/** A fresh Postgres database; the first one of a test run also starts the server. */
export async function createPostgresTestDatabase(): Promise<TestDatabase> {
  const reply = await fetch(inject("postgresBroker"));
  const server = await reply.text();
  if (!reply.ok) throw new Error(server);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${POSTGRES_TEMPLATE}`);
  const url = server.replace(/\/postgres$/, `/${name}`);
  const database = await openDatabase(url);
  // The server goes with all its databases when the test run ends.
  return { database, url, close: () => database.close() };
}

/**
 * Runs the same suite against both databases. Without Postgres on the machine its half is skipped with a warning; with
 * CI set it fails.
 */
export function describeDatabases(name: string, suite: (create: () => Promise<TestDatabase>) => void): void {
  describe(`${name} (SQLite)`, () => suite(createTestDatabase));
  describe.skipIf(!requireMachine("postgresql"))(`${name} (Postgres)`, () => suite(createPostgresTestDatabase));
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
