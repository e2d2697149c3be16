import type { Types } from "@prisma/client/runtime/client";
import { env } from "@/lib/server/platform/env";
import { createKeyLock } from "@/lib/server/platform/key-lock";
import { processState } from "@/lib/server/platform/process-state";
import { type ConnectionShares, shareConnections } from "./connections";
import { type Dialect, postgresDialect, type SqlValue, sqliteDialect } from "./dialect";
import { PrismaClient as PostgresClient } from "./generated/postgresql/client";
import { type Prisma, PrismaClient } from "./generated/sqlite/client";
import { PostgresDatabase } from "./postgres";
import { SqliteDatabase } from "./sqlite";
import type { Durability, SqlRow, SqlStatement } from "./sqlite-writer";

/** One Prisma query, as part of a transaction. */
export type PrismaQuery = Prisma.PrismaPromise<unknown>;

type Results<Queries extends unknown[]> = Types.Utils.UnwrapTuple<Queries>;

/** Ringmaster's additions to the Prisma client. */
interface DatabaseAdditions {
  readonly dialect: Dialect;
  /** The database's URL, password included: `file:<path>` or `postgresql://…`. */
  readonly url: string;
  /** On SQLite nobody asks. */
  readonly connections: ConnectionShares;
  /**
   * Runs a list of queries as one transaction, `full` on SQLite. There is no callback form, because on SQLite others
   * would have to wait for the callback's awaits.
   */
  $transaction<P extends PrismaQuery[]>(queries: [...P]): Promise<Results<P>>;
  /**
   * One statement, the same text for both databases: parameters are `$1`, `$2`, …; quote camelCase names ("runId").
   * Returns the rows of SELECT or RETURNING, timestamps as text (`parseTimestamp`), booleans as 0 or 1 on SQLite. Much
   * cheaper than Prisma, and the writes of one turn of the event loop share a commit. `durability` matters on SQLite;
   * Postgres is always `full`. Nothing sets defaults or `updatedAt` automatically. `Row` must match the selected
   * columns.
   */
  raw<Row extends object = SqlRow>(
    sql: string,
    parameters?: readonly SqlValue[],
    durability?: Durability,
  ): Promise<Row[]>;
  /**
   * Runs `work` while nobody else, in this process or (on Postgres) another, is running work with the same `key`. For
   * short work; `work` must not request a second key.
   */
  exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Raw statements stored together or not at all; returns the rows of each. Default `full` on SQLite. */
  rawTransaction(statements: readonly SqlStatement[], durability?: Durability): Promise<SqlRow[][]>;
  /** Closes the connections; the database can't be used afterwards. */
  close(): Promise<void>;
}

/** The Prisma client of either database, without the callback transaction. */
export type Database = Omit<PrismaClient, "$transaction" | "$extends" | "$on"> & DatabaseAdditions;

/** The driver below the Prisma client. */
interface Driver {
  run(sql: string, parameters: readonly SqlValue[], durability: Durability): Promise<SqlRow[]>;
  /** Locks out other processes; absent if there are none. */
  exclusive?<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  runAll(statements: readonly SqlStatement[], durability: Durability): Promise<SqlRow[][]>;
  close(): Promise<void>;
}

/** The process's database (DATABASE_URL). Connects on the first query. */
export function database(): Database {
  return processState("database", () =>
    createDatabase(env().databaseUrl, shareConnections(env().databaseConnections, env().role)),
  );
}

/** A separate database, connected: for tests and child processes. `url` is `file:<path>` or `postgresql://…`. */
export async function openDatabase(url: string, connections = shareConnections(null, "all")): Promise<Database> {
  const opened = createDatabase(url, connections);
  await opened.raw("select 1");
  return opened;
}

function createDatabase(url: string, connections: ConnectionShares): Database {
  return url.startsWith("file:") ? createSqlite(url, connections) : createPostgres(url, connections);
}

function createSqlite(url: string, connections: ConnectionShares): Database {
  const sqlite = new SqliteDatabase(url);
  return assemble(
    new PrismaClient({ adapter: sqlite, errorFormat: "minimal" }),
    { url, connections, dialect: sqliteDialect },
    sqlite,
  );
}

function createPostgres(url: string, connections: ConnectionShares): Database {
  const postgres = new PostgresDatabase(url, connections.work);
  const client = new PostgresClient({ adapter: postgres.adapter, errorFormat: "minimal" });
  // The two schemas are identical (a test compares them), so the clients differ only in what no code here uses.
  return assemble(client as unknown as PrismaClient, { url, connections, dialect: postgresDialect }, postgres);
}

function assemble(
  client: PrismaClient,
  place: Pick<DatabaseAdditions, "url" | "connections" | "dialect">,
  driver: Driver,
): Database {
  const inTurn = createKeyLock();
  const additions: DatabaseAdditions = {
    ...place,
    $transaction: (queries) => {
      if (!Array.isArray(queries)) throw new TypeError("Use the list form of $transaction, or one raw statement.");
      return client.$transaction(queries);
    },
    raw: async <Row extends object>(
      sql: string,
      parameters: readonly SqlValue[] = [],
      durability: Durability = "normal",
    ) => (await driver.run(sql, parameters, durability)) as Row[],
    exclusive: (key, work) => inTurn(key, () => (driver.exclusive ? driver.exclusive(key, work) : work())),
    rawTransaction: (statements, durability = "full") => driver.runAll(statements, durability),
    close: async () => {
      await client.$disconnect();
      await driver.close();
    },
  };
  return new Proxy(client, {
    get: (target, name) => Reflect.get(Object.hasOwn(additions, name) ? additions : target, name),
    has: (target, name) => Object.hasOwn(additions, name) || Reflect.has(target, name),
  }) as unknown as Database;
}
