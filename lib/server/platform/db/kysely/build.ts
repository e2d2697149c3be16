import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCreator,
  type RawBuilder,
} from "kysely";
import type { SqlValue } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";

/**
 * Only builds: `execute` and `runAll` of the database execute, because they know how durable a write must be and what
 * shares its commit.
 */
class UnconnectedDriver implements Driver {
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    throw new Error("Pass the statement to execute() or runAll() of the database.");
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** Quotes names and numbers parameters (`$1`) in a way that SQLite reads as well. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new UnconnectedDriver(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
};

const kysely = new Kysely<Tables>({ dialect });

/**
 * Builds statements whose text is the same for both databases. Nothing sets `updatedAt` or the time of creation
 * automatically. Its type has no transactions: the list of `runAll` is one. A constant that a partial index names must
 * be `sql.lit`: SQLite does not use the index for a parameter.
 */
export const build: QueryCreator<Tables> = kysely;

/** `build` for functions to which a caller names the table and its columns. */
export const buildUntyped = build as unknown as QueryCreator<Record<string, Record<string, SqlValue>>>;

/** A statement that Kysely has no words for. */
export function textStatement<Row>(text: RawBuilder<Row>): CompiledQuery<Row> {
  return text.compile(kysely);
}
