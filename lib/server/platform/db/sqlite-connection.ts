import { setTimeout as startTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import Connection from "better-sqlite3";
import { retry } from "@/lib/server/platform/retry";
import { isBusy, NothingChanged } from "./errors";
import type { Durability, SqlRow, SqlStatement } from "./sql-statement";
import { bindNamed, readFlags, StatementCache, withFlags } from "./sqlite-statement";

/** What better-sqlite3 binds. */
export type SqliteValue = string | number | bigint | Uint8Array | null;

/** Rows as lists; integers as bigint, because not every one fits into a number. */
export interface ExactRows {
  readonly columns: readonly { readonly name: string; readonly type: string | null }[];
  readonly rows: readonly (readonly SqliteValue[])[];
  readonly changes: number;
}

/** An open transaction: all others wait until it is committed or rolled back. */
export interface SqliteTransaction {
  /** `?` in `sql` are `values` in order. */
  perform(sql: string, values: readonly SqliteValue[]): ExactRows;
  /** On disk afterwards, or nothing is stored and it throws. */
  commit(): void;
  rollback(): void;
}

interface Job {
  /** Of several statements: in a group it needs a savepoint to undo only itself. */
  readonly isList: boolean;
  readonly durability: Durability;
  /** Returns the function that tells the caller, for when the group is committed. */
  readonly execute: () => () => void;
  readonly reject: (error: unknown) => void;
  /** When the job first met another process's lock. */
  waitsSince?: number;
}

/** SQLite blocks this whole process while it waits for another process's lock: longer waits are handled here. */
const BUSY_TIMEOUT_MS = 10;
/** How long work waits in total for a lock held by another process. */
const LOCK_PATIENCE_MS = 5_000;
const FIRST_LOCK_WAIT_MS = 10;
const LONGEST_LOCK_WAIT_MS = 200;
/** How long a commit accepts jobs; the rest are left for the next turn of the event loop. */
const COMMIT_MS = 8;

/** The waits between attempts to get a lock; other work continues meanwhile. */
function* lockWaits(patienceMs: number): Generator<number> {
  const until = performance.now() + patienceMs;
  for (let waitMs = FIRST_LOCK_WAIT_MS; performance.now() < until; waitMs = nextLockWait(waitMs)) yield waitMs;
}

function nextLockWait(waitMs: number): number {
  return Math.min(Math.max(2 * waitMs, FIRST_LOCK_WAIT_MS), LONGEST_LOCK_WAIT_MS);
}

/**
 * This process's only connection to its SQLite file, opened by the first statement. Reads run at once; the writes of one
 * turn of the event loop share a commit, so that fifty runs pay for one fsync, and each job of a group succeeds or fails
 * alone. While a transaction is open everything else waits: otherwise its rollback would also undo a neighbour's
 * acknowledged write. What meets another process's lock is retried by a timer, writes in order; reads do not wait for
 * them.
 */
export class SqliteConnection {
  readonly #open: () => Connection.Database;
  readonly #patienceMs: number;
  #opened: Connection.Database | null = null;
  readonly #named = new StatementCache((sql) => withFlags(this.#file.prepare<unknown[], SqlRow>(sql)));
  readonly #exact = new StatementCache((sql) => {
    const statement = this.#file.prepare<unknown[], SqliteValue[]>(sql).safeIntegers(true);
    return statement.reader ? statement.raw(true) : statement;
  });
  #queue: Job[] = [];
  #planned: Durability | null = null;
  /**
   * The open transaction, until it ends; awaited in a loop, because another waiter may begin the next one first, and the
   * loop stands where the connection is used, because an await between the two would let another one in.
   */
  #transaction: Promise<void> | null = null;
  #lockWaitMs = 0;
  #lockTimer: NodeJS.Timeout | null = null;

  /** `open` is called once. */
  constructor(open: () => Connection.Database, patienceMs = LOCK_PATIENCE_MS) {
    this.#open = open;
    this.#patienceMs = patienceMs;
  }

  /** Rows of a SELECT or RETURNING, otherwise an empty list. `$1` in `sql` is `parameters[0]`. */
  async run(sql: string, parameters: readonly unknown[], durability: Durability): Promise<SqlRow[]> {
    const { isRead } = this.#named.get(sql);
    return this.#perform(isRead, () => this.#execute({ sql, parameters }), durability);
  }

  /** Statements stored together or not at all; returns the rows of each. */
  async runAll(statements: readonly SqlStatement[], durability: Durability): Promise<SqlRow[][]> {
    this.#requireOpen();
    const execute = () => statements.map((statement) => this.#execute(statement));
    return this.#write(execute, durability, statements.length > 1);
  }

  /** A statement with exact integers; `?` in `sql` are `values` in order. */
  async perform(sql: string, values: readonly SqliteValue[]): Promise<ExactRows> {
    return this.#perform(this.#exact.get(sql).readonly, () => this.#executeExactly(sql, values), "normal");
  }

  /** Several statements with `;` between them, each for itself. */
  runScript(script: string): Promise<void> {
    return this.#patiently(async () => {
      while (this.#transaction !== null) await this.#transaction;
      this.#file.exec(script);
    });
  }

  /** Waits its turn and the other processes' locks, then has the connection alone; its commit is `full`. */
  begin(): Promise<SqliteTransaction> {
    return this.#patiently(() => this.#begin());
  }

  /** Finishes requested writes and closes the file; one that was never opened stays closed. */
  async close(): Promise<void> {
    while (this.#transaction !== null) await this.#transaction;
    while (this.#queue.length > 0) {
      this.#flush();
      if (this.#lockTimer !== null) await setTimeout(this.#lockWaitMs);
      while (this.#transaction !== null) await this.#transaction;
    }
    this.#opened?.close();
  }

  get #file(): Connection.Database {
    this.#opened ??= prepareConnection(this.#open());
    return this.#opened;
  }

  /** Before anything waits for its turn, so that whoever waits can rely on it. */
  #requireOpen(): void {
    if (!this.#file.open) throw new Error("The database connection is closed.");
  }

  /** Reads at once, or as soon as the open transaction has ended; writes with the others of this turn. */
  async #perform<Result>(isRead: boolean, execute: () => Result, durability: Durability): Promise<Result> {
    if (!isRead) return this.#write(execute, durability, false);
    while (this.#transaction !== null) await this.#transaction;
    try {
      return execute();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    return this.#patiently(async () => {
      while (this.#transaction !== null) await this.#transaction;
      return execute();
    });
  }

  #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    return retry(work, { when: isBusy, delays: lockWaits(this.#patienceMs) });
  }

  #write<Result>(execute: () => Result, durability: Durability, isList: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      const attempt = () => {
        const result = execute();
        return () => resolve(result);
      };
      this.#queue.push({ execute: attempt, isList, durability, reject });
      this.#planFlush(durability);
    });
  }

  async #begin(): Promise<SqliteTransaction> {
    this.#requireOpen();
    while (this.#transaction !== null) await this.#transaction;
    const release = this.#lockOut();
    try {
      this.#sync("FULL");
      // Without IMMEDIATE another process's lock would be met by the first write, when the connection is no longer free.
      this.#file.exec("BEGIN IMMEDIATE");
    } catch (error) {
      release();
      throw error;
    }
    return this.#transactionUntil(release);
  }

  #transactionUntil(release: () => void): SqliteTransaction {
    let isOver = false;
    const end = (finish: () => void) => {
      if (isOver) return;
      isOver = true;
      try {
        finish();
      } finally {
        this.#rollBack();
        release();
      }
    };
    // A full disk, for one, makes SQLite itself roll back: what followed would be stored alone.
    const requireTransaction = () => {
      if (isOver || !this.#file.inTransaction) throw new Error("The transaction has ended.");
    };
    return {
      perform: (sql, values) => {
        requireTransaction();
        return this.#executeExactly(sql, values);
      },
      commit: () => {
        if (isOver) requireTransaction();
        end(() => this.#file.exec("COMMIT"));
      },
      rollback: () => end(() => undefined),
    };
  }

  /** A connection that can't roll back is closed, which does: in what is left open no write would be stored. */
  #rollBack(): void {
    if (!this.#file.inTransaction) return;
    try {
      this.#file.exec("ROLLBACK");
    } catch {
      if (this.#file.inTransaction) this.#file.close();
    }
  }

  /** Makes all others wait until the returned function is called. */
  #lockOut(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#transaction = promise;
    return () => {
      this.#transaction = null;
      resolve();
      this.#sync("NORMAL");
    };
  }

  // If a commit costs an fsync, it is worth waiting for more writes; otherwise the write runs when the current callback
  // is done.
  #planFlush(durability: Durability): void {
    if (this.#lockTimer !== null) return;
    if (this.#planned === durability || this.#planned === "normal") return;
    this.#planned = durability;
    if (durability === "full") setImmediate(() => this.#flushWhenIdle());
    else process.nextTick(() => this.#flushWhenIdle());
  }

  #flushWhenIdle(): void {
    this.#planned = null;
    if (this.#lockTimer !== null) return;
    if (this.#transaction === null) this.#flush();
    else void this.#transaction.then(() => this.#flushWhenIdle());
  }

  #flush(): void {
    const jobs = this.#queue;
    this.#queue = [];
    if (jobs.length === 0) return;
    const isFull = jobs.some((job) => job.durability === "full");
    try {
      if (isFull) this.#sync("FULL");
      const settled = this.#commit(jobs);
      this.#lockWaitMs = 0;
      this.#putBack(jobs.slice(settled.length));
      for (const tell of settled) tell();
    } catch (error) {
      // The commit itself failed (disk full, I/O error): nothing in the group is stored.
      this.#rollBack();
      if (isBusy(error)) this.#waitForLock(jobs, error);
      else for (const job of jobs) job.reject(error);
    } finally {
      if (isFull) this.#sync("NORMAL");
    }
  }

  #waitForLock(jobs: readonly Job[], error: unknown): void {
    const now = performance.now();
    const waiting: Job[] = [];
    for (const job of jobs) {
      job.waitsSince ??= now;
      if (now - job.waitsSince > this.#patienceMs) job.reject(error);
      else waiting.push(job);
    }
    if (waiting.length === 0) return;
    this.#queue.unshift(...waiting);
    this.#lockWaitMs = nextLockWait(this.#lockWaitMs);
    this.#lockTimer ??= startTimer(() => {
      this.#lockTimer = null;
      this.#flushWhenIdle();
    }, this.#lockWaitMs);
  }

  #putBack(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    this.#queue.unshift(...jobs);
    setImmediate(() => this.#flushWhenIdle());
  }

  #commit(jobs: readonly Job[]): (() => void)[] {
    const [first] = jobs;
    if (jobs.length === 1 && first) return [first.isList ? this.#alone(first) : this.#attempt(first)];
    this.#file.exec("BEGIN IMMEDIATE");
    const until = performance.now() + COMMIT_MS;
    const settled: (() => void)[] = [];
    for (const job of jobs) {
      settled.push(this.#attempt(job));
      if (performance.now() > until) break;
    }
    this.#file.exec("COMMIT");
    return settled;
  }

  /** A list alone in its group needs no savepoint, which costs a tenth of it: a failure rolls back the transaction. */
  #alone(job: Job): () => void {
    this.#file.exec("BEGIN IMMEDIATE");
    const tell = job.execute();
    this.#file.exec("COMMIT");
    return tell;
  }

  /** Runs the job and returns a function that reports the result to its caller once the group is committed. */
  #attempt(job: Job): () => void {
    const isInGroup = this.#file.inTransaction;
    try {
      if (job.isList) this.#file.exec("SAVEPOINT list");
      const tell = job.execute();
      if (job.isList) this.#file.exec("RELEASE list");
      return tell;
    } catch (error) {
      // A failed job only undoes itself, unless SQLite rolled back the whole transaction.
      if (isInGroup && !this.#file.inTransaction) throw error;
      if (!isInGroup && isBusy(error)) throw error;
      if (job.isList) this.#file.exec("ROLLBACK TO list; RELEASE list");
      return () => job.reject(error);
    }
  }

  #execute({ sql, parameters, mustChange = false }: SqlStatement): SqlRow[] {
    const { statement, flags } = this.#named.get(sql);
    const bound = bindNamed(parameters);
    if (statement.reader) return readFlags(statement.all(bound), flags);
    const { changes } = statement.run(bound);
    if (mustChange && changes === 0) throw new NothingChanged("A row was not in the expected state.");
    return [];
  }

  #executeExactly(sql: string, values: readonly SqliteValue[]): ExactRows {
    const statement = this.#exact.get(sql);
    if (!statement.reader) return { columns: [], rows: [], changes: statement.run(values).changes };
    const rows = statement.all(values);
    return { columns: statement.columns(), rows, changes: statement.readonly ? 0 : rows.length };
  }

  // Never as a prepared statement: SQLite sets this level while it compiles the text, so running it again does nothing.
  #sync(level: "NORMAL" | "FULL"): void {
    if (this.#file.open) this.#file.exec(`PRAGMA synchronous = ${level}`);
  }
}

/** `url` is `file:<path>`. Nothing is opened yet. */
export function openSqlite(url: string, patienceMs = LOCK_PATIENCE_MS): SqliteConnection {
  const file = sqliteFile(url);
  return new SqliteConnection(() => new Connection(file, { timeout: BUSY_TIMEOUT_MS }), patienceMs);
}

/** The path in `file:<path>`. */
export function sqliteFile(url: string): string {
  return url.replace(/^file:/, "");
}

function prepareConnection(connection: Connection.Database): Connection.Database {
  try {
    connection.pragma("journal_mode = WAL");
    connection.pragma("foreign_keys = ON");
    connection.pragma("synchronous = NORMAL");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
