import { setTimeout as startTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import type Connection from "better-sqlite3";
import { type SqlValue, sqlTimestamp } from "./dialect";
import { isBusy, NothingChanged } from "./errors";

/** `full`: on disk before the promise resolves. `normal`: survives kill -9, may be lost in a power cut. */
export type Durability = "normal" | "full";

export type SqlRow = Record<string, unknown>;

/** One statement of a list. */
export interface SqlStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** The whole list fails with NothingChanged if this statement changes no row. */
  readonly mustChange?: boolean;
}

interface Job {
  readonly statements: readonly SqlStatement[];
  readonly durability: Durability;
  readonly resolve: (rows: SqlRow[][]) => void;
  readonly reject: (error: unknown) => void;
  /** When the job first met another process's lock. */
  waitsSince?: number;
}

/** How long a write waits in total for a lock held by another process. */
export const LOCK_PATIENCE_MS = 5_000;
const FIRST_LOCK_WAIT_MS = 10;
const LONGEST_LOCK_WAIT_MS = 200;

/** The waits between attempts to get a lock; other work continues meanwhile. */
export function* lockWaits(patienceMs: number): Generator<number> {
  const until = performance.now() + patienceMs;
  for (let waitMs = FIRST_LOCK_WAIT_MS; performance.now() < until; waitMs = nextLockWait(waitMs)) yield waitMs;
}

function nextLockWait(waitMs: number): number {
  return Math.min(Math.max(2 * waitMs, FIRST_LOCK_WAIT_MS), LONGEST_LOCK_WAIT_MS);
}

/** How long a commit accepts jobs; the rest are left for the next turn of the event loop. */
const COMMIT_MS = 8;
const MAX_STATEMENTS = 500;

/**
 * Raw statements on Prisma's connection. Reads run at once; the writes of one turn of the event loop share a commit, so
 * that fifty runs pay for one fsync. Each statement of a group succeeds or fails alone. Writes that meet another
 * process's lock are retried by a timer, in order; reads do not wait for them.
 */
export class SqliteWriter {
  readonly #statements = new Map<string, Connection.Statement<unknown[], SqlRow>>();
  #queue: Job[] = [];
  #planned: Durability | null = null;
  #transaction: Promise<void> | null = null;
  #lockWaitMs = 0;
  #lockTimer: NodeJS.Timeout | null = null;

  private readonly connection: Connection.Database;
  private readonly patienceMs: number;

  constructor(connection: Connection.Database, patienceMs = LOCK_PATIENCE_MS) {
    this.connection = connection;
    this.patienceMs = patienceMs;
    connection.pragma("journal_mode = WAL");
    connection.pragma("foreign_keys = ON");
    this.#sync("NORMAL");
  }

  /** Whether a Prisma transaction holds the connection. */
  get isTransactionOpen(): boolean {
    return this.#transaction !== null;
  }

  /**
   * Resolves when the open Prisma transaction has ended. Another waiter may have begun the next one by then: check
   * `isTransactionOpen` again, and use the connection at once.
   */
  async whenIdle(): Promise<void> {
    await this.#transaction;
  }

  /** Resolves when every requested write is done. */
  async drain(): Promise<void> {
    while (this.#transaction !== null) await this.#transaction;
    while (this.#queue.length > 0) {
      this.#flush();
      if (this.#lockTimer !== null) await setTimeout(this.#lockWaitMs);
    }
  }

  /** Waits its turn, then locks out all others until the returned function is called. Commits are `full`. */
  async enterTransaction(): Promise<() => void> {
    while (this.#transaction !== null) await this.#transaction;
    let settle: () => void = () => undefined;
    this.#transaction = new Promise((resolve) => {
      settle = resolve;
    });
    this.#sync("FULL");
    return () => {
      this.#transaction = null;
      this.#sync("NORMAL");
      settle();
    };
  }

  /** Rows of a SELECT or RETURNING, otherwise an empty list. `$1` in `sql` is `parameters[0]`. */
  async run(sql: string, parameters: readonly SqlValue[], durability: Durability): Promise<SqlRow[]> {
    while (this.#transaction !== null) await this.#transaction;
    const statement = { sql, parameters };
    if (this.#prepare(sql).readonly) return this.#execute(statement);
    const [rows] = await this.runAll([statement], durability);
    return rows ?? [];
  }

  /** Statements stored together or not at all; returns the rows of each. */
  runAll(statements: readonly SqlStatement[], durability: Durability): Promise<SqlRow[][]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statements, durability, resolve, reject });
      this.#planFlush(durability);
    });
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
    else void this.whenIdle().then(() => this.#flushWhenIdle());
  }

  #flush(): void {
    const jobs = this.#queue;
    this.#queue = [];
    if (jobs.length === 0) return;
    const isFull = jobs.some((job) => job.durability === "full");
    if (isFull) this.#sync("FULL");
    try {
      const settled = this.#commit(jobs);
      this.#lockWaitMs = 0;
      this.#putBack(jobs.slice(settled.length));
      for (const tell of settled) tell();
    } catch (error) {
      // The commit itself failed (disk full, I/O error): nothing in the group is stored.
      if (this.connection.inTransaction) this.connection.exec("ROLLBACK");
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
      if (now - job.waitsSince > this.patienceMs) job.reject(error);
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
    if (jobs.length === 1 && first) return [first.statements.length === 1 ? this.#attempt(first) : this.#alone(first)];
    this.connection.exec("BEGIN IMMEDIATE");
    const until = performance.now() + COMMIT_MS;
    const settled: (() => void)[] = [];
    for (const job of jobs) {
      settled.push(this.#attempt(job));
      if (performance.now() > until) break;
    }
    this.connection.exec("COMMIT");
    return settled;
  }

  /** A list alone in its group needs no savepoint, which costs a tenth of it: a failure rolls back the transaction. */
  #alone(job: Job): () => void {
    this.connection.exec("BEGIN IMMEDIATE");
    const rows = job.statements.map((statement) => this.#execute(statement));
    this.connection.exec("COMMIT");
    return () => job.resolve(rows);
  }

  /** Runs the job and returns a function that reports the result to its caller once the group is committed. */
  #attempt(job: Job): () => void {
    const isInGroup = this.connection.inTransaction;
    const isList = job.statements.length > 1;
    try {
      if (isList) this.connection.exec("SAVEPOINT list");
      const rows = job.statements.map((statement) => this.#execute(statement));
      if (isList) this.connection.exec("RELEASE list");
      return () => job.resolve(rows);
    } catch (error) {
      // A failed job only undoes itself, unless SQLite rolled back the whole transaction.
      if (isInGroup && !this.connection.inTransaction) throw error;
      if (!isInGroup && isBusy(error)) throw error;
      if (isList) this.connection.exec("ROLLBACK TO list; RELEASE list");
      return () => job.reject(error);
    }
  }

  #execute({ sql, parameters, mustChange = false }: SqlStatement): SqlRow[] {
    const statement = this.#prepare(sql);
    const bound = bind(parameters);
    if (statement.reader) return statement.all(bound);
    const { changes } = statement.run(bound);
    if (mustChange && changes === 0) throw new NothingChanged("A row was not in the expected state.");
    return [];
  }

  // Never as a prepared statement: SQLite sets this level while it compiles the text, so running it again does nothing.
  #sync(level: "NORMAL" | "FULL"): void {
    this.connection.exec(`PRAGMA synchronous = ${level}`);
  }

  #prepare(sql: string): Connection.Statement<unknown[], SqlRow> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.connection.prepare<unknown[], SqlRow>(sql).safeIntegers(false);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** better-sqlite3 reads `$1` as the parameter named "1"; it accepts neither booleans nor dates. */
function bind(parameters: readonly SqlValue[]): Record<string, string | number | bigint | Uint8Array | null> {
  const bound: Record<string, string | number | bigint | Uint8Array | null> = {};
  for (const [index, value] of parameters.entries()) bound[index + 1] = toSqlite(value);
  return bound;
}

function toSqlite(value: SqlValue): string | number | bigint | Uint8Array | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value instanceof Date ? sqlTimestamp(value) : value;
}
