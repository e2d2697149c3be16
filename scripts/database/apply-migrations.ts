// Brings a database up to date: each migration with its record in one transaction, so that a process killed meanwhile
// leaves nothing behind. The records are those of Prisma's own `migrate deploy`, which takes more than a second and
// stops half-way.
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import type pg from "pg";
import { z } from "zod";
import { migrateJobs } from "@/lib/server/platform/db/job-queue";
import { compareWithKnown } from "@/lib/server/platform/db/migrations/compare-migrations";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { VERSION } from "@/lib/server/platform/version";
import { typed } from "../installation";
import { knownMigrations, type MigrationScript, readMigrations } from "./migration-files";
import { type Provider, providerOf } from "./run-prisma";

/** What a migration leaves in the table `setting` of the database: which version it is of, and which may open it. */
const SCHEMA_KEY = "schema";
const SchemaVersion = z.object({ schemaVersion: z.string(), minimumProgram: z.string() });

/** The last commit that had the migrations of before the first release. */
const LAST_BEFORE_BASELINE = "f14d9968";
const CONFIGURATION_ERROR = 78;

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

/** A newer version wrote the database. Programs that restart what ends do not restart it after this exit code. */
export class DatabaseNewer extends DatabaseRefused {
  readonly exitCode = CONFIGURATION_ERROR;
}

interface Found {
  readonly records: Records;
  /** The oldest version that may open it, if it names one. */
  readonly minimumProgram: string | null;
}

interface Plan {
  readonly missing: readonly MigrationScript[];
  /** The records of before the first release are all there: the first migration takes their place without running. */
  readonly adopted: MigrationScript | null;
}

/** Brings the database at `databaseUrl` up to date; returns the names of the migrations it lacked. */
export async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const provider = providerOf(databaseUrl);
  if (provider === "postgresql") return withPostgres(databaseUrl, (client) => migratePostgres(client, databaseUrl));
  const file = sqliteFile(databaseUrl);
  makeFolder(path.dirname(file), 0o700);
  refuseReadOnly(file);
  const plan = planFor(provider, readSqlite(file));
  if (plan.adopted !== null) adoptSqlite(file, plan.adopted);
  if (plan.missing.length > 0) applyToSqlite(file, plan.missing);
  return plan.missing.map(({ name }) => name);
}

/** Several processes may start at once: one migrates while the others wait, and find nothing left to do. */
async function migratePostgres(client: pg.Client, databaseUrl: string): Promise<string[]> {
  await client.query("select pg_advisory_lock(hashtextextended('ringmaster migrations', 0))");
  const { missing, adopted } = planFor("postgresql", await readPostgres(client));
  if (adopted !== null) await inTransaction(client, () => adoptPostgres(client, adopted));
  if (missing.length > 0) await applyToPostgres(client, missing);
  await migrateJobs(databaseUrl);
  return missing.map(({ name }) => name);
}

/**
 * The migrations that the database has, lacks, and has without this program knowing them; changes nothing. `refusal` says
 * why it can't be brought up to date. Throws DatabaseRefused if this user may not write it.
 */
export async function compareMigrations(
  databaseUrl: string,
): Promise<Record<"applied" | "missing" | "unknown", string[]> & { readonly refusal: DatabaseRefused | null }> {
  const provider = providerOf(databaseUrl);
  if (provider === "sqlite") refuseReadOnly(sqliteFile(databaseUrl));
  const found =
    provider === "postgresql" ? await withPostgres(databaseUrl, readPostgres) : readSqlite(sqliteFile(databaseUrl));
  const applied = found.records.map(({ name }) => name);
  const { missing, unknown } = compareWithKnown(applied, knownMigrations(provider));
  return { applied, missing, unknown, refusal: refusalOf(provider, found) };
}

/** Whether the SQLite database has exactly the migrations of this version; cheap enough for each start. */
export function isMigrated(databaseUrl: string): boolean {
  const file = sqliteFile(databaseUrl);
  refuseReadOnly(file);
  const found = readSqlite(file);
  if (refusalOf("sqlite", found) !== null) return false;
  const applied = new Set(found.records.map(({ name }) => name));
  const { names } = knownMigrations("sqlite");
  return applied.size === names.length && names.every((name) => applied.has(name));
}

/** What brings a database in this state up to date. Throws DatabaseRefused if nothing can. */
function planFor(provider: Provider, found: Found): Plan {
  const refusal = refusalOf(provider, found);
  if (refusal !== null) throw refusal;
  const scripts = readMigrations(provider);
  const names = found.records.map(({ name }) => name);
  const { missing, folded } = compareWithKnown(names, knownMigrations(provider));
  return {
    missing: scripts.filter(({ name }) => missing.includes(name)),
    adopted: folded === "all" ? (scripts[0] ?? null) : null,
  };
}

function refusalOf(provider: Provider, { records, minimumProgram }: Found): DatabaseRefused | null {
  const cut = records.filter((record) => record.cut).map(({ name }) => name);
  if (cut.length > 0) return halfApplied(cut);
  const { unknown, folded } = compareWithKnown(
    records.map(({ name }) => name),
    knownMigrations(provider),
  );
  if (unknown.length > 0 || isNewer(minimumProgram, VERSION)) return newer(unknown, minimumProgram);
  if (folded !== "some") return null;
  return new DatabaseRefused(
    `The database is of a state before the first release, ${VERSION} can't take it from there. Start the commit ${LAST_BEFORE_BASELINE} once, which brings it up to that release, then this version.`,
  );
}

/** Compares versions like 0.10.2 number by number. */
function isNewer(version: string | null, than: string): boolean {
  return version !== null && version.localeCompare(than, "en", { numeric: true }) > 0;
}

/** Runs all migrations on a new database without records: milliseconds, for tests. @internal */
export async function applyDirectly(databaseUrl: string): Promise<void> {
  const provider = providerOf(databaseUrl);
  const sql = readMigrations(provider)
    .map((migration) => migration.sql)
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

/** Prisma's CLI, which earlier versions used, was stopped in the middle of a migration. */
function halfApplied(names: readonly string[]): DatabaseRefused {
  return new DatabaseRefused(
    `The database was left in the middle of the migration ${names.join(", ")}. ` +
      `Restore the last backup with \`${typed("restore <backup>")}\`, or move the database away to start with an empty one.`,
  );
}

function newer(unknown: readonly string[], minimumProgram: string | null): DatabaseRefused {
  const has = unknown.length === 0 ? "" : ` (it has ${unknown.join(", ")})`;
  const version = isNewer(minimumProgram, VERSION) ? `version ${minimumProgram} or newer` : "that version";
  return new DatabaseNewer(
    `The database was written by a newer version of Ringmaster${has}; this is ${VERSION}. Start ${version}, or restore a backup of this one.`,
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
    const before = countDangling(connection);
    for (const migration of migrations) {
      connection.transaction(() => applyOne(connection, migration, before)).immediate();
    }
  } finally {
    connection.close();
  }
}

function adoptSqlite(file: string, baseline: MigrationScript): void {
  const connection = new Connection(file, { timeout: 5000 });
  try {
    connection
      .transaction(() => {
        connection.exec('delete from "_prisma_migrations"');
        record(connection, baseline);
      })
      .immediate();
  } finally {
    connection.close();
  }
}

/** `dangling`: how many rows referred to missing ones before, by another program's hand; they are not the update's. */
function applyOne(connection: Connection.Database, migration: MigrationScript, dangling: number): void {
  connection.exec(migration.sql);
  const left = countDangling(connection) - dangling;
  if (left > 0) {
    throw new DatabaseRefused(
      `${migration.name} would leave rows that refer to missing ones (${left}), so its changes were taken back. \`${typed("rollback")}\` puts back the database of before the update; report this, please.`,
    );
  }
  record(connection, migration);
}

function countDangling(connection: Connection.Database): number {
  return z.array(z.unknown()).parse(connection.pragma("foreign_key_check")).length;
}

function record(connection: Connection.Database, { name, checksum, since }: MigrationScript): void {
  connection.prepare(insertRecord("?", "?", "?")).run(randomUUID(), checksum, name);
  connection.prepare(upsertSchema("?", "?")).run(SCHEMA_KEY, schemaOf(since));
}

async function adoptPostgres(client: pg.Client, baseline: MigrationScript): Promise<void> {
  await client.query('delete from "_prisma_migrations"');
  await recordPostgres(client, baseline);
}

async function applyToPostgres(client: pg.Client, migrations: readonly MigrationScript[]): Promise<void> {
  await client.query(POSTGRES_RECORDS);
  for (const migration of migrations) {
    await inTransaction(client, async () => {
      await client.query(migration.sql);
      await recordPostgres(client, migration);
    });
  }
}

async function recordPostgres(client: pg.Client, { name, checksum, since }: MigrationScript): Promise<void> {
  await client.query(insertRecord("$1", "$2", "$3"), [randomUUID(), checksum, name]);
  await client.query(upsertSchema("$1", "$2"), [SCHEMA_KEY, schemaOf(since)]);
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

function schemaOf(since: string): string {
  return JSON.stringify({ schemaVersion: since, minimumProgram: since });
}

function upsertSchema(key: string, value: string): string {
  return `insert into "setting" ("key", "value", "updatedAt") values (${key}, ${value}, current_timestamp)
    on conflict ("key") do update set "value" = excluded."value", "updatedAt" = excluded."updatedAt"`;
}

function insertRecord(id: string, checksum: string, name: string): string {
  return `insert into "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count")
    values (${id}, ${checksum}, ${name}, current_timestamp, 1)`;
}

const SELECT_SCHEMA = `select "value" from "setting" where "key" = '${SCHEMA_KEY}'`;
const NEW: Found = { records: [], minimumProgram: null };

function readSqlite(file: string): Found {
  if (!existsSync(file)) return NEW;
  const connection = new Connection(file, { timeout: 5000 });
  try {
    const has = (name: string) => connection.prepare("select 1 from sqlite_master where name = ?").get(name);
    if (has("_prisma_migrations") === undefined) return NEW;
    const schema = has("setting") && connection.prepare(SELECT_SCHEMA).pluck().get();
    return { records: Records.parse(connection.prepare(SELECT_RECORDS).all()), minimumProgram: minimumOf(schema) };
  } finally {
    connection.close();
  }
}

async function readPostgres(client: pg.Client): Promise<Found> {
  const has = async (name: string) => (await client.query("select to_regclass($1) as name", [name])).rows[0].name;
  if ((await has("_prisma_migrations")) === null) return NEW;
  const [schema] = (await has("setting")) === null ? [] : (await client.query(SELECT_SCHEMA)).rows;
  return {
    records: Records.parse((await client.query(SELECT_RECORDS)).rows),
    minimumProgram: minimumOf(schema?.value),
  };
}

function minimumOf(schema: unknown): string | null {
  return typeof schema === "string" ? SchemaVersion.parse(JSON.parse(schema)).minimumProgram : null;
}

async function withPostgres<T>(connectionString: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  // Only here, because each start on SQLite loads this file.
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString });
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
