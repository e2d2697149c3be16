import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import Connection from "better-sqlite3";
import type { SqlValue } from "./dialect";
import { type Durability, SqliteWriter, type SqlRow, type SqlStatement } from "./sqlite-writer";

const BUSY_TIMEOUT_MS = 5000;

/**
 * Prisma's adapter over one connection, with what it lacks: WAL and the other pragmas, and a gate that locks out
 * every other statement while a transaction is open (otherwise a rollback also undoes a neighbour's acknowledged
 * write).
 */
export class SqliteDatabase implements SqlDriverAdapterFactory {
  readonly provider = "sqlite";
  readonly adapterName: string;
  readonly #factory: PrismaBetterSqlite3;
  #opened: Promise<{ adapter: SqlDriverAdapter; writer: SqliteWriter }> | null = null;

  /** `url` is `file:<path>`. Nothing is opened yet. */
  constructor(url: string) {
    this.#factory = new PrismaBetterSqlite3({ url, timeout: BUSY_TIMEOUT_MS });
    this.adapterName = this.#factory.adapterName;
  }

  /** Called by Prisma. */
  async connect(): Promise<SqlDriverAdapter> {
    return (await this.#open()).adapter;
  }

  /** A raw statement on the same connection as Prisma. */
  async run(sql: string, parameters: readonly SqlValue[], durability: Durability): Promise<SqlRow[]> {
    return (await this.#open()).writer.run(sql, parameters, durability);
  }

  /** Raw statements that are stored together or not at all. */
  async runAll(statements: readonly SqlStatement[], durability: Durability): Promise<SqlRow[][]> {
    return (await this.#open()).writer.runAll(statements, durability);
  }

  /** Closes what is open; a connection that was never opened stays that way. */
  async close(): Promise<void> {
    const opened = await this.#opened;
    await opened?.adapter.dispose();
  }

  #open() {
    this.#opened ??= this.#factory.connect().then((adapter) => {
      const connection = connectionOf(adapter);
      const writer = new SqliteWriter(connection);
      return { adapter: new GuardedAdapter(adapter, connection, writer), writer };
    });
    return this.#opened;
  }
}

class GuardedAdapter implements SqlDriverAdapter {
  readonly provider = "sqlite";
  readonly adapterName: string;

  private readonly inner: SqlDriverAdapter;
  private readonly connection: Connection.Database;
  private readonly writer: SqliteWriter;

  constructor(inner: SqlDriverAdapter, connection: Connection.Database, writer: SqliteWriter) {
    this.inner = inner;
    this.connection = connection;
    this.writer = writer;
    this.adapterName = inner.adapterName;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    if (this.writer.isTransactionOpen) await this.writer.whenIdle();
    return this.inner.queryRaw(withLikeEscape(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    if (this.writer.isTransactionOpen) await this.writer.whenIdle();
    return this.inner.executeRaw(query);
  }

  async executeScript(script: string): Promise<void> {
    if (this.writer.isTransactionOpen) await this.writer.whenIdle();
    return this.inner.executeScript(script);
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    const release = await this.writer.enterTransaction();
    try {
      const transaction = await this.inner.startTransaction(isolationLevel);
      return guardTransaction(transaction, this.connection, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async dispose(): Promise<void> {
    if (!this.connection.open) return;
    await this.writer.drain();
    this.connection.close();
  }
}

/** Prisma writes LIKE without ESCAPE, and SQLite, unlike Postgres, then knows no escape character (`containsText`). */
function withLikeEscape(query: SqlQuery): SqlQuery {
  if (!query.sql.includes(CONTAINS)) return query;
  return { ...query, sql: query.sql.replaceAll(CONTAINS, `${CONTAINS} ESCAPE '\\'`) };
}

const CONTAINS = "LIKE ('%' || ? || '%')";

// Prisma sends COMMIT or ROLLBACK as a statement and then calls commit() or rollback(). When COMMIT itself failed it
// only calls rollback(): the transaction is then still open and has to be ended here.
function guardTransaction(transaction: Transaction, connection: Connection.Database, release: () => void): Transaction {
  const commit = transaction.commit.bind(transaction);
  const rollback = transaction.rollback.bind(transaction);
  const end = async (finish: () => Promise<void>) => {
    try {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      await finish();
    } finally {
      release();
    }
  };
  return Object.assign(transaction, { commit: () => end(commit), rollback: () => end(rollback) });
}

/** Prisma's adapter opens the connection itself and keeps it in a field that its types don't show. */
function connectionOf(adapter: SqlDriverAdapter): Connection.Database {
  const connection: unknown = Reflect.get(adapter, "client");
  if (connection instanceof Connection) return connection;
  throw new Error(
    "@prisma/adapter-better-sqlite3 no longer keeps its connection in `client`: adapt lib/server/platform/db/sqlite.ts.",
  );
}
