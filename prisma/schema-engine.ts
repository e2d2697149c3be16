#!/usr/bin/env node
// Replaces Prisma's native `schema-engine`, which the CLI would download: it speaks the same JSON-RPC over stdio,
// served by @prisma/schema-engine-wasm and a driver adapter. Named by PRISMA_SCHEMA_ENGINE_BINARY
// (scripts/database/run-prisma.ts). The CLI starts it as a program without Node options, so it imports only packages.
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import { z } from "zod";

const PRINT_ID_OFFSET = 1_000_000;
const RPC_ERROR = 4466;
const NEEDS_MIGRATIONS_TABLE = /devDiagnostic|diagnoseMigrationHistory|applyMigrations|createMigration|markMigration/;
const POSTGRES_INTERNAL_CHAR = 18;
const POSTGRES_BPCHAR = 1042;
/** One statement: comments, texts and the bodies of functions may have semicolons. */
const STATEMENT = /(?:--[^\n]*|'(?:[^']|'')*'|\$\$.*?\$\$|[^;'$-]|[$-])+/gs;
const PARTIAL_INDEX_QUERY = /^(SELECT sql FROM sqlite_master WHERE type = 'index' AND name = )"([^"']+)";?$/;

const Datasource = z.object({ url: z.string().default("file::memory:") });
const Call = z.object({ id: z.number(), method: z.string().optional(), params: z.unknown() });
const Printed = z.object({ stdout: z.string() });
const Failure = z
  .object({ code: z.union([z.string(), z.number()]).nullish(), meta: z.unknown() })
  .catch({ code: null, meta: null });

/** The engine's calls, by the names that the CLI sends. */
type Engine = Readonly<Record<string, (params: unknown) => Promise<unknown>>>;

const { url } = Datasource.parse(JSON.parse(optionValues("--datasource")[0] ?? "{}"));
const isPostgres = /^postgres(ql)?:/.test(url);

if (process.argv.includes("cli")) await answerCommand();
else await serve();
process.exit(0);

function optionValues(name: string): string[] {
  return process.argv.flatMap((argument, index) => (argument === name ? [process.argv[index + 1] ?? ""] : []));
}

/** `cli can-connect-to-database` and its like: the exit code is the answer. */
async function answerCommand(): Promise<void> {
  try {
    await call(await openEngine(), "version", undefined);
  } catch (error) {
    const fields = { message: messageOf(error), error_code: Failure.parse(error).code ?? "P1001" };
    process.stderr.write(`\n${JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields })}\n`);
    process.exit(1);
  }
}

async function serve(): Promise<void> {
  let engine: Engine | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const { id, method, params } = Call.parse(JSON.parse(line));
    if (method === undefined) continue;
    try {
      engine ??= await openEngine();
      await answer(engine, { id, method, params });
    } catch (error) {
      send({ id, error: describeError(error) });
    }
  }
}

async function answer(
  engine: Engine,
  { id, method, params }: { readonly id: number; readonly method: string; readonly params: unknown },
): Promise<void> {
  // The engine reports P1014 instead of "no migrations yet" when this table is missing.
  if (NEEDS_MIGRATIONS_TABLE.test(method))
    await call(engine, "dbExecute", { datasourceType: { tag: "url", url }, script: migrationsTable() });
  const result = await call(engine, method === "getDatabaseVersion" ? "version" : method, params);
  const printed = method === "diff" ? Printed.safeParse(result).data : undefined;
  if (printed !== undefined) send({ id: PRINT_ID_OFFSET + id, method: "print", params: { content: printed.stdout } });
  send({ id, result: result ?? null });
}

async function call(engine: Engine, method: string, params: unknown): Promise<unknown> {
  const found = engine[method];
  if (found === undefined) throw new Error(`The schema engine has no method ${method}.`);
  return found.call(engine, params);
}

async function openEngine(): Promise<Engine> {
  const directory = path.dirname(fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm")));
  const module = new WebAssembly.Module(readFileSync(path.join(directory, "schema_engine_bg.wasm")));
  const { exports } = new WebAssembly.Instance(module, { "./schema_engine_bg.js": { ...glue } });
  glue.__wbg_set_wasm(exports);
  if (typeof exports.__wbindgen_start === "function") exports.__wbindgen_start();
  const datamodels = optionValues("--datamodels").map((file): [string, string] => [file, readFileSync(file, "utf8")]);
  const engine: unknown = await glue.SchemaEngine.new(
    { datamodels: datamodels.length === 0 ? undefined : datamodels },
    () => undefined,
    await createEngineAdapter(),
  );
  return engine as Engine;
}

function migrationsTable(): string {
  const text = (length: number) => (isPostgres ? `VARCHAR(${length})` : "TEXT");
  const [time, now] = isPostgres ? ["TIMESTAMPTZ", "now()"] : ["DATETIME", "current_timestamp"];
  return `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" ${text(36)} PRIMARY KEY NOT NULL,
    "checksum" ${text(64)} NOT NULL,
    "finished_at" ${time},
    "migration_name" ${text(255)} NOT NULL,
    "logs" TEXT,
    "rolled_back_at" ${time},
    "started_at" ${time} NOT NULL DEFAULT ${now},
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  );`;
}

/** The adapter factory, bound as @prisma/schema-engine-wasm wants it. */
async function createEngineAdapter() {
  const factory = isPostgres ? await createPostgresFactory() : await createSqliteFactory();
  const connect = factory.connect.bind(factory);
  const connectToShadowDb = factory.connectToShadowDb.bind(factory);
  factory.connect = async () => correctQueries(await connect());
  factory.connectToShadowDb = async () => correctQueries(await connectToShadowDb());
  return bindMigrationAwareSqlAdapterFactory(factory);
}

async function createSqliteFactory(): Promise<SqlMigrationAwareDriverAdapterFactory> {
  const { PrismaBetterSqlite3 } = await import("@prisma/adapter-better-sqlite3");
  return new PrismaBetterSqlite3({ url });
}

async function createPostgresFactory(): Promise<SqlMigrationAwareDriverAdapterFactory> {
  const { default: pg } = await import("pg");
  const { parseIntoClientConfig } = await import("pg-connection-string");
  const { PrismaPg } = await import("@prisma/adapter-pg");
  presentInternalCharAsText(pg.Result.prototype);
  const config = parseIntoClientConfig(url);
  const factory: SqlMigrationAwareDriverAdapterFactory = new PrismaPg(config);
  // The adapter's own shadow database drops before it disconnects, and a connectionString overrides its name.
  factory.connectToShadowDb = async () => {
    const main = await factory.connect();
    const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
    await main.executeScript(`CREATE DATABASE "${database}"`);
    const shadow = await new PrismaPg({ ...config, database }).connect();
    const disconnect = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await disconnect();
      await main.executeScript(`DROP DATABASE "${database}"`);
      await main.dispose();
    };
    return shadow;
  };
  return factory;
}

/** adapter-pg refuses Postgres' internal "char" type, which reading the catalogue returns. */
function presentInternalCharAsText(resultPrototype: object): void {
  const prototype = resultPrototype as { addFields(fields: readonly { dataTypeID: number }[]): void };
  const addFields = prototype.addFields;
  prototype.addFields = function addFieldsWithKnownTypes(fields) {
    for (const field of fields) {
      if (field.dataTypeID === POSTGRES_INTERNAL_CHAR) field.dataTypeID = POSTGRES_BPCHAR;
    }
    return addFields.call(this, fields);
  };
}

function correctQueries(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const executeRaw = adapter.executeRaw.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.executeRaw = async (query) => {
    // The engine sends whole migration scripts through executeRaw, which SQLite drivers refuse.
    const isScript = query.args.length === 0 && /;\s*\S/.test(query.sql);
    if (!isScript) return executeRaw(query);
    await adapter.executeScript(query.sql);
    return 0;
  };
  // Of the engine's drivers only this one cuts a script at each semicolon, also inside of a function.
  if (isPostgres) {
    adapter.executeScript = async (script) => {
      for (const [sql] of script.matchAll(STATEMENT)) {
        if (sql.trim() !== "") await executeRaw({ sql, args: [], argTypes: [] });
      }
    };
  }
  // It asks for a partial index with its name in double quotes, which better-sqlite3's SQLite takes for a column.
  adapter.queryRaw = (query) => queryRaw({ ...query, sql: query.sql.replace(PARTIAL_INDEX_QUERY, "$1'$2'") });
  return adapter;
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function describeError(error: unknown) {
  const { code = null, meta = null } = Failure.parse(error);
  const message = messageOf(error);
  return { code: RPC_ERROR, message, data: { is_panic: false, message, meta, error_code: code } };
}
