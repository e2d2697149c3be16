import type { Types } from "@prisma/client/runtime/client";
import type { Compilable, CompiledQuery, DeleteResult, InsertResult, UpdateResult } from "kysely";
import { env } from "@/lib/server/platform/env";
import { createKeyLock } from "@/lib/server/platform/key-lock";
import { requestEnd } from "@/lib/server/platform/request-context";
import { SqliteReader } from "./aside/sqlite-reader";
import { type ConnectionShares, shareConnections } from "./connections";
import { type Dialect, postgresDialect, sqliteDialect } from "./dialect";
import type { Prisma, PrismaClient } from "./generated/sqlite/client";
import type { Durability, SqlRow, SqlStatement } from "./sql-statement";
import { sqliteAdapter } from "./sqlite-adapter";
import { openSqlite, sqliteFile } from "./sqlite-connection";

/** One Prisma query, as part of a transaction. */
export type PrismaQuery = Prisma.PrismaPromise<unknown>;

type Results<Queries extends unknown[]> = Types.Utils.UnwrapTuple<Queries>;

/** One property per model, as of the Prisma client: `user`, `boardCard`. */
type Models = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>;

/** What Kysely says of a statement that returns no rows. */
type NoRow = InsertResult | UpdateResult | DeleteResult;

/** What Ringmaster adds to the models. */
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
   * One statement of `build` or a hot one. Returns the rows of SELECT or RETURNING, as the types of the tables say.
   * Much cheaper than Prisma, and the writes of one turn of the event loop share a commit. `durability` (default
   * `normal`) matters on SQLite; Postgres is always `full`.
   */
  execute<Row>(query: Compilable<Row> | CompiledQuery<Row>, durability?: Durability): Promise<Exclude<Row, NoRow>[]>;
  /** Statements stored together or not at all; returns the rows of each. Default `full` on SQLite. */
  runAll(statements: readonly SqlStatement[], durability?: Durability): Promise<SqlRow[][]>;
  /**
   * As `execute`, for a text that is not ours, such as pg-boss's: parameters are `$1`, `$2`, …
   * Returns the rows of SELECT or RETURNING, timestamps as text (`parseTimestamp`). Much
   * cheaper than Prisma, and the writes of one turn of the event loop share a commit. `durability` matters on SQLite;
   * Postgres is always `full`. Nothing sets defaults or `updatedAt` automatically. `Row` must match the selected
   * columns.
   */
  raw<Row extends object = SqlRow>(
    sql: string,
    parameters?: readonly unknown[],
    durability?: Durability,
  ): Promise<Row[]>;
  /**
   * As `execute`, for a read that may take long, such as a search: on SQLite it runs in a thread of its own, so that
   * nothing else waits. It sees what was committed before. Rejects once the request that only reads by it has ended
   * (`requestEnd`): there, a read that has not begun is never run.
   */
  readAside<Row>(query: Compilable<Row> | CompiledQuery<Row>): Promise<Row[]>;
  /**
   * Runs `work` while nobody else, in this process or (on Postgres) another, is running work with the same `key`. For
   * short work; `work` must not request a second key, but in the orders that start-claimed.ts and undo/journal.ts have.
   */
  exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Closes the connections; the database can't be used afterwards. */
  close(): Promise<void>;
}

/** The models of the Prisma client, and statements, over the same connections. */
export type Database = Models & Pick<PrismaClient, "$executeRawUnsafe"> & DatabaseAdditions;

/** The driver below the Prisma client. */
interface Driver {
  run(sql: string, parameters: readonly unknown[], durability: Durability): Promise<SqlRow[]>;
  /** Where a long read would hold up others; absent if there are connections for it. */
  read?(sql: string, parameters: readonly unknown[], signal: AbortSignal | null): Promise<SqlRow[]>;
  /** Locks out other processes; absent if there are none. */
  exclusive?<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  runAll(statements: readonly SqlStatement[], durability: Durability): Promise<SqlRow[][]>;
  close(): Promise<void>;
}

/** Makes a database over these connections. */
type Maker = (connections: ConnectionShares) => Database;

/** The database of DATABASE_URL. It connects on the first query. */
export async function openConfiguredDatabase(): Promise<Database> {
  const { databaseUrl, databaseConnections, role } = env();
  const make = await loadMaker(databaseUrl);
  return make(shareConnections(databaseConnections, role));
}

/** A separate database, connected: for tests and child processes. `url` is `file:<path>` or `postgresql://…`. */
export async function openDatabase(url: string, connections = shareConnections(null, "all")): Promise<Database> {
  const make = await loadMaker(url);
  const opened = make(connections);
  await opened.raw("select 1");
  return opened;
}

/** A generated client holds megabytes, so only that of the database in use is loaded. */
function loadMaker(url: string): Promise<Maker> {
  return url.startsWith("file:") ? loadSqlite(url) : loadPostgres(url);
}

async function loadSqlite(url: string): Promise<Maker> {
  const generated = await import("./generated/sqlite/client");
  return (connections) => {
    const connection = openSqlite(url);
    const reader = new SqliteReader(sqliteFile(url));
    const client = new generated.PrismaClient({ adapter: sqliteAdapter(connection), errorFormat: "minimal" });
    return assemble(
      { client, names: Object.values(generated.Prisma.ModelName) },
      { url, connections, dialect: sqliteDialect },
      {
        run: (sql, parameters, durability) => connection.run(sql, parameters, durability),
        read: (sql, parameters, signal) => reader.read(sql, parameters, signal),
        runAll: (statements, durability) => connection.runAll(statements, durability),
        close: async () => {
          await reader.close();
          await connection.close();
        },
      },
    );
  };
}

async function loadPostgres(url: string): Promise<Maker> {
  const [generated, { PostgresDatabase }] = await Promise.all([
    import("./generated/postgresql/client"),
    import("./postgres"),
  ]);
  return (connections) => {
    const postgres = new PostgresDatabase(url, connections.work);
    const own = new generated.PrismaClient({ adapter: postgres.adapter, errorFormat: "minimal" });
    // The two schemas are identical (a test compares them), so the clients differ only in what no code here uses.
    const client = own as unknown as PrismaClient;
    const names = Object.values(generated.Prisma.ModelName);
    return assemble({ client, names }, { url, connections, dialect: postgresDialect }, postgres);
  };
}

/** The Prisma client, and the names of its models in the schema. */
interface Generated {
  readonly client: PrismaClient;
  readonly names: readonly Prisma.ModelName[];
}

function assemble(
  { client, names }: Generated,
  place: Pick<DatabaseAdditions, "url" | "connections" | "dialect">,
  driver: Driver,
): Database {
  const inTurn = createKeyLock();
  return {
    ...modelsOf(client, names),
    ...place,
    $executeRawUnsafe: (sql, ...values) => client.$executeRawUnsafe(sql, ...values),
    $transaction: (queries) => {
      if (!Array.isArray(queries)) throw new TypeError("Use the list form of $transaction, or one raw statement.");
      return client.$transaction(queries);
    },
    raw: async <Row extends object>(
      sql: string,
      parameters: readonly unknown[] = [],
      durability: Durability = "normal",
    ) => (await driver.run(sql, parameters, durability)) as Row[],
    readAside: async <Row>(query: Compilable<Row> | CompiledQuery<Row>) => {
      const { sql, parameters } = compiled(query);
      const signal = requestEnd();
      signal?.throwIfAborted();
      const rows = driver.read ? driver.read(sql, parameters, signal) : driver.run(sql, parameters, "normal");
      return (await rows) as Row[];
    },
    execute: async <Row>(query: Compilable<Row> | CompiledQuery<Row>, durability: Durability = "normal") => {
      const { sql, parameters } = compiled(query);
      return (await driver.run(sql, parameters, durability)) as Exclude<Row, NoRow>[];
    },
    runAll: (statements, durability = "full") => driver.runAll(statements, durability),
    exclusive: (key, work) => inTurn(key, () => (driver.exclusive ? driver.exclusive(key, work) : work())),
    close: async () => {
      await client.$disconnect();
      await driver.close();
    },
  };
}

function compiled<Row>(query: Compilable<Row> | CompiledQuery<Row>): CompiledQuery<Row> {
  return "sql" in query ? query : query.compile();
}

/** The property of a model in the client is its name with a small first letter. */
function modelsOf(client: PrismaClient, names: readonly Prisma.ModelName[]): Models {
  const properties = names.map((name) => name.replace(/^./, (letter) => letter.toLowerCase()));
  return Object.fromEntries(properties.map((model) => [model, client[model as keyof Models]])) as unknown as Models;
}
