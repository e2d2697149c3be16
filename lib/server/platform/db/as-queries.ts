import type { Database } from "./database";
import { type SqlValue, sqlTimestamp } from "./dialect";
import type { SqlStatement } from "./sqlite-writer";

/** Raw statements as parts of one of Prisma's transactions; each parameter stands once in a text, in its order. */
export function asQueries(database: Database, statements: readonly SqlStatement[]) {
  const isSqlite = database.dialect.provider === "sqlite";
  return statements.map(({ sql, parameters }) => {
    const values = parameters.map(toValue);
    // Prisma gives SQLite its parameters by place, which `$1` has no name for.
    return database.$executeRawUnsafe(isSqlite ? sql.replaceAll(/\$\d+/g, "?") : sql, ...values);
  });
}

function toValue(value: SqlValue): SqlValue {
  return value instanceof Date ? sqlTimestamp(value) : value;
}
