import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { logger } from "@/lib/server/platform/logger";
import { type SqlValue, sqlTimestamp } from "./dialect";
import { NothingChanged } from "./errors";
import type { SqlRow, SqlStatement } from "./sqlite-writer";

const MAX_CONNECTIONS = 20;
const MAX_LOCKS = 5;
const LOCK_TIMEOUT = "30s";
const { INT8, NUMERIC, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** A pool that Prisma and the raw statements share, and a small one for locks. */
export class PostgresDatabase {
  readonly adapter: PrismaPg;
  readonly #pool: pg.Pool;
  /** A pool of its own, so that a lock holder can always get a connection from the other pool for its work. */
  readonly #locks: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: MAX_CONNECTIONS, options: "-c TimeZone=UTC" });
    this.#locks = new pg.Pool({ connectionString: url, max: MAX_LOCKS });
    // Without a listener a restart of Postgres would end this process; the pools themselves reconnect. Prisma's own
    // listener exists only between its first query and its disconnecting.
    this.#pool.on("error", warn);
    this.#locks.on("error", warn);
    this.adapter = new PrismaPg(this.#pool);
  }

  /** Rows of a SELECT or RETURNING, otherwise an empty list; timestamps are ISO text in UTC as on SQLite. */
  async run(sql: string, parameters: readonly SqlValue[]): Promise<SqlRow[]> {
    const result = await this.#pool.query<SqlRow>(toQuery({ sql, parameters }));
    return result.rows;
  }

  /**
   * Runs `work` under the lock `key` of this server; a process that dies releases it at once. The lock belongs to a
   * transaction, so that it also works through a pooler.
   */
  async exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return withClient(this.#locks, async (client, dropped) => {
      try {
        await client.query(`begin; set local lock_timeout = '${LOCK_TIMEOUT}'`);
        await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [key]);
        return await work();
      } finally {
        await client.query("commit").catch(dropped);
      }
    });
  }

  /** Statements that are stored together or not at all; the rows of each. */
  async runAll(statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
    return withClient(this.#pool, async (client, dropped) => {
      try {
        return await runTransaction(client, statements);
      } catch (error) {
        await client.query("rollback").catch(dropped);
        throw error;
      }
    });
  }

  /** Waits for running queries and closes every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#pool, this.#locks].map((pool) => (pool.ended ? undefined : pool.end())));
  }
}

/**
 * Runs with a connection of the pool; one that was reported to `dropped`, or that broke in the meantime, is not
 * returned to it.
 */
async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, dropped: (error: Error) => void) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    return await work(client, onError);
  } finally {
    client.off("error", onError);
    client.release(lost);
  }
}

/** Only its message: the error contains the whole client, with data that should not be in a log. */
function warn(error: Error): void {
  logger().warn({ reason: error.message }, "lost a database connection");
}

/** `2026-01-31 08:15:00.5` as `sqlTimestamp` writes it. By hand: a trace has 20,000 of them, and a Date costs ten times as much. */
function isoTimestamp(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  return `${seconds}.${text.slice(20, 23).padEnd(3, "0")}+00:00`;
}

async function runTransaction(client: pg.PoolClient, statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
  await client.query("begin");
  const rows: SqlRow[][] = [];
  for (const statement of statements) {
    const result = await client.query<SqlRow>(toQuery(statement));
    if (statement.mustChange && result.rowCount === 0) throw new NothingChanged("A row was not in the expected state.");
    rows.push(result.rows);
  }
  await client.query("commit");
  return rows;
}

function toQuery({ sql, parameters }: SqlStatement) {
  return { text: sql, values: parameters.map(toPostgres), types: rawTypes };
}

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, Number],
  [TIMESTAMP, isoTimestamp],
  [TIMESTAMPTZ, (text) => sqlTimestamp(new Date(text))],
]);

const rawTypes: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === "binary" ? undefined : parsers.get(id)) ?? pg.types.getTypeParser(id, format),
};

function toPostgres(value: SqlValue): unknown {
  if (value instanceof Date) return sqlTimestamp(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
