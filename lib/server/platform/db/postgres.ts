import { randomUUID } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { AppError } from "@/lib/schema/app-error";
import { logger } from "@/lib/server/platform/logger";
import { retry } from "@/lib/server/platform/retry";
import { sqlTimestamp } from "./dialect";
import { NothingChanged } from "./errors";
import { PreparedNames } from "./prepared-names";
import type { SqlRow, SqlStatement } from "./sql-statement";

/**
 * Nothing may block a connection for ever: a statement that meets a row lock gives up after 5 s, and a session that
 * leaves a transaction open is ended.
 */
const TIMEOUTS = { statement_timeout: 60_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 };
/**
 * No JIT: compiling a statement takes longer than running one; for a search, a second instead of 50 ms. Workers only
 * where they save far more than Postgres expects: each statement starts them as new processes, which takes longer than
 * most of what is read here.
 */
const SESSION = "-c TimeZone=UTC -c jit=off -c parallel_setup_cost=20000";
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const RENEW_LOCK_MS = 5_000;
/** Half a minute in all. */
const LOCK_DELAYS_MS = [5, 10, 20, 40, ...Array.from({ length: 600 }, () => 50)];
const LOCK = `insert into "lock" ("key", "owner", "until")
  values ($1, $2, (now() at time zone 'utc') + interval '15 seconds')
  on conflict ("key") do update set "owner" = excluded."owner", "until" = excluded."until"
  where "lock"."until" < (now() at time zone 'utc') or "lock"."owner" = excluded."owner" returning "key"`;
const LOCK_HELD = "Something else in this thread or file takes too long. Try again in a moment.";
const UNLOCK = `delete from "lock" where "key" = $1 and "owner" = $2`;

const { INT8, NUMERIC, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/**
 * A client sends what it is given at once instead of waiting for each answer: the statements of a transaction, and what
 * Prisma asks for together in one.
 */
const PIPELINE = { pipeline: true };

/** A pool that Prisma and the raw statements share. */
export class PostgresDatabase {
  readonly adapter: PrismaPg;
  readonly #pool: pg.Pool;
  readonly #names = new PreparedNames();

  constructor(url: string, maxConnections: number) {
    const options = { connectionString: url, max: maxConnections, options: SESSION };
    this.#pool = new pg.Pool({ ...options, ...TIMEOUTS, ...KEEP_ALIVE, ...PIPELINE });
    // Without a listener a restart of Postgres would end this process; the pool itself reconnects. Prisma's own
    // listener only exists between its first query and its disconnecting.
    this.#pool.on("error", warn);
    this.adapter = new PrismaPg(this.#pool);
  }

  /** Rows of a SELECT or RETURNING, otherwise an empty list; timestamps are ISO text in UTC as on SQLite. */
  async run(sql: string, parameters: readonly unknown[]): Promise<SqlRow[]> {
    return this.#again(async () => (await this.#pool.query<SqlRow>(this.#query({ sql, parameters }))).rows);
  }

  /** The same for what is long enough to be planned for its own values. */
  async read(sql: string, parameters: readonly unknown[]): Promise<SqlRow[]> {
    return (await this.#pool.query<SqlRow>(toQuery({ sql, parameters }))).rows;
  }

  /** Also once more without names, if the connection does not know them. */
  async #again<Result>(send: () => Promise<Result>): Promise<Result> {
    try {
      return await send();
    } catch (error) {
      if (!this.#names.isRefused(error)) throw error;
      logger().warn(
        { reason: String(error) },
        "prepared statements do not last on this database: no longer using them",
      );
      return send();
    }
  }

  #query({ sql, parameters }: SqlStatement) {
    const name = this.#names.nameOf(sql);
    return { ...toQuery({ sql, parameters }), ...(name === undefined ? {} : { name }) };
  }

  /**
   * Runs `work` while nobody else holds `key` on this server. A lock is a row, so that few connections can hold many
   * locks, also through a pooler; it expires by the database's clock if its process dies.
   */
  async exclusive<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const parameters = [key, randomUUID()];
    const lock = async () => {
      if ((await this.run(LOCK, parameters)).length === 0) throw new AppError("busy", LOCK_HELD);
    };
    await retry(lock, { when: (error) => error instanceof AppError, delays: LOCK_DELAYS_MS });
    const renewing = setInterval(() => void this.run(LOCK, parameters).catch(warn), RENEW_LOCK_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await this.run(UNLOCK, parameters).catch(warn);
    }
  }

  /** Statements stored together or not at all; returns the rows of each. */
  runAll(statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
    return this.#again(() => this.#runAll(statements));
  }

  async #runAll(statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
    const [first, ...more] = statements;
    // A statement by itself is a transaction.
    if (first && more.length === 0 && !first.mustChange)
      return [rowsOf(first, await this.#pool.query<SqlRow>(this.#query(first)))];
    return withClient(this.#pool, async (client, dropped) => {
      try {
        return await runTransaction(client, statements, (statement) => this.#query(statement));
      } catch (error) {
        await client.query("rollback").catch(dropped);
        throw error;
      }
    });
  }

  /** Waits for running queries and closes every connection. */
  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }
}

/**
 * Runs with a connection of the pool; a connection that was reported to `dropped`, or that broke in the meantime, is
 * not returned to the pool.
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

/** Logs only the message: the error contains the whole client, with data that should not be in a log. */
function warn(error: Error): void {
  logger().warn({ reason: error.message }, "lost a database connection");
}

/**
 * `2026-01-31 08:15:00.5` as `sqlTimestamp` writes it. By hand: a trace has 20,000 of them, and a Date costs ten times
 * as much.
 */
function isoTimestamp(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  return `${seconds}.${text.slice(20, 23).padEnd(3, "0")}+00:00`;
}

/** Two round trips, however many statements: `commit` is sent when every result has been checked. */
async function runTransaction(
  client: pg.PoolClient,
  statements: readonly SqlStatement[],
  queryOf: (statement: SqlStatement) => pg.QueryConfig,
): Promise<SqlRow[][]> {
  const [begun, ...outcomes] = await Promise.allSettled([
    client.query("begin"),
    ...statements.map((statement) => client.query<SqlRow>(queryOf(statement))),
  ]);
  if (begun.status === "rejected") throw begun.reason;
  const rows: SqlRow[][] = [];
  for (const [index, statement] of statements.entries()) {
    const outcome = outcomes[index];
    // The first failure is the reason: the server refuses all that follows one.
    if (outcome?.status !== "fulfilled") throw outcome?.reason;
    rows.push(rowsOf(statement, outcome.value));
  }
  const { command } = await client.query("commit");
  // What Postgres answers if the transaction had failed by then.
  if (command !== "COMMIT") throw new Error("Postgres rolled the transaction back.");
  return rows;
}

function rowsOf({ mustChange = false }: SqlStatement, { rowCount, rows }: pg.QueryResult<SqlRow>): SqlRow[] {
  if (mustChange && rowCount === 0) throw new NothingChanged("A row was not in the expected state.");
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

function toPostgres(value: unknown): unknown {
  if (value instanceof Date) return sqlTimestamp(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
