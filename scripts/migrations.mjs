// Migrations of both databases: writing them from a changed schema, and applying what a database lacks.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import pg from "pg";
import { projectDirectory, providerOf, runPrisma } from "./prisma-cli.mjs";

const APPLIED = 'select "migration_name" as name, "checksum" from "_prisma_migrations" where "finished_at" is not null';

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
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const name = isFirst ? "0_init" : `${time}_${title}`;
  const directory = path.join(migrationsDirectory(provider), name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, "migration.sql"), `${sql}\n`);
  return name;
}

/** Brings the database at `databaseUrl` up to date; returns the names of the migrations that it lacked. */
export async function applyMigrations(databaseUrl) {
  const provider = providerOf(databaseUrl);
  if (provider === "sqlite")
    mkdirSync(path.dirname(databaseUrl.slice("file:".length)), { recursive: true, mode: 0o700 });
  const applied = await readApplied(provider, databaseUrl);
  const known = listMigrations(provider);
  const unknown = [...applied.keys()].filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new Error(`The database was made by a newer Ringmaster (it has ${unknown.join(", ")}).`);
  const missing = known.filter((migration) => applied.get(migration.name) !== migration.checksum);
  // Prisma's CLI takes more than a second, which a start with nothing to do should not cost.
  if (missing.length > 0) await runPrisma(provider, ["migrate", "deploy"], databaseUrl);
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

async function readApplied(provider, databaseUrl) {
  const rows = provider === "sqlite" ? readSqlite(databaseUrl.slice("file:".length)) : await readPostgres(databaseUrl);
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function readSqlite(file) {
  if (!existsSync(file)) return [];
  const connection = new Connection(file, { timeout: 5000 });
  try {
    const table = connection.prepare("select 1 from sqlite_master where name = '_prisma_migrations'").get();
    return table === undefined ? [] : connection.prepare(APPLIED).all();
  } finally {
    connection.close();
  }
}

function readPostgres(databaseUrl) {
  return withPostgres(databaseUrl, async (client) => {
    const table = await client.query("select to_regclass('_prisma_migrations') as name");
    return table.rows[0].name === null ? [] : (await client.query(APPLIED)).rows;
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
