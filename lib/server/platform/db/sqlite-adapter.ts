import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import type { SqliteConnection, SqliteTransaction } from "./sqlite-connection";
import { toDriverError, toResultSet, toSqliteValue } from "./sqlite-values";

const INFO = { provider: "sqlite", adapterName: "ringmaster-sqlite" } as const;

/** Prisma's driver adapter over `connection`, which stays open when Prisma disconnects. */
export function sqliteAdapter(connection: SqliteConnection): SqlDriverAdapterFactory {
  const perform = (query: SqlQuery) => connection.perform(withLikeEscape(query.sql), valuesOf(query));
  const adapter: SqlDriverAdapter = {
    ...INFO,
    queryRaw: (query) => withDriverErrors(async () => toResultSet(await perform(query))),
    executeRaw: (query) => withDriverErrors(async () => (await perform(query)).changes),
    executeScript: (script) => withDriverErrors(() => connection.runScript(script)),
    startTransaction: (level) => withDriverErrors(() => startTransaction(connection, level)),
    dispose: async () => undefined,
  };
  return { ...INFO, connect: async () => adapter };
}

async function startTransaction(connection: SqliteConnection, level: IsolationLevel | undefined): Promise<Transaction> {
  // SQLite has no other.
  if (level !== undefined && level !== "SERIALIZABLE") {
    throw new DriverAdapterError({ kind: "InvalidIsolationLevel", level });
  }
  return asTransaction(await connection.begin());
}

function asTransaction(transaction: SqliteTransaction): Transaction {
  const perform = (query: SqlQuery) => transaction.perform(withLikeEscape(query.sql), valuesOf(query));
  return {
    ...INFO,
    // Prisma then leaves COMMIT and ROLLBACK to the two functions.
    options: { usePhantomQuery: true },
    queryRaw: (query) => withDriverErrors(async () => toResultSet(perform(query))),
    executeRaw: (query) => withDriverErrors(async () => perform(query).changes),
    commit: () => withDriverErrors(async () => transaction.commit()),
    rollback: () => withDriverErrors(async () => transaction.rollback()),
  };
}

function valuesOf({ args, argTypes }: SqlQuery) {
  return args.map((value, index) => toSqliteValue(value, argTypes[index]?.scalarType));
}

async function withDriverErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toDriverError(error);
  }
}

/** Prisma writes LIKE without ESCAPE, and SQLite, unlike Postgres, then has no escape character (`containsText`). */
function withLikeEscape(sql: string): string {
  return sql.replaceAll(CONTAINS, `${CONTAINS} ESCAPE '\\'`);
}

const CONTAINS = "LIKE ('%' || ? || '%')";
