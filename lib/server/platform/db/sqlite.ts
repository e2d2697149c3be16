import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";
import Connection from "better-sqlite3";
import { retry } from "@/lib/server/platform/retry";
import type { SqlValue } from "./dialect";
import { isBusy } from "./errors";
import {
  type Durability,
  LOCK_PATIENCE_MS,
  lockWaits,
  SqliteWriter,
  type SqlRow,
  type SqlStatement,
} from "./sqlite-writer";

/** SQLite blocks this whole process while it waits for another process's lock: longer waits are handled here. */
const BUSY_TIMEOUT_MS = 10;

/**
 * Prisma's adapter over one connection, with what it lacks: WAL and the other pragmas, and a gate that locks out every
 * other statement while a transaction is open (otherwise a rollback also undoes a neighbour's acknowledged write).
 */
export class SqliteDatabase implements SqlDriverAdapterFactory {
  readonly provider = "sqlite";
  readonly adapterName: string;
  readonly #factory: PrismaBetterSqlite3;
  #opened: Promise<{ adapter: SqlDriverAdapter; writer: SqliteWriter }> | null = null;

  readonly #lockPatienceMs: number;

  /** `url` is `file:<path>`. Nothing is opened yet. */
  constructor(url: string, lockPatienceMs = LOCK_PATIENCE_MS) {
    this.#lockPatienceMs = lockPatienceMs;
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

  /** Raw statements stored together or not at all. */
  async runAll(statements: readonly SqlStatement[], durability: Durability): Promise<SqlRow[][]> {
    return (await this.#open()).writer.runAll(statements, durability);
  }

  /** Closes the open connection; one that was never opened stays closed. */
  async close(): Promise<void> {
    const opened = await this.#opened;
    await opened?.adapter.dispose();
  }

  #open() {
    this.#opened ??= this.#factory.connect().then((adapter) => {
      const connection = connectionOf(adapter);
      joinTransactions(connection);
      const writer = new SqliteWriter(connection, this.#lockPatienceMs);
      return { adapter: new GuardedAdapter(adapter, { connection, writer, patienceMs: this.#lockPatienceMs }), writer };
    });
    return this.#opened;
  }
}

interface GuardedConnection {
  readonly connection: Connection.Database;
  readonly writer: SqliteWriter;
  readonly patienceMs: number;
}

class GuardedAdapter implements SqlDriverAdapter {
  readonly provider = "sqlite";
  readonly adapterName: string;

  private readonly inner: SqlDriverAdapter;
  private readonly connection: Connection.Database;
  private readonly writer: SqliteWriter;
  private readonly patienceMs: number;

  constructor(inner: SqlDriverAdapter, { connection, writer, patienceMs }: GuardedConnection) {
    this.inner = inner;
    this.connection = connection;
    this.writer = writer;
    this.patienceMs = patienceMs;
    this.adapterName = inner.adapterName;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#patiently(() => this.inner.queryRaw(withLikeEscape(query)));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#patiently(() => this.inner.executeRaw(query));
  }

  executeScript(script: string): Promise<void> {
    return this.#patiently(() => this.inner.executeScript(script));
  }

  /** Waits for open transactions, and retries while another process holds the lock. */
  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    const attempt = async () => {
      while (this.writer.isTransactionOpen) await this.writer.whenIdle();
      return work();
    };
    return retry(attempt, { when: isLocked, delays: lockWaits(this.patienceMs) });
  }

  startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    return retry(() => this.#begin(isolationLevel), { when: isLocked, delays: lockWaits(this.patienceMs) });
  }

  async #begin(isolationLevel?: IsolationLevel): Promise<Transaction> {
    const release = await this.writer.enterTransaction();
    try {
      takeLock(this.connection);
      const transaction = await this.inner.startTransaction(isolationLevel);
      return guardTransaction(transaction, this.connection, release);
    } catch (error) {
      if (this.connection.inTransaction) this.connection.exec("ROLLBACK");
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

/** Prisma writes LIKE without ESCAPE, and SQLite, unlike Postgres, then has no escape character (`containsText`). */
function withLikeEscape(query: SqlQuery): SqlQuery {
  if (!query.sql.includes(CONTAINS)) return query;
  return { ...query, sql: query.sql.replaceAll(CONTAINS, `${CONTAINS} ESCAPE '\\'`) };
}

const CONTAINS = "LIKE ('%' || ? || '%')";

function isLocked(error: unknown): boolean {
  return error instanceof DriverAdapterError && error.cause.kind === "SocketTimeout";
}

/**
 * Begins a transaction with the write lock. Prisma's own BEGIN would only meet another process's lock at its first
 * write, when nobody else may use the connection any more.
 */
function takeLock(connection: Connection.Database): void {
  try {
    connection.exec("BEGIN IMMEDIATE");
  } catch (error) {
    // Prisma meets any other error itself and reports it in its own words.
    if (!(error instanceof Connection.SqliteError && isBusy(error))) return;
    const { code: originalCode, message: originalMessage } = error;
    throw new DriverAdapterError({ kind: "SocketTimeout", originalCode, originalMessage });
  }
}

/** Prisma's BEGIN inside an open transaction joins it; its COMMIT and ROLLBACK end the whole. */
function joinTransactions(connection: Connection.Database): void {
  const prepare = connection.prepare.bind(connection);
  Object.assign(connection, {
    prepare: (sql: string) => prepare(sql === "BEGIN" && connection.inTransaction ? "SAVEPOINT prisma" : sql),
  });
}

// Prisma sends COMMIT or ROLLBACK as a statement and then calls commit() or rollback(). If COMMIT itself failed it only
// calls rollback(): the transaction is then still open and has to be ended here.
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

/** Prisma's adapter opens the connection itself and keeps it in a field that its types hide. */
function connectionOf(adapter: SqlDriverAdapter): Connection.Database {
  const connection: unknown = Reflect.get(adapter, "client");
  if (connection instanceof Connection) return connection;
  throw new Error(
    "@prisma/adapter-better-sqlite3 no longer keeps its connection in `client`: adapt lib/server/platform/db/sqlite.ts.",
  );
}
