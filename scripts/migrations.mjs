// Migrations of both databases: writing them from a changed schema, and applying what a database lacks.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import pg from "pg";
import {
  applyToPostgres,
  applyToSqlite,
  DatabaseRefused,
  refuseHalfApplied,
  refuseReadOnly,
} from "./apply-migrations.mjs";
import { projectDirectory, providerOf, runPrisma } from "./prisma-cli.mjs";

const RECORDS =
  'select "migration_name" as name, "checksum", "finished_at" is null as cut from "_prisma_migrations" where "rolled_back_at" is null';

/** `{name, checksum}` of every migration of `provider`, oldest first. */
export function listMigrations(provider) {
  return readdirSync(migrationsDirectory(provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, checksum: createHash("sha256").update(readMigration(provider, name)).digest("hex") }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** SQL that leads from what the migrations make to what the schema says; empty when they agree. */
export async function pendingSchemaChange(provider, databaseUrl) {
  const from =
    listMigrations(provider).length === 0 ? ["--from-empty"] : ["--from-migrations", migrationsDirectory(provider)];
  const to = ["--to-schema", path.join(projectDirectory, "prisma", provider, "schema.prisma")];
  const sql = await runPrisma(provider, ["migrate", "diff", ...from, ...to, "--script"], databaseUrl);
  return sql.includes("-- This is an empty migration.") ? "" : sql.trim();
}

/** Writes one new migration for `provider` when its schema has changed; returns its name or null. */
export async function writeMigration(provider, title, databaseUrl) {
  const sql = await pendingSchemaChange(provider, databaseUrl);
  if (sql === "") return null;
  const isFirst = listMigrations(provider).length === 0;
  const name = isFirst ? "0_init" : nameMigration(title);
  const directory = path.join(migrationsDirectory(provider), name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, "migration.sql"), `${sql}\n`);
  return name;
}

/** A name that comes last in their order by name: behind the first ones, numbered 0 to 7, in the order of their making. */
export function nameMigration(title) {
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  return `8_${time}_${title}`;
}

/** Brings the database at `databaseUrl` up to date; returns the names of the migrations that it lacked. */
export async function applyMigrations(databaseUrl) {
  const provider = providerOf(databaseUrl);
  if (provider === "sqlite") {
    const file = databaseUrl.slice("file:".length);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    refuseReadOnly(file);
  }
  const records = await readRecords(provider, databaseUrl);
  refuseHalfApplied(records.filter(({ cut }) => cut).map(({ name }) => name));
  const applied = new Map(records.map(({ name, checksum }) => [name, checksum]));
  const known = listMigrations(provider);
  const unknown = [...applied.keys()].filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    const message = `The database was made by a newer Ringmaster (it has ${unknown.join(", ")}). Start that version, or restore a backup of this one.`;
    throw new DatabaseRefused(message);
  }
  const missing = known
    .filter(({ name }) => !applied.has(name))
    .map((migration) => ({ ...migration, sql: readMigration(provider, migration.name).toString() }));
  if (missing.length === 0) return [];
  if (provider === "sqlite") applyToSqlite(databaseUrl.slice("file:".length), missing);
  else await withPostgres(databaseUrl, (client) => applyToPostgres(client, missing));
  return missing.map((migration) => migration.name);
}

/** Runs all migrations on a new database without Prisma's CLI and its records: milliseconds, for tests. */
export async function applyDirectly(databaseUrl) {
  const provider = providerOf(databaseUrl);
  const scripts = listMigrations(provider).map(({ name }) => readMigration(provider, name).toString());
  if (provider === "postgresql") return withPostgres(databaseUrl, (client) => client.query(scripts.join("\n")));
  const connection = new Connection(databaseUrl.slice("file:".length));
  connection.exec(scripts.join("\n"));
  connection.close();
}

function readRecords(provider, databaseUrl) {
  return provider === "sqlite" ? readSqlite(databaseUrl.slice("file:".length)) : readPostgres(databaseUrl);
}

function readSqlite(file) {
  if (!existsSync(file)) return [];
  const connection = new Connection(file, { timeout: 5000 });
  try {
    const table = connection.prepare("select 1 from sqlite_master where name = '_prisma_migrations'").get();
    return table === undefined ? [] : connection.prepare(RECORDS).all();
  } finally {
    connection.close();
  }
}

function readPostgres(databaseUrl) {
  return withPostgres(databaseUrl, async (client) => {
    const table = await client.query("select to_regclass('_prisma_migrations') as name");
    return table.rows[0].name === null ? [] : (await client.query(RECORDS)).rows;
  });
}

async function withPostgres(connectionString, action) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

function migrationsDirectory(provider) {
  return path.join(projectDirectory, "prisma", provider, "migrations");
}

function readMigration(provider, name) {
  return readFileSync(path.join(migrationsDirectory(provider), name, "migration.sql"));
}
