// Applies migrations, each with its record in one transaction: a process that is killed meanwhile leaves nothing behind.
// The records are those of Prisma's own `migrate deploy`, which takes more than a second and stops half-way.
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import Connection from "better-sqlite3";

/** The database can't be used as it is; the message says to a person what to do. */
export class DatabaseRefused extends Error {
  name = "DatabaseRefused";
}

/**
 * Asked before SQLite opens the file: beside one that may only be read it would make files that nobody may write either,
 * and those would still be there when the file itself has been mended.
 */
export function refuseReadOnly(file, isWritable = mayWrite) {
  const refused = [file, `${file}-wal`, `${file}-shm`].filter((name) => existsSync(name) && !isWritable(name));
  if (refused.length === 0) return;
  const these = refused.length === 1 ? "this file" : "these files";
  throw new DatabaseRefused(
    `this user may not write ${these} of the database: ${refused.join(", ")}. Give this user the right (chmod u+w, chown), or mount the file system for writing; then start again.`,
  );
}

function mayWrite(file) {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** `migrations` are `{name, checksum, sql}`, oldest first. */
export function applyToSqlite(file, migrations) {
  const connection = new Connection(file, { timeout: 5000 });
  try {
    connection.pragma("journal_mode = WAL");
    // Rebuilding a table must not cascade; inside a transaction the migration's own pragma does nothing.
    connection.pragma("foreign_keys = OFF");
    connection.exec(SQLITE_RECORDS);
    for (const migration of migrations) connection.transaction(() => applyOne(connection, migration)).immediate();
  } finally {
    connection.close();
  }
}

function applyOne(connection, { name, checksum, sql }) {
  connection.exec(sql);
  const broken = connection.pragma("foreign_key_check");
  if (broken.length > 0) throw new Error(`${name} leaves ${broken.length} rows that point at nothing.`);
  connection.prepare(insertRecord("?", "?", "?")).run(randomUUID(), checksum, name);
}

/** The same on an open client of `pg`. */
export async function applyToPostgres(client, migrations) {
  await client.query(POSTGRES_RECORDS);
  for (const { name, checksum, sql } of migrations) {
    await client.query("begin");
    try {
      await client.query(sql);
      await client.query(insertRecord("$1", "$2", "$3"), [randomUUID(), checksum, name]);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  }
}

/** Refuses a database in which Prisma's CLI, which earlier versions used, was stopped in the middle of a migration. */
export function refuseHalfApplied(names) {
  if (names.length === 0) return;
  throw new DatabaseRefused(
    `The database was left in the middle of the migration ${names.join(", ")}. ` +
      "Restore the last backup with `npm run restore -- <backup>`, or move the database away to begin anew.",
  );
}

function insertRecord(id, checksum, name) {
  return `insert into "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
    values (${id}, ${checksum}, ${name}, current_timestamp, 1)`;
}

const SQLITE_RECORDS = `create table if not exists "_prisma_migrations" (
  "id" text primary key not null, "checksum" text not null, "finished_at" datetime, "migration_name" text not null,
  "logs" text, "rolled_back_at" datetime, "started_at" datetime not null default current_timestamp,
  "applied_steps_count" integer unsigned not null default 0)`;

const POSTGRES_RECORDS = `create table if not exists "_prisma_migrations" (
  "id" varchar(36) primary key, "checksum" varchar(64) not null, "finished_at" timestamptz,
  "migration_name" varchar(255) not null, "logs" text, "rolled_back_at" timestamptz,
  "started_at" timestamptz not null default now(), "applied_steps_count" integer not null default 0)`;
