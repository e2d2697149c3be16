#!/usr/bin/env node
// Stands in for Prisma's native `schema-engine`, which the CLI would download: it speaks the same JSON-RPC over stdio,
// served by @prisma/schema-engine-wasm and a driver adapter. Named by PRISMA_SCHEMA_ENGINE_BINARY (scripts/database.mjs).
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createEngineAdapter, isPostgres } from "./schema-engine-adapter.mjs";

const PRINT_ID_OFFSET = 1_000_000;
const RPC_ERROR = 4466;
const NEEDS_MIGRATIONS_TABLE = /devDiagnostic|diagnoseMigrationHistory|applyMigrations|createMigration|markMigration/;

const url = JSON.parse(optionValues("--datasource")[0] ?? "{}").url ?? "file::memory:";

if (process.argv.includes("cli")) await answerCommand();
else await serve();
process.exit(0);

function optionValues(name) {
  return process.argv.flatMap((argument, index) => (argument === name ? [process.argv[index + 1]] : []));
}

/** `cli can-connect-to-database` and its like: the exit code is the answer. */
async function answerCommand() {
  try {
    const engine = await openEngine();
    await engine.version();
  } catch (error) {
    const fields = { message: messageOf(error), error_code: error?.code ?? "P1001" };
    process.stderr.write(`\n${JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields })}\n`);
    process.exit(1);
  }
}

async function serve() {
  let engine;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) continue;
    try {
      engine ??= await openEngine();
      await answer(engine, id, method, params);
    } catch (error) {
      send({ id, error: describeError(error) });
    }
  }
}

async function answer(engine, id, method, params) {
  // The engine reports P1014 instead of "no migrations yet" when this table is missing.
  if (NEEDS_MIGRATIONS_TABLE.test(method)) {
    await engine.dbExecute({ datasourceType: { tag: "url", url }, script: migrationsTable() });
  }
  const result = await engine[method === "getDatabaseVersion" ? "version" : method](params);
  if (method === "diff" && typeof result?.stdout === "string") {
    send({ id: PRINT_ID_OFFSET + id, method: "print", params: { content: result.stdout } });
  }
  send({ id, result: result ?? null });
}

async function openEngine() {
  const directory = path.dirname(fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm")));
  const glue = await import(pathToFileURL(path.join(directory, "schema_engine_bg.js")).href);
  const module = new WebAssembly.Module(readFileSync(path.join(directory, "schema_engine_bg.wasm")));
  const instance = new WebAssembly.Instance(module, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const datamodels = optionValues("--datamodels").map((file) => [file, readFileSync(file, "utf8")]);
  const ignoreLog = () => undefined;
  return glue.SchemaEngine.new(
    { datamodels: datamodels.length === 0 ? undefined : datamodels },
    ignoreLog,
    await createEngineAdapter(url),
  );
}

function migrationsTable() {
  const text = (length) => (isPostgres(url) ? `VARCHAR(${length})` : "TEXT");
  const [time, now] = isPostgres(url) ? ["TIMESTAMPTZ", "now()"] : ["DATETIME", "current_timestamp"];
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

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function messageOf(error) {
  return String(error?.message ?? error);
}

function describeError(error) {
  const data = {
    is_panic: false,
    message: messageOf(error),
    meta: error?.meta ?? null,
    error_code: error?.code ?? null,
  };
  return { code: RPC_ERROR, message: messageOf(error), data };
}
