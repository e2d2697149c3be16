import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { POSTGRES_TEMPLATE } from "@/lib/testing/databases/postgres-template";

/** A migrated, empty database for one test. */
export interface TestDatabase {
  readonly database: Database;
  /** For a child process or a second client. */
  readonly url: string;
  /** Closes the database and discards its content. */
  close(): Promise<void>;
}

/**
 * A fresh database of the vitest project's kind: every test that calls this, directly or through a fixture, runs on
 * SQLite (project `node`) and on Postgres (project `postgres`).
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return inject("testDatabase") === "postgresql" ? createPostgres() : createSqlite();
}

/** A copy of this run's template (about 5 ms). */
async function createSqlite(): Promise<TestDatabase> {
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

/** Numbers of the databases in use by tests of this process. */
const used = new Set<number>();

/** Databases are created once per worker (about 150 ms) and emptied for the next test (about 10 ms). */
async function createPostgres(): Promise<TestDatabase> {
  let number = 1;
  while (used.has(number)) number += 1;
  used.add(number);
  const name = `test_${process.env.VITEST_POOL_ID ?? "0"}_${number}`;
  const url = inject("postgresUrl").replace(/\/postgres$/, `/${name}`);
  const database = await openEmpty(url, name);
  const close = async () => {
    await database.close();
    used.delete(number);
  };
  return { database, url, close };
}

async function openEmpty(url: string, name: string): Promise<Database> {
  try {
    const database = await openDatabase(url);
    await database.raw(EMPTY);
    return database;
  } catch (error) {
    if (!isMissing(error)) throw error;
    await onServer(`CREATE DATABASE ${name} TEMPLATE ${POSTGRES_TEMPLATE}`);
    return openDatabase(url);
  }
}

/** Ends the connections left by a killed process, and deletes all rows. */
const EMPTY = `do $$ declare name text; begin
  perform pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('delete from %I', name);
  end loop;
  delete from pgboss.job;
end $$`;

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "3D000";
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
