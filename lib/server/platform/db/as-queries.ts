import type { Database } from "./database";
import { sqlTimestamp } from "./dialect";
import type { SqlStatement } from "./sql-statement";

/** Raw statements as parts of a Prisma transaction; each parameter occurs once in a text, in order. */
export function asQueries(database: Database, statements: readonly SqlStatement[]) {
  const isSqlite = database.dialect.provider === "sqlite";
  return statements.map(({ sql, parameters }) => {
    const values = parameters.map(toValue);
    // Prisma binds SQLite parameters by position and does not support the name `$1`.
    return database.$executeRawUnsafe(isSqlite ? sql.replaceAll(/\$\d+/g, "?") : sql, ...values);
  });
}

function toValue(value: unknown): unknown {
  return value instanceof Date ? sqlTimestamp(value) : value;
}
