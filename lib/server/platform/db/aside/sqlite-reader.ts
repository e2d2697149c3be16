import type { Worker } from "node:worker_threads";
import type { SqlRow } from "@/lib/server/platform/db/sql-statement";
import { bindNamed, flagsOf, readFlags } from "@/lib/server/platform/db/sqlite-statement";

/**
 * What the thread runs. As text, like that of `askSqliteProcess`: a bundle of the server contains no file for it. Of an
 * error's own fields a message between threads keeps none.
 */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const Connection = require("better-sqlite3");
  const { file, busyTimeoutMs } = workerData;
  const connection = new Connection(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  const answerOf = ({ sql, bound }) => {
    try {
      const statement = connection.prepare(sql);
      return { rows: statement.all(bound), columns: statement.columns().map(({ name, type }) => ({ name, type })) };
    } catch ({ message, code }) {
      return { message, code };
    }
  };
  parentPort.on("message", (read) => parentPort.postMessage(answerOf(read)));`;
/** Nothing else waits for this thread: it may wait for another process's lock. */
const BUSY_TIMEOUT_MS = 5_000;
/** An idle thread with its connection and cache costs some 10 MB. */
const IDLE_MS = 15_000;

interface Answer {
  readonly rows: SqlRow[];
  readonly columns: readonly { readonly name: string; readonly type: string | null }[];
}

interface Failure {
  readonly message: string;
  readonly code?: string;
}

interface Waiting {
  readonly read: { readonly sql: string; readonly bound: Record<string, unknown> };
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads that may take long, in a thread with a read-only connection of its own, one after the other: they see what was
 * committed before they began, and hold up nothing else. The thread begins with the first read and ends soon after
 * the last one.
 */
export class SqliteReader {
  readonly #file: string;
  readonly #idleMs: number;
  #worker: Worker | null = null;
  /** The first one is being read. */
  #waiting: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;
  /** The end of the last thread that had nothing to do. */
  #resting: Promise<unknown> | undefined;
  #isClosed = false;

  constructor(file: string, { idleMs = IDLE_MS }: { readonly idleMs?: number } = {}) {
    this.#file = file;
    this.#idleMs = idleMs;
  }

  /**
   * `$1` in `sql` is `parameters[0]`. Rejects a statement that would write, and with the signal's reason once it aborts:
   * what has not begun then is never read, and nobody waits for what has.
   */
  async read(sql: string, parameters: readonly unknown[], signal: AbortSignal | null = null): Promise<SqlRow[]> {
    if (this.#isClosed) throw new Error("The database connection is closed.");
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting = { read: { sql, bound: bindNamed(parameters) }, resolve, reject };
    const leave = () => {
      reject(signal?.reason);
      this.#waiting = this.#waiting.filter((one, index) => index === 0 || one !== waiting);
    };
    signal?.addEventListener("abort", leave, { once: true });
    try {
      this.#waiting.push(waiting);
      if (this.#waiting.length === 1) this.#readNext();
      const { rows, columns } = await promise;
      return readFlags(rows, flagsOf(columns));
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Ends the thread; what it was reading is rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await Promise.all([this.#worker?.terminate(), this.#resting]);
  }

  #start(): Worker {
    const workerData = { file: this.#file, busyTimeoutMs: BUSY_TIMEOUT_MS };
    // From a regular import a bundler would expect the program to be a file.
    const { Worker } = process.getBuiltinModule("node:worker_threads");
    const worker = new Worker(PROGRAM, { eval: true, workerData, env: {}, execArgv: [] });
    worker.on("message", (answer: Answer | Failure) => this.#settle(answer));
    worker.once("error", (error) => this.#fail(worker, error));
    worker.once("exit", () => this.#fail(worker, new Error("The thread that reads the database has ended.")));
    return worker;
  }

  #readNext(): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(this.#waiting[0]?.read);
  }

  #settle(answer: Answer | Failure): void {
    const done = this.#waiting.shift();
    if ("rows" in answer) done?.resolve(answer);
    else done?.reject(Object.assign(new Error(answer.message), { code: answer.code }));
    if (this.#waiting.length > 0) {
      this.#readNext();
      return;
    }
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#rest(), this.#idleMs).unref();
  }

  /** The next read begins a new thread. */
  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const lost = this.#waiting;
    this.#waiting = [];
    for (const { reject } of lost) reject(error);
  }

  /** A read that comes while the thread ends begins a new one. */
  #rest(): void {
    this.#resting = this.#worker?.terminate();
    this.#worker = null;
  }
}
