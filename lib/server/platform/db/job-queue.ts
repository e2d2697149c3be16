import type { Job, PgBoss } from "pg-boss";
import { z } from "zod";
import { logger } from "@/lib/server/platform/logger";
import type { Database } from "./database";
import type { SqlStatement } from "./sql-statement";

// pg-boss is loaded only if Postgres is used: each function imports it itself.

/** The segments of runs. A journal format that earlier versions can't read needs a new queue. */
export const SEGMENTS = "segment.v1";
/** All other work to be done once, now or later. */
export const TASKS = "task.v1";
export type QueueName = typeof SEGMENTS | typeof TASKS;

/** pg-boss accepts nothing below 10. */
const HEARTBEAT_SECONDS = 10;
const SHORTLY_SECONDS = 3_600;
const MONTH_SECONDS = 30 * 86_400;

const QUEUES = {
  [SEGMENTS]: {
    policy: "exclusive",
    heartbeatSeconds: HEARTBEAT_SECONDS,
    // The maximum that pg-boss accepts; by default it ends a job after 15 minutes.
    expireInSeconds: 86_000,
    retryDelay: 0,
    // A run counts its own takeovers, and every restart of a worker gives jobs back.
    retryLimit: 1_000,
    retentionSeconds: MONTH_SECONDS,
    deleteAfterSeconds: SHORTLY_SECONDS,
  },
  [TASKS]: {
    policy: "standard",
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: 86_000,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 300,
    retryLimit: 20,
    retentionSeconds: MONTH_SECONDS,
    deleteAfterSeconds: SHORTLY_SECONDS,
  },
} as const;

/** Migrates the engine's own tables in the schema `pgboss`. The caller holds the migration lock. */
export async function migrateJobs(url: string): Promise<void> {
  const boss = await openBoss({ connectionString: url, max: 2, migrate: true, supervise: false });
  try {
    for (const [name, { policy, ...options }] of Object.entries(QUEUES)) {
      if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { policy, ...options });
      else await boss.updateQueue(name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** A job's content and options; see the pg-boss documentation. */
export interface NewJob {
  readonly queue: QueueName;
  readonly data: Readonly<Record<string, unknown>>;
  /** In the queue of segments only one job with a given key exists until it is completed. */
  readonly key: string;
  readonly group?: string;
  readonly priority?: number;
  readonly startAfter?: Date;
}

/**
 * The statement that adds a job, for use in a transaction. With `mustBeNew` it fails the transaction if a job with the
 * same key exists; otherwise it then does nothing.
 */
export async function jobStatement(
  database: Database,
  { queue, data, key, group, priority = 0, startAfter }: NewJob,
  mustBeNew: boolean,
): Promise<SqlStatement> {
  const statements = await record(database, (boss, db) =>
    boss.send(queue, data, {
      singletonKey: key,
      priority,
      ...(group === undefined ? {} : { group: { id: group } }),
      ...(startAfter === undefined ? {} : { startAfter }),
      db,
    }),
  );
  const [sent] = statements;
  if (sent === undefined || statements.length !== 1) throw new Error("pg-boss no longer sends a job in one statement.");
  if (!mustBeNew) return sent;
  // A division by zero is the shortest way to fail inside a transaction that is a list of statements.
  return { ...sent, sql: `with sent as (${sent.sql}) select 1 / (select count(*) from sent) as "sent"` };
}

/**
 * The statements that add a job for later, or change the one waiting under its key. All that pg-boss would run at most:
 * the last one changes a job that somebody else added between the first two, and otherwise repeats what was done.
 */
export function laterJobStatements(
  database: Database,
  { queue, data, key, startAfter }: NewJob & { readonly startAfter: Date },
): Promise<SqlStatement[]> {
  return record(database, (boss, db) => boss.upsert(queue, data, { singletonKey: key, startAfter, db }));
}

/** Adds the job unless one was added under its key in the same interval of `everySeconds`, by the database's clock. */
export async function addJobOncePer(
  database: Database,
  { queue, data, key }: NewJob,
  everySeconds: number,
): Promise<void> {
  const boss = await senderOf(database);
  await boss.send(queue, data, { singletonKey: key, singletonSeconds: everySeconds });
}

/** They keep nothing, so it does not matter that Next's second copy of this module has its own. */
const senders = new WeakMap<Database, Promise<PgBoss>>();

/** Only builds statements; it is never started and has no connection of its own. */
function senderOf(database: Database): Promise<PgBoss> {
  const known = senders.get(database);
  if (known) return known;
  const made = import("pg-boss").then(({ PgBoss }) => {
    const executeSql = async (sql: string, values: unknown[] = []) => ({
      rows: await database.raw(sql, values as SqlStatement["parameters"]),
    });
    return new PgBoss({ db: { executeSql }, migrate: false, supervise: false, schedule: false });
  });
  senders.set(database, made);
  return made;
}

type Recorder = { executeSql(sql: string, values?: unknown[]): Promise<{ rows: { id: string }[] }> };

/** The statements that `send` would run; each gets a reply as if it had changed nothing. */
async function record(
  database: Database,
  send: (boss: PgBoss, db: Recorder) => Promise<unknown>,
): Promise<SqlStatement[]> {
  const recorded: SqlStatement[] = [];
  const db: Recorder = {
    async executeSql(sql, values = []) {
      recorded.push({ sql, parameters: values as SqlStatement["parameters"] });
      return { rows: [] };
    },
  };
  await send(await senderOf(database), db);
  return recorded;
}

/** A job that this process holds; `retryCount` is the number of the attempt. */
export type HeldJob = Pick<Job<Record<string, unknown>>, "id" | "retryCount" | "data">;

/** Jobs to work on, over separate connections: heartbeats must not wait for anything else. */
export interface JobQueue {
  /** Takes up to `count` jobs; all processes together hold at most `perGroup` of a group at once. */
  fetch(queue: QueueName, count: number, perGroup?: number): Promise<HeldJob[]>;
  /** Renews the jobs; returns the ids of those that this process still holds. */
  touch(queue: QueueName, jobs: readonly HeldJob[]): Promise<ReadonlySet<string>>;
  complete(queue: QueueName, job: HeldJob): Promise<void>;
  /** Gives a job back, to be fetched again by any process. */
  giveBack(queue: QueueName, jobs: readonly HeldJob[]): Promise<void>;
  /** Gives back the jobs of dead processes, and deletes old ones. */
  supervise(): Promise<void>;
  close(): Promise<void>;
}

const LOCK_TIMEOUT_MS = 5_000;

/** The fields of pg-boss's reply that its types omit. */
const Touched = z.object({ settled: z.array(z.string()) });

/** Opens the queue. pg-boss's own supervision takes a dozen statements a second even if there is nothing to do. */
export async function openJobQueue(url: string, connections: number): Promise<JobQueue> {
  const boss = await openBoss({
    connectionString: url,
    max: connections,
    migrate: false,
    supervise: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 600,
  });
  return {
    fetch: (queue, count, perGroup) =>
      boss.fetch(queue, { batchSize: count, ...(perGroup === undefined ? {} : { groupConcurrency: perGroup }) }),
    async touch(queue, jobs) {
      if (jobs.length === 0) return new Set();
      return new Set(Touched.parse(await boss.touch(queue, [...jobs])).settled);
    },
    async complete(queue, job) {
      await boss.complete(queue, job);
    },
    async giveBack(queue, jobs) {
      if (jobs.length > 0) await boss.fail(queue, [...jobs]);
    },
    supervise: () => boss.supervise(),
    close: () => boss.stop({ graceful: false }),
  };
}

type BossOptions = ConstructorParameters<typeof PgBoss>[0] & object;

async function openBoss(options: BossOptions): Promise<PgBoss> {
  const { PgBoss } = await import("pg-boss");
  const connection = {
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: options.migrate ? 60_000 : 30_000,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 10_000,
  };
  const boss = new PgBoss({
    ...connection,
    application_name: "ringmaster-jobs",
    schedule: false,
    registerInstance: false,
    ...options,
  });
  boss.on("error", (error) => logger().warn({ reason: error.message }, "the queue of jobs reports an error"));
  await boss.start();
  return boss;
}
