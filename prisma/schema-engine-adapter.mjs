// The driver adapter through which the schema engine (schema-engine.mjs) reaches SQLite or Postgres.
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

const POSTGRES_INTERNAL_CHAR = 18;
const POSTGRES_BPCHAR = 1042;
const PARTIAL_INDEX_QUERY = /^(SELECT sql FROM sqlite_master WHERE type = 'index' AND name = )"([^"']+)";?$/;

/** True for `postgresql://…` and `postgres://…`; everything else is an SQLite file. */
export function isPostgres(url) {
  return /^postgres(ql)?:/.test(url);
}

/** The adapter factory for `url`, bound as @prisma/schema-engine-wasm wants it. */
export async function createEngineAdapter(url) {
  const factory = isPostgres(url) ? await createPostgresFactory(url) : await createSqliteFactory(url);
  const connect = factory.connect.bind(factory);
  const connectToShadowDb = factory.connectToShadowDb.bind(factory);
  factory.connect = async () => correctQueries(await connect());
  factory.connectToShadowDb = async () => correctQueries(await connectToShadowDb());
  return bindMigrationAwareSqlAdapterFactory(factory);
}

async function createSqliteFactory(url) {
  const { PrismaBetterSqlite3 } = await import("@prisma/adapter-better-sqlite3");
  return new PrismaBetterSqlite3({ url });
}

async function createPostgresFactory(url) {
  const { default: pg } = await import("pg");
  const { parse } = await import("pg-connection-string");
  const { PrismaPg } = await import("@prisma/adapter-pg");
  presentInternalCharAsText(pg.Result.prototype);
  const config = parse(url);
  const factory = new PrismaPg(config);
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

// adapter-pg refuses Postgres' internal "char" type, which reading the catalogue returns.
function presentInternalCharAsText(resultPrototype) {
  const addFields = resultPrototype.addFields;
  resultPrototype.addFields = function addFieldsWithKnownTypes(fields) {
    for (const field of fields) {
      if (field.dataTypeID === POSTGRES_INTERNAL_CHAR) field.dataTypeID = POSTGRES_BPCHAR;
    }
    return addFields.call(this, fields);
  };
}

function correctQueries(adapter) {
  const executeRaw = adapter.executeRaw.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.executeRaw = async (query) => {
    // The engine sends whole migration scripts through executeRaw, which SQLite drivers refuse.
    const isScript = query.args.length === 0 && /;\s*\S/.test(query.sql);
    if (!isScript) return executeRaw(query);
    await adapter.executeScript(query.sql);
    return 0;
  };
  // It asks for a partial index with its name in double quotes, which better-sqlite3's SQLite takes for a column.
  adapter.queryRaw = (query) => queryRaw({ ...query, sql: query.sql.replace(PARTIAL_INDEX_QUERY, "$1'$2'") });
  return adapter;
}
