import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { LeaseLost, ShuttingDown } from "@/lib/server/engine/lease-lost";
import { announceQueued } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import {
  addJobOncePer,
  type HeldJob,
  type JobQueue,
  jobStatement,
  laterJobStatements,
  openJobQueue,
  type QueueName,
  SEGMENTS,
  TASKS,
} from "@/lib/server/platform/db/job-queue";
import { type QueuedRun, selectNextOfThread } from "@/lib/server/platform/db/queries/dispatch/claims";
import { hasNewerJob, selectForgottenRuns, selectJobsDue } from "@/lib/server/platform/db/queries/dispatch/jobs";
import { countOpenRuns } from "@/lib/server/platform/db/queries/runs";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { logger } from "@/lib/server/platform/logger";
import { repeatWork } from "./repeat-work";
import type { DispatchHandlers, RunDispatcher, Timer, WorkLimits } from "./run-dispatcher";

/** Limited, so that a burst of new runs does not delay runs in progress. */
const FETCHED_AT_ONCE = 8;
const TASK_SLOTS = 16;
/** The longest that a queued run waits if no notification arrives. */
const LOOK_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 3_000;
const RECONCILE_EVERY_MS = 60_000;
const SUPERVISE_EVERY_MS = 60_000;
const LAST_MOMENT_MS = 1_500;
/** Without an answer of the database for this long, other processes may have had none either. */
const AWAY_MS = 4_000;
/** How long processes have to renew what they hold after the database was away, until the first is taken for dead. */
const PATIENCE_MS = 2 * BEAT_EVERY_MS;
/** A database that is always slow must not keep the runs of the dead for ever. */
const IMPATIENT_MS = 30_000;
/** How long a process that has given a segment back leaves the queue to other processes. */
const STAND_BACK_MS = 300;

const RECONCILE = "reconcile";

interface HeldHere {
  readonly job: HeldJob;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** For processes that share a Postgres: pg-boss hands out the segments and reclaims those of dead processes. */
export class BossDispatcher implements RunDispatcher {
  private readonly held = { [SEGMENTS]: new Map<string, HeldHere>(), [TASKS]: new Map<string, HeldHere>() };
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly sleepers = { [SEGMENTS]: new Set<() => void>(), [TASKS]: new Set<() => void>() };
  /** Queues to fetch from again: somebody woke their pump while it was fetching. */
  private readonly wanted = new Set<QueueName>();
  private queue: JobQueue | null = null;
  private pumps: Promise<void>[] = [];
  private standBackUntil = 0;
  private answeredAt = performance.now();
  private patientUntil = Number.NEGATIVE_INFINITY;
  private beating = false;
  private stopped = false;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  dispatch(runs: readonly QueuedRun[]): Promise<readonly SqlStatement[]> {
    return Promise.all(runs.map((run) => this.segmentStatement(run, true)));
  }

  async schedule({ name, at, task, data, isNew }: Timer): Promise<readonly SqlStatement[]> {
    const job = { queue: TASKS, key: name, data: { task, data }, startAfter: at } as const;
    return isNew ? [await jobStatement(this.database, job, false)] : laterJobStatements(this.database, job);
  }

  async dispatchNext(runId: string): Promise<void> {
    const next = await selectNextOfThread(this.database, runId);
    if (!next) return;
    await this.database.runAll([await this.segmentStatement(next, false)]);
    announceQueued();
  }

  repeat(task: string, everyMs: number, isDue?: () => Promise<boolean>): void {
    const job = { queue: TASKS, key: `every ${task}`, data: { task, data: {} } } as const;
    const add = async () => {
      if (isDue && !(await isDue())) return;
      await addJobOncePer(this.database, job, Math.max(1, Math.round(everyMs / 1_000)));
    };
    this.every(everyMs, add);
    add().catch(warn);
  }

  async work(handlers: DispatchHandlers, { slots, runsPerUser }: WorkLimits): Promise<void> {
    const queue = await openJobQueue(this.database.url, this.database.connections.jobs);
    this.queue = queue;
    this.answeredAt = performance.now();
    const segment = (job: HeldJob, signal: AbortSignal) => this.executeSegment(queue, handlers, job, signal);
    const task = (job: HeldJob, signal: AbortSignal) => this.executeTask(queue, handlers, job, signal);
    this.pumps = [
      this.pump(queue, SEGMENTS, { slots, perGroup: runsPerUser, execute: segment }),
      this.pump(queue, TASKS, { slots: TASK_SLOTS, execute: task }),
    ];
    this.every(LOOK_EVERY_MS, () => this.look(queue));
    this.every(BEAT_EVERY_MS, () => this.beat(queue));
    this.every(SUPERVISE_EVERY_MS, async () => void (await this.supervise(queue)));
    this.repeat(RECONCILE, RECONCILE_EVERY_MS);
  }

  wake(): void {
    this.wakePump(SEGMENTS);
    this.wakePump(TASKS);
  }

  begin(): void {
    this.wake();
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    this.wake();
    const { queue } = this;
    if (!queue) return;
    await Promise.allSettled(this.pumps);
    const reason = new ShuttingDown();
    const [segments, tasks] = [this.held[SEGMENTS], this.held[TASKS]];
    for (const { abort } of tasks.values()) abort.abort(reason);
    const all = Promise.allSettled([...segments.values(), ...tasks.values()].map(({ done }) => done));
    // Runs that are now ending still need their heartbeats.
    const beats = setInterval(() => void this.beat(queue), BEAT_EVERY_MS);
    const grace = setTimeout(() => {
      for (const { abort } of segments.values()) abort.abort(reason);
    }, graceMs);
    await Promise.race([all, sleep(graceMs + LAST_MOMENT_MS, undefined, { ref: false })]);
    clearTimeout(grace);
    clearInterval(beats);
    for (const name of [SEGMENTS, TASKS] as const) {
      await queue
        .giveBack(
          name,
          [...this.held[name].values()].map(({ job }) => job),
        )
        .catch(warn);
    }
    await queue.close().catch(warn);
  }

  private wakePump(name: QueueName): void {
    this.wanted.add(name);
    for (const wake of this.sleepers[name]) wake();
  }

  /** Finds what no notification told: jobs whose time has come, and those of dead processes. */
  private async look(queue: JobQueue): Promise<void> {
    const due = await selectJobsDue(this.database);
    this.noteAnswer();
    const isLost = due.lost && (await this.supervise(queue));
    if (due.segments || isLost) this.wakePump(SEGMENTS);
    if (due.tasks || isLost) this.wakePump(TASKS);
  }

  private noteAnswer(): void {
    const now = performance.now();
    const mayBePatient = now > this.patientUntil + IMPATIENT_MS;
    if (now - this.answeredAt > AWAY_MS && mayBePatient) this.patientUntil = now + PATIENCE_MS;
    this.answeredAt = now;
  }

  /**
   * Takes jobs back whose process no longer renews them; false if it is too early to tell. While the database was away,
   * or this process frozen, no lease could be renewed: processes that are alive first get time to renew theirs.
   */
  private async supervise(queue: JobQueue): Promise<boolean> {
    const now = performance.now();
    if (now < this.patientUntil || now - this.answeredAt > AWAY_MS) return false;
    await queue.supervise();
    return true;
  }

  /** Users with fewer open runs come first in the queue. */
  private async segmentStatement(run: QueuedRun, mustBeNew: boolean): Promise<SqlStatement> {
    const { id: runId, ownerId, segment } = run;
    const priority = -(await countOpenRuns(this.database, ownerId));
    const job = { queue: SEGMENTS, key: `${runId}:${segment}`, group: ownerId, priority, data: { runId } } as const;
    return jobStatement(this.database, job, mustBeNew);
  }

  private every(everyMs: number, work: () => Promise<void>): void {
    this.timers.push(repeatWork(work, { everyMs, onError: warn }));
  }

  /** Fetches while slots are free and jobs arrive; pg-boss's own `work()` hands out only one job a second. */
  private async pump(queue: JobQueue, name: QueueName, { slots, perGroup, execute }: Pump): Promise<void> {
    const held = this.held[name];
    while (!this.stopped) {
      this.wanted.delete(name);
      const free = Math.min(slots - held.size, FETCHED_AT_ONCE);
      const isStandingBack = name === SEGMENTS && performance.now() < this.standBackUntil;
      const jobs = free <= 0 || isStandingBack ? [] : await queue.fetch(name, free, perGroup).catch(noJobs);
      if (this.stopped) return void (await queue.giveBack(name, jobs).catch(warn));
      for (const job of jobs) this.hold(name, job, execute);
      // Fewer than there was room for: nothing else may begin now.
      const isDrained = free <= 0 || jobs.length < free;
      if (isDrained && !this.wanted.has(name)) await this.untilWoken(name);
    }
  }

  private hold(name: QueueName, job: HeldJob, execute: Pump["execute"]): void {
    const held = this.held[name];
    // This process stalled, lost the job and has now received it again.
    held.get(job.id)?.abort.abort(new LeaseLost());
    const abort = new AbortController();
    const done = execute(job, abort.signal)
      .catch(warn)
      .then(() => {
        if (held.get(job.id)?.job === job) held.delete(job.id);
        // The end of a run may let another of its user begin; the end of a task only frees its slot.
        if (name === SEGMENTS || held.size + 1 >= TASK_SLOTS) this.wakePump(name);
      });
    held.set(job.id, { job, abort, done });
  }

  private async untilWoken(name: QueueName): Promise<void> {
    const woken = Promise.withResolvers<void>();
    this.sleepers[name].add(woken.resolve);
    await woken.promise;
    this.sleepers[name].delete(woken.resolve);
  }

  private async executeSegment(
    queue: JobQueue,
    handlers: DispatchHandlers,
    job: HeldJob,
    signal: AbortSignal,
  ): Promise<void> {
    const { runId, lost } = segmentOf(job);
    // A process died between the end of its segment and the completion of its job: a later segment has its own job.
    if (job.retryCount > 0 && (await hasNewerJob(this.database, job.id))) return queue.complete(SEGMENTS, job);
    const outcome = await handlers
      .segment({ runId, attempt: job.retryCount + (lost ? 1 : 0), signal })
      .catch((error) => {
        logger().error({ err: error, runId }, "could not execute a run");
        return "requeue" as const;
      });
    if (outcome === "requeue") {
      if (!this.stopped) this.standBackUntil = performance.now() + STAND_BACK_MS;
      await queue.giveBack(SEGMENTS, [job]);
      announceQueued();
      return;
    }
    await queue.complete(SEGMENTS, job);
    // Not earlier: if it was not this run's turn, no other job could be added for it while this one existed.
    await this.dispatchNext(runId);
  }

  private async executeTask(
    queue: JobQueue,
    handlers: DispatchHandlers,
    job: HeldJob,
    signal: AbortSignal,
  ): Promise<void> {
    const { task, data } = taskOf(job);
    try {
      await (task === RECONCILE ? this.reconcile() : handlers.task(task, data, signal));
      await queue.complete(TASKS, job);
    } catch (error) {
      if (!signal.aborted) logger().error({ err: error, task }, "a task has failed and will be tried again");
      await queue.giveBack(TASKS, [job]);
    }
  }

  /** One statement renews every held job; jobs missing from its result now belong to another process. */
  private async beat(queue: JobQueue): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    try {
      for (const name of [SEGMENTS, TASKS] as const) {
        const held = [...this.held[name].values()];
        const known = await queue.touch(
          name,
          held.map(({ job }) => job),
        );
        for (const { job, abort } of held) {
          if (!known.has(job.id) && this.held[name].get(job.id)?.job === job) abort.abort(new LeaseLost());
        }
      }
    } catch (error) {
      warn(error);
    } finally {
      this.beating = false;
    }
  }

  /**
   * Creates jobs for queued or running runs that have none: after a backup was restored, or when a process died between
   * two statements.
   */
  private async reconcile(): Promise<void> {
    const forgotten = await selectForgottenRuns(this.database);
    for (const run of forgotten) {
      const isLost = run.status === "running";
      const key = `${run.id}:${run.segment}${isLost ? ":lost" : ""}`;
      const data = { runId: run.id, ...(isLost ? { lost: true } : {}) };
      const priority = -(await countOpenRuns(this.database, run.ownerId));
      const job = { queue: SEGMENTS, key, group: run.ownerId, priority, data } as const;
      await this.database.runAll([await jobStatement(this.database, job, false)]);
    }
    if (forgotten.length === 0) return;
    logger().warn({ runs: forgotten.length }, "dispatched runs that had no job");
    announceQueued();
  }
}

interface Pump {
  readonly slots: number;
  readonly perGroup?: number;
  readonly execute: (job: HeldJob, signal: AbortSignal) => Promise<void>;
}

const SegmentJob = z.object({ runId: z.string(), lost: z.boolean().optional() });
const TaskJob = z.object({ task: z.string(), data: z.unknown() });

const segmentOf = ({ data }: HeldJob) => SegmentJob.parse(data);
const taskOf = ({ data }: HeldJob) => TaskJob.parse(data);

function warn(error: unknown): void {
  logger().warn({ err: error }, "the dispatcher could not reach the database; trying again");
}

function noJobs(error: unknown): HeldJob[] {
  warn(error);
  return [];
}
