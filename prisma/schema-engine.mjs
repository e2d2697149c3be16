#!/usr/bin/env node
// Stand-in for Prisma's native `schema-engine` binary: speaks its JSON-RPC-over-stdio protocol,
// served by @prisma/schema-engine-wasm + a driver adapter. Nothing is downloaded.
// Use:  PRISMA_SCHEMA_ENGINE_BINARY=$PWD/schema-engine.mjs npx prisma migrate dev
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const pkg = path.dirname(fileURLToPath(import.meta.resolve("@prisma/schema-engine-wasm")));
const bg = await import(path.join(pkg, "schema_engine_bg.js"));
const wasm = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path.join(pkg, "schema_engine_bg.wasm"))), {
  "./schema_engine_bg.js": bg,
});
bg.__wbg_set_wasm(wasm.exports);
wasm.exports.__wbindgen_start();

const argv = process.argv.slice(2);
const all = (n) => argv.flatMap((a, i) => (a === n ? [argv[i + 1]] : []));
const url = JSON.parse(all("--datasource")[0] ?? "{}").url ?? "file::memory:";
const files = all("--datamodels").map((p) => [p, readFileSync(p, "utf8")]);
const datamodels = files.length ? files : undefined;

// The WASM engine sends multi-statement migration scripts through executeRaw, which SQLite drivers refuse.
const multi = (a) => {
  const raw = a.executeRaw.bind(a);
  a.executeRaw = async (q) =>
    q.args.length === 0 && /;\s*\S/.test(q.sql) ? (await a.executeScript(q.sql), 0) : raw(q);
  return a;
};
async function adapter() {
  const { bindMigrationAwareSqlAdapterFactory: bind } = await import("@prisma/driver-adapter-utils");
  let f;
  if (/^postgres(ql)?:/.test(url)) {
    // adapter-pg refuses Postgres' internal "char" type (oid 18), which schema introspection reads: present it as bpchar.
    const { Result } = (await import("pg")).default,
      add = Result.prototype.addFields;
    Result.prototype.addFields = function (fields) {
      for (const x of fields) if (x.dataTypeID === 18) x.dataTypeID = 1042;
      return add.call(this, fields);
    };
    const { parse } = (await import("pg-connection-string")).default;
    const { PrismaPg } = await import("@prisma/adapter-pg"),
      cfg = parse(url);
    f = new PrismaPg(cfg);
    // adapter-pg's own shadow database drops before it disconnects, and a connectionString overrides its name: do both right.
    f.connectToShadowDb = async () => {
      const main = await f.connect(),
        database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
      await main.executeScript(`CREATE DATABASE "${database}"`);
      const a = await new PrismaPg({ ...cfg, database }).connect(),
        close = a.dispose.bind(a);
      a.dispose = async () => {
        await close();
        await main.executeScript(`DROP DATABASE "${database}"`);
        await main.dispose();
      };
      return a;
    };
  } else if (process.env.SQLITE_ADAPTER === "libsql")
    f = new (await import("@prisma/adapter-libsql")).PrismaLibSql({ url });
  else f = new (await import("@prisma/adapter-better-sqlite3")).PrismaBetterSqlite3({ url });
  const connect = f.connect.bind(f),
    shadow = f.connectToShadowDb.bind(f);
  f.connect = async () => multi(await connect());
  f.connectToShadowDb = async () => multi(await shadow());
  return bind(f);
}
const open = async () => bg.SchemaEngine.new({ datamodels }, () => {}, await adapter());

if (argv.includes("cli")) {
  // can-connect-to-database | create-database | drop-database
  try {
    await (await open()).version();
    process.exit(0);
  } catch (e) {
    console.error(
      "\n" +
        JSON.stringify({
          level: "ERROR",
          target: "schema_engine::logger",
          fields: { message: String(e?.message ?? e), error_code: e?.code ?? "P1001" },
        }),
    );
    process.exit(1);
  }
}
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\n");
// The WASM engine (8.1.0-2) reports P1014 instead of 'no migrations yet' when this table is missing: create it first.
const pgDb = /^postgres(ql)?:/.test(url);
const ts = pgDb ? "TIMESTAMPTZ" : "DATETIME",
  now = pgDb ? "now()" : "current_timestamp";
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" ("id" ${pgDb ? "VARCHAR(36)" : "TEXT"} PRIMARY KEY NOT NULL, "checksum" ${pgDb ? "VARCHAR(64)" : "TEXT"} NOT NULL, "finished_at" ${ts}, "migration_name" ${pgDb ? "VARCHAR(255)" : "TEXT"} NOT NULL, "logs" TEXT, "rolled_back_at" ${ts}, "started_at" ${ts} NOT NULL DEFAULT ${now}, "applied_steps_count" INTEGER NOT NULL DEFAULT 0);`;
let engine;
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const { id, method, params } = JSON.parse(line);
  if (!method) continue;
  try {
    engine ??= await open();
    if (/devDiagnostic|diagnoseMigrationHistory|applyMigrations|createMigration|markMigration/.test(method))
      await engine.dbExecute({ datasourceType: { tag: "url", url }, script: MIGRATIONS_TABLE });
    const result = await engine[method === "getDatabaseVersion" ? "version" : method](params);
    if (method === "diff" && result?.stdout != null)
      send({ id: 1e6 + id, method: "print", params: { content: result.stdout } });
    send({ id, result: result ?? null });
  } catch (e) {
    send({
      id,
      error: {
        code: 4466,
        message: String(e?.message ?? e),
        data: { is_panic: false, message: String(e?.message ?? e), meta: e?.meta ?? null, error_code: e?.code ?? null },
      },
    });
  }
}
process.exit(0);
