import { setImmediate as nextTurn } from "node:timers/promises";
import { ShuttingDown } from "@/lib/server/engine/lease-lost";
import type { FreshRun, QueueHint } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { selectLeftRuns, selectTurns, selectWaitingOwners } from "@/lib/server/platform/db/queries/dispatch/claims";
import {
  deleteTimers,
  postponeTimer,
  selectDueTimers,
  setTimerStatement,
  type TimerKey,
} from "@/lib/server/platform/db/queries/dispatch/timers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { logger } from "@/lib/server/platform/logger";
import { withoutRequest } from "@/lib/server/platform/request-context";
import { repeatWork } from "./repeat-work";
import type { DispatchHandlers, RunDispatcher, Timer, WorkLimits } from "./run-dispatcher";

/** Limited, so that a burst of new runs does not delay runs in progress. */
const TAKEN_PER_TURN = 8;
const TIMERS_EVERY_MS = 1_000;
/** The longest that a queued run waits if its announcement was missed. */
const LOOK_EVERY_MS = 5_000;
const LAST_MOMENT_MS = 1_500;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;
const MAX_ATTEMPTS = 20;
/** Fewer than the timers read in one query, so that finished ones never fill it. */
const DONE_AT_ONCE = 25;

interface HeldHere {
  /** Unknown if an earlier process left the run. */
  readonly ownerId: string | null;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

interface DueTimer extends Timer {
  readonly attempts: number;
}

/**
 * For the only process on a database. The queue and the timers are rows; a run that is `running` but not held here was
 * left by an earlier process.
 */
export class EmbeddedDispatcher implements RunDispatcher {
  private readonly held = new Map<string, HeldHere>();
  private readonly tasks = new Map<string, Promise<void>>();
  private readonly ending = new AbortController();
  private readonly repeating: NodeJS.Timeout[] = [];
  private working: { readonly handlers: DispatchHandlers; readonly limits: WorkLimits } | null = null;
  private looking: Promise<void> | null = null;
  private wanted = false;
  /** False if the last look handed out every queued run and none was announced since. */
  private mayWait = true;
  private takenFresh = 0;
  /** Finished timers whose rows still exist, deleted together because each deletion costs a commit. */
  private readonly done = new Map<string, TimerKey>();
  private stopped = false;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async dispatch(): Promise<readonly SqlStatement[]> {
    return [];
  }

  async schedule(timer: Timer): Promise<readonly SqlStatement[]> {
    return [setTimerStatement({ ...timer, data: JSON.stringify(timer.data) })];
  }

  async dispatchNext(): Promise<void> {}

  repeat(task: string, everyMs: number): void {
    const run = () => this.runTask(`every ${task}`, task, {});
    this.every(everyMs, run);
    run().catch(() => undefined);
  }

  async work(handlers: DispatchHandlers, limits: WorkLimits): Promise<void> {
    this.working = { handlers, limits };
    await this.takeLeftRuns();
    this.every(LOOK_EVERY_MS, async () => {
      await this.takeLeftRuns();
      this.wake();
    });
    this.every(TIMERS_EVERY_MS, async () => {
      await this.deleteDone();
      await this.runDueTimers();
    });
    this.wake();
  }

  wake(hint?: QueueHint): void {
    if (hint === "timers-due") {
      this.lookForDueTimers();
      return;
    }
    if (hint === "run-ended" ? !this.mayWait : hint && this.takeFresh(hint)) return;
    this.mayWait = true;
    this.wanted = true;
    if (this.looking || this.stopped || !this.working) return;
    this.looking = this.takeWhileWanted()
      .catch((error: unknown) => logger().error({ err: error }, "could not look for queued runs"))
      .finally(() => {
        this.looking = null;
        if (this.wanted && !this.stopped) setTimeout(() => this.wake(), 1_000).unref();
      });
  }

  begin({ name, task, data, at }: Timer): void {
    if (this.working && !this.stopped) this.runTimer({ name, task, data, at, attempts: 0 });
  }

  async stop(graceMs: number): Promise<void> {
    this.stopped = true;
    for (const timer of this.repeating) clearInterval(timer);
    await this.looking;
    const reason = new ShuttingDown();
    this.ending.abort(reason);
    const all = Promise.allSettled([...this.tasks.values(), ...[...this.held.values()].map(({ done }) => done)]);
    const grace = setTimeout(() => {
      for (const { abort } of this.held.values()) abort.abort(reason);
    }, graceMs);
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, graceMs + LAST_MOMENT_MS))]);
    clearTimeout(grace);
    await this.deleteDone().catch((error: unknown) => logger().warn({ err: error }, "could not delete timers"));
  }

  private every(everyMs: number, work: () => Promise<void>): void {
    const onError = (error: unknown) => logger().error({ err: error }, "could not look for work that is due");
    this.repeating.push(repeatWork(work, { everyMs, onError }));
  }

  /**
   * If no other run waits, claims a new run without looking at the queue; the claim checks whether it is the run's
   * turn.
   */
  private takeFresh({ runId, ownerId }: FreshRun): boolean {
    if (!this.working || this.stopped || this.wanted || this.looking || this.takenFresh >= TAKEN_PER_TURN) return false;
    const { slots, runsPerUser } = this.working.limits;
    if (this.held.size >= slots) return false;
    let running = 0;
    for (const held of this.held.values()) if (held.ownerId === ownerId || held.ownerId === null) running += 1;
    if (running >= runsPerUser) return false;
    this.takenFresh += 1;
    if (this.takenFresh === 1) setImmediate(() => (this.takenFresh = 0));
    this.take(runId, ownerId, 0);
    return true;
  }

  private async takeWhileWanted(): Promise<void> {
    while (this.wanted && !this.stopped && this.working) {
      const { slots, runsPerUser } = this.working.limits;
      const room = Math.min(slots - this.held.size, TAKEN_PER_TURN);
      if (room <= 0) return;
      this.wanted = false;
      const turns = await this.chooseTurns(room, runsPerUser);
      for (const { runId, ownerId } of turns) this.take(runId, ownerId, 0);
      if (turns.length < room) continue;
      this.wanted = true;
      await nextTurn();
    }
  }

  /** The next runs: each slot goes to the user with the fewest running ones. */
  private async chooseTurns(room: number, runsPerUser: number): Promise<FreshRun[]> {
    const waiting = await selectWaitingOwners(this.database);
    this.mayWait = waiting.length > 0;
    const owners = waiting.map((owner) => ({ ...owner, queue: null as string[] | null }));
    const chosen: FreshRun[] = [];
    while (chosen.length < room) {
      const [next] = owners.filter(({ running }) => running < runsPerUser).toSorted((a, b) => a.running - b.running);
      if (!next) break;
      next.queue ??= (await selectTurns(this.database, next.id, room + this.held.size)).filter(
        (id) => !this.held.has(id),
      );
      const runId = next.queue.shift();
      if (runId === undefined) owners.splice(owners.indexOf(next), 1);
      else chosen.push({ runId, ownerId: next.id });
      next.running += 1;
    }
    return chosen;
  }

  private async takeLeftRuns(): Promise<void> {
    for (const runId of await selectLeftRuns(this.database, [...this.held.keys()])) this.take(runId, null, 1);
  }

  private take(runId: string, ownerId: string | null, attempt: number): void {
    const { working } = this;
    if (!working || this.stopped || this.held.has(runId)) return;
    const abort = new AbortController();
    const done = withoutRequest(() => working.handlers.segment({ runId, attempt, signal: abort.signal }))
      .catch((error: unknown) => {
        logger().error({ err: error, runId }, "could not execute a run");
        return "requeue" as const;
      })
      .then((outcome) => {
        this.held.delete(runId);
        this.wake(outcome === "done" ? "run-ended" : undefined);
      });
    this.held.set(runId, { ownerId, abort, done });
  }

  private lookForDueTimers(): void {
    if (!this.working || this.stopped) return;
    this.runDueTimers().catch((error: unknown) => logger().error({ err: error }, "could not look for due timers"));
  }

  private async runDueTimers(): Promise<void> {
    const due = await selectDueTimers(this.database, new Date());
    await eachAlone(due, "running a timer", async ({ data, ...timer }) =>
      this.runTimer({ ...timer, data: JSON.parse(data) }),
    );
  }

  private runTimer({ name, task, data, at, attempts }: DueTimer): void {
    if (this.tasks.has(name) || this.done.get(name)?.at.getTime() === at.getTime()) return;
    const done = async () => {
      this.done.set(name, { name, at });
      if (this.done.size >= DONE_AT_ONCE) await this.deleteDone();
    };
    const failed = async () => {
      // The next process does it at once: the end of this one is no failure of the task.
      if (this.ending.signal.aborted) return;
      if (attempts >= MAX_ATTEMPTS) return done();
      const delayMs = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
      await postponeTimer(this.database, { name, at }, new Date(Date.now() + delayMs));
    };
    void this.runTask(name, task, data)
      .then(done, failed)
      .catch(() => undefined);
  }

  /** If a crash leaves a row behind, its task is repeated. */
  private async deleteDone(): Promise<void> {
    const keys = [...this.done.values()];
    if (keys.length === 0) return;
    await deleteTimers(this.database, keys);
    for (const key of keys) if (this.done.get(key.name) === key) this.done.delete(key.name);
  }

  private runTask(name: string, task: string, data: unknown): Promise<void> {
    const { working, ending } = this;
    const going = this.tasks.get(name);
    if (going !== undefined) return going;
    if (!working || this.stopped) return Promise.reject(new ShuttingDown());
    const running = working.handlers
      .task(task, data, ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) logger().error({ err: error, task }, "a task has failed");
        throw error;
      })
      .finally(() => this.tasks.delete(name));
    this.tasks.set(name, running);
    return running;
  }
}
