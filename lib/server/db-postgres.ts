import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { type SqlValue, sqlTimestamp } from "./db-dialect";
import type { SqlRow } from "./db-sqlite-writer";
import { logger } from "./logger";

const MAX_CONNECTIONS = 20;
const { INT8, NUMERIC, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** A pool that Prisma and the raw statements share. */
export class PostgresDatabase {
  readonly adapter: PrismaPg;
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: MAX_CONNECTIONS, options: "-c TimeZone=UTC" });
    this.adapter = new PrismaPg(this.#pool, {
      // Without a listener a restart of Postgres would end this process; the pool itself reconnects.
      onPoolError: (error) => logger().warn({ error }, "lost a database connection"),
    });
  }

  /** Rows of a SELECT or RETURNING, else an empty list; timestamps are ISO text in UTC as on SQLite. */
  async run(sql: string, parameters: readonly SqlValue[]): Promise<SqlRow[]> {
    const result = await this.#pool.query<SqlRow>({ text: sql, values: parameters.map(toPostgres), types: rawTypes });
    return result.rows;
  }

  /** Waits for running queries and closes every connection. */
  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }
}

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, Number],
  [NUMERIC, Number],
  [TIMESTAMP, (text) => sqlTimestamp(new Date(`${text.replace(" ", "T")}Z`))],
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
