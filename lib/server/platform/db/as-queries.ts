import type { Database } from "./database";
import type { SqlStatement } from "./sqlite-writer";

/** Raw statements as parts of one of Prisma's transactions. */
export function asQueries(database: Database, statements: readonly SqlStatement[]) {
  return statements.map(({ sql, parameters }) => database.$queryRawUnsafe<unknown[]>(sql, ...parameters));
}
