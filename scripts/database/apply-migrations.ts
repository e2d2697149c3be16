// Brings a database up to date: each migration with its record in one transaction, so that a process killed meanwhile
// leaves nothing behind. The records are those of Prisma's own `migrate deploy`, which takes more than a second and
// stops half-way.
import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import pg from "pg";
import { z } from "zod";
import { migrateJobs } from "@/lib/server/platform/db/job-queue";
import { typed } from "../installation";
import { projectDirectory } from "../project-directory";
import { type Provider, providerOf } from "./run-prisma";

interface Migration {
  readonly name: string;
  readonly checksum: string;
}

interface MigrationScript extends Migration {
  readonly sql: string;
}

const Records = z.array(
  z.object({ name: z.string(), checksum: z.string(), cut: z.union([z.boolean(), z.number().transform(Boolean)]) }),
);

type Records = z.infer<typeof Records>;

const SELECT_RECORDS =
  'select "migration_name" as name, "checksum", "finished_at" is null as cut from "_prisma_migrations" where "rolled_back_at" is null';

const SQLITE_RECORDS = `create table if not exists "_prisma_migrations" (
  "id" text primary key not null, "checksum" text not null, "finished_at" datetime, "migration_name" text not null,
  "logs" text, "rolled_back_at" datetime, "started_at" datetime not null default current_timestamp,
  "applied_steps_count" integer unsigned not null default 0)`;

const POSTGRES_RECORDS = `create table if not exists "_prisma_migrations" (
  "id" varchar(36) primary key, "checksum" varchar(64) not null, "finished_at" timestamptz,
  "migration_name" varchar(255) not null, "logs" text, "rolled_back_at" timestamptz,
  "started_at" timestamptz not null default now(), "applied_steps_count" integer not null default 0)`;

/** The database can't be used as it is; the message tells a person what to do. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
}

/** Brings the database at `databaseUrl` up to date; returns the names of the migrations it lacked. */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const provider = providerOf(databaseUrl);
  if (provider === "sqlite") {
    const file = sqliteFile(databaseUrl);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    refuseReadOnly(file);
  }
  if (provider === "postgresql") return withPostgres(databaseUrl, (client) => migratePostgres(client, databaseUrl));
  const missing = missingOf(provider, readSqlite(sqliteFile(databaseUrl)));
  if (missing.length > 0) applyToSqlite(sqliteFile(databaseUrl), missing);
  return missing.map(({ name }) => name);
}

/** Several processes may start at once: one migrates while the others wait, and find nothing left to do. */
async function migratePostgres(client: pg.Client, databaseUrl: string): Promise<string[]> {
  await client.query("select pg_advisory_lock(hashtextextended('ringmaster migrations', 0))");
  const missing = missingOf("postgresql", await readPostgres(client));
  if (missing.length > 0) await applyToPostgres(client, missing);
  await migrateJobs(databaseUrl);
  return missing.map(({ name }) => name);
}

/**
 * The migrations that the database has, lacks, has without this program knowing them, and has in part; changes nothing.
 * Throws DatabaseRefused if this user may not write it.
 */
export async function compareMigrations(
  databaseUrl: string,
): Promise<Record<"applied" | "missing" | "unknown" | "cut", string[]>> {
  const provider = providerOf(databaseUrl);
  if (provider === "sqlite") refuseReadOnly(sqliteFile(databaseUrl));
  const records =
    provider === "postgresql" ? await withPostgres(databaseUrl, readPostgres) : readSqlite(sqliteFile(databaseUrl));
  const applied = records.map(({ name }) => name);
  const known = listMigrations(provider).map(({ name }) => name);
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    cut: records.filter(({ cut }) => cut).map(({ name }) => name),
  };
}

/** The migrations that a database with these records lacks, oldest first. Throws if it can't be brought up to date. */
function missingOf(provider: Provider, records: Records): MigrationScript[] {
  refuseHalfApplied(records);
  const known = listMigrations(provider);
  refuseNewer(records, known);
  const applied = new Set(records.map(({ name }) => name));
  return known
    .filter(({ name }) => !applied.has(name))
    .map((migration) => ({ ...migration, sql: readMigration(provider, migration.name).toString() }));
}

/** Runs all migrations on a new database without records: milliseconds, for tests. @internal */
export async function applyDirectly(databaseUrl: string): Promise<void> {
  const provider = providerOf(databaseUrl);
  const sql = listMigrations(provider)
    .map(({ name }) => readMigration(provider, name).toString())
    .join("\n");
  if (provider === "postgresql") {
    await withPostgres(databaseUrl, (client) => client.query(sql));
    return migrateJobs(databaseUrl);
  }
  const connection = new Connection(sqliteFile(databaseUrl));
  connection.pragma("auto_vacuum = INCREMENTAL");
  connection.exec(sql);
  connection.close();
}

/** Every migration of `provider`, oldest first. */
export function listMigrations(provider: Provider): Migration[] {
  return readdirSync(migrationsDirectory(provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, checksum: createHash("sha256").update(readMigration(provider, name)).digest("hex") }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

export function migrationsDirectory(provider: Provider): string {
  return path.join(projectDirectory, "prisma", provider, "migrations");
}

/**
 * Checked before SQLite opens the file: next to a read-only file it would create files that are not writable either,
 * and those would remain after the file itself has been corrected.
 */
export function refuseReadOnly(file: string, isWritable: (file: string) => boolean = mayWrite): void {
  const refused = [file, `${file}-wal`, `${file}-shm`].filter((name) => existsSync(name) && !isWritable(name));
  if (refused.length === 0) return;
  const these = refused.length === 1 ? "this file" : "these files";
  throw new DatabaseRefused(
    `this user may not write ${these} of the database: ${refused.join(", ")}. Give this user the right (chmod u+w, chown), or mount the file system for writing; then start again.`,
  );
}

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Refuses a database in which Prisma's CLI, which earlier versions used, was stopped in the middle of a migration. */
function refuseHalfApplied(records: Records): void {
  const names = records.filter(({ cut }) => cut).map(({ name }) => name);
  if (names.length === 0) return;
  throw new DatabaseRefused(
    `The database was left in the middle of the migration ${names.join(", ")}. ` +
      `Restore the last backup with \`${typed("restore <backup>")}\`, or move the database away to start with an empty one.`,
  );
}

function refuseNewer(records: Records, known: readonly Migration[]): void {
  const unknown = records.map(({ name }) => name).filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length === 0) return;
  throw new DatabaseRefused(
    `The database was created by a newer version of Ringmaster (it has ${unknown.join(", ")}). Start that version, or restore a backup of this one.`,
  );
}

/** `migrations` oldest first. */
export function applyToSqlite(file: string, migrations: readonly MigrationScript[]): void {
  const connection = new Connection(file, { timeout: 5000 });
  try {
    // Applies to a new file only; an old one is converted by `npm run db:compact`.
    connection.pragma("auto_vacuum = INCREMENTAL");
    connection.pragma("journal_mode = WAL");
    // Rebuilding a table must not cascade; inside a transaction the migration's own pragma has no effect.
    connection.pragma("foreign_keys = OFF");
    connection.exec(SQLITE_RECORDS);
    for (const migration of migrations) connection.transaction(() => applyOne(connection, migration)).immediate();
  } finally {
    connection.close();
  }
}

function applyOne(connection: Connection.Database, { name, checksum, sql }: MigrationScript): void {
  connection.exec(sql);
  const broken = z.array(z.unknown()).parse(connection.pragma("foreign_key_check"));
  if (broken.length > 0) throw new Error(`${name} leaves ${broken.length} rows that refer to missing ones.`);
  connection.prepare(insertRecord("?", "?", "?")).run(randomUUID(), checksum, name);
}

async function applyToPostgres(client: pg.Client, migrations: readonly MigrationScript[]): Promise<void> {
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

function insertRecord(id: string, checksum: string, name: string): string {
  return `insert into "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
    values (${id}, ${checksum}, ${name}, current_timestamp, 1)`;
}

function readSqlite(file: string): Records {
  if (!existsSync(file)) return [];
  const connection = new Connection(file, { timeout: 5000 });
  try {
    const table = connection.prepare("select 1 from sqlite_master where name = '_prisma_migrations'").get();
    return table === undefined ? [] : Records.parse(connection.prepare(SELECT_RECORDS).all());
  } finally {
    connection.close();
  }
}

async function readPostgres(client: pg.Client): Promise<Records> {
  const table = await client.query("select to_regclass('_prisma_migrations') as name");
  return table.rows[0].name === null ? [] : Records.parse((await client.query(SELECT_RECORDS)).rows);
}

async function withPostgres<T>(connectionString: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

function sqliteFile(databaseUrl: string): string {
  return databaseUrl.slice("file:".length);
}

function readMigration(provider: Provider, name: string): Buffer {
  return readFileSync(path.join(migrationsDirectory(provider), name, "migration.sql"));
}
