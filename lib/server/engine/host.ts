import { z } from "zod";
import { RunCancelled } from "@/lib/agent/run-cancelled";
import { expireApprovals } from "@/lib/server/engine/asks/expire-approvals";
import { reportChildren } from "@/lib/server/engine/children/report-children";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import { unlockDeadThreads } from "@/lib/server/engine/compaction/thread-lock";
import { createDispatcher } from "@/lib/server/engine/dispatch/dispatcher-of";
import { letGo } from "@/lib/server/engine/dispatch/reschedule";
import type { HeldSegment, RunDispatcher, SegmentOutcome, Timer } from "@/lib/server/engine/dispatch/run-dispatcher";
import { EXPIRY } from "@/lib/server/engine/ending/pause";
import { EventWriter, eventInserter } from "@/lib/server/engine/log/event-writer";
import { announceRows, onCancelRequest, onQueued, onSteer } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import { isBusy, isTaken } from "@/lib/server/platform/db/errors";
import { claimRun, isClaimable } from "@/lib/server/platform/db/queries/dispatch/claims";
import { type RunRow, selectWatchedRuns, type WatchedRun } from "@/lib/server/platform/db/queries/runs";
import { logger } from "@/lib/server/platform/logger";
import { RunsGivenBack } from "./give-back";
import { LeaseLost, ShuttingDown } from "./lease-lost";
import { type ExecutionControl, type ExecutionDependencies, executeRun } from "./segment";

interface RunHostOptions extends Omit<ExecutionDependencies, "writer" | "givenBack"> {
  /** The maximum number of running runs in this process. */
  readonly maxRuns?: number;
  /** The maximum number of running runs per user across all processes; waiting runs do not count. */
  readonly maxRunsPerUser?: number;
  readonly beatMs?: number;
  /**
   * Follow-up work after a segment (usage log, compaction); no run waits for it. If the process dies, another one
   * repeats it.
   */
  readonly afterRun?: (runId: string, signal: AbortSignal) => Promise<void>;
  /** Periodic work by name; at each interval one of the processes does it. */
  readonly chores?: Readonly<Record<string, Chore>>;
  /** Handlers for timers of the layers above, by task name; each runs at least once. */
  readonly tasks?: Readonly<Record<string, (data: unknown) => Promise<void>>>;
}

export interface Chore {
  readonly everyMs: number;
  /** Whether there is anything to do; a cheap question, asked in every process. Default: always. */
  isDue?(): Promise<boolean>;
  run(): Promise<void>;
}

const DEFAULTS = { maxRuns: 128, maxRunsPerUser: 20, beatMs: 5_000 };
const TOOL_GRACE_MS = 5_000;

const AFTER_RUN = "after-run";
const AfterRun = z.object({ runId: z.string() });

type ActiveRun = ExecutionControl & Pick<RunRow, "epoch">;

/** Executes the runs handed out by the dispatcher in this process, never inside a request. One per process. */
export class RunHost {
  readonly owner = createId("host");
  private readonly active = new Map<string, ActiveRun>();
  private readonly writer: EventWriter;
  private readonly dispatcher: RunDispatcher;
  private readonly givenBack: RunsGivenBack;
  private readonly settings: typeof DEFAULTS;
  private readonly chores: Readonly<Record<string, Chore>>;
  private readonly stopListening: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private beating = false;
  private stopped = false;

  private readonly options: RunHostOptions;

  constructor(options: RunHostOptions) {
    this.options = options;
    const { maxRuns, maxRunsPerUser, beatMs } = { ...DEFAULTS, ...options };
    this.settings = { maxRuns, maxRunsPerUser, beatMs };
    this.writer = new EventWriter(eventInserter(options.database, this.owner), announceRows, isBusy);
    this.dispatcher = createDispatcher(options.database);
    this.givenBack = new RunsGivenBack(options.database);
    this.chores = { ...options.chores, tidy: { everyMs: beatMs, run: () => this.tidy() } };
  }

  get activeRuns(): number {
    return this.active.size;
  }

  /** Starts working; on SQLite, with the runs that an earlier process left. */
  async start(): Promise<void> {
    this.stopListening.push(onQueued((hint) => this.dispatcher.wake(hint)));
    this.stopListening.push(onCancelRequest((runId, by) => this.cancel(runId, by)));
    this.stopListening.push(onSteer((runId) => this.noteSteer(runId)));
    await this.options.traces.endLeftSpans();
    const limits = { slots: this.settings.maxRuns, runsPerUser: this.settings.maxRunsPerUser };
    const task = (name: string, data: unknown, signal: AbortSignal) => this.runTask(name, data, signal);
    await this.dispatcher.work({ segment: (held) => this.execute(held), task }, limits);
    for (const [name, chore] of Object.entries(this.chores)) {
      this.dispatcher.repeat(name, chore.everyMs, chore.isDue?.bind(chore));
    }
    await this.tidy();
    this.timer = setInterval(() => void this.beat(), this.settings.beatMs);
    this.timer.unref();
  }

  /** Checks for queued runs soon. */
  wake(): void {
    this.dispatcher.wake();
  }

  cancel(runId: string, by: string): void {
    this.active.get(runId)?.abort.abort(new RunCancelled(by));
  }

  private noteSteer(runId: string): void {
    const active = this.active.get(runId);
    if (active) active.isSteered = true;
  }

  /**
   * Stops working: nothing new is claimed, tools get 5 s, everything else stops at once. The runs are given back, so
   * that the next process continues them.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    for (const stop of this.stopListening) stop();
    const reason = new ShuttingDown();
    for (const run of this.active.values()) suspend(run, reason);
    await this.dispatcher.stop(TOOL_GRACE_MS);
  }

  private async execute({ runId, attempt, signal }: HeldSegment): Promise<SegmentOutcome> {
    if (this.givenBack.isLeftToOthers(runId)) return "requeue";
    const claim = { runId, owner: this.owner, isRetry: attempt > 0 };
    const run = await this.claim(claim, signal);
    if (!run) return (await isClaimable(this.options.database, claim)) ? "requeue" : "unclaimed";
    const timer = { name: `${AFTER_RUN} ${runId}`, at: new Date(), task: AFTER_RUN, data: { runId } };
    // A run ends once, and what follows it is stored with its end.
    const followUp = { statements: () => this.dispatcher.schedule({ ...timer, isNew: true }), isStored: false };
    const control: ActiveRun = {
      abort: new AbortController(),
      suspendAtCommit: null,
      log: null,
      epoch: run.epoch,
      isSteered: run.unreadSteers > 0,
      followUp: this.options.afterRun ? followUp : null,
    };
    this.active.set(run.id, control);
    signal.addEventListener("abort", () => control.abort.abort(signal.reason), { once: true });
    if (signal.aborted) control.abort.abort(signal.reason);
    if (run.cancelRequestedAt) control.abort.abort(new RunCancelled(run.cancelledBy ?? "unknown"));
    // The run was claimed while the process was being asked to end.
    if (this.stopped) suspend(control, new ShuttingDown());
    try {
      const outcome = await executeRun(
        { ...this.options, writer: this.writer, givenBack: this.givenBack },
        run,
        control,
      );
      if (followUp.isStored) this.dispatcher.begin(timer);
      else if (outcome === "done") await this.follow(timer);
      return outcome;
    } finally {
      if (this.active.get(run.id) === control) this.active.delete(run.id);
    }
  }

  /** Null if another run of the thread is running: a unique index lets only one be, so this one waits its turn. */
  private async claim(claim: Parameters<typeof claimRun>[1], signal: AbortSignal): Promise<RunRow | null> {
    const { database } = this.options;
    try {
      return await claimRun(database, claim);
    } catch (error) {
      if (isTaken(error)) return null;
      // The claim may have been stored although its answer was lost.
      await letGo(database, { id: claim.runId, leaseOwner: this.owner }, signal);
      throw error;
    }
  }

  /** For a run whose ending another process has stored. */
  private async follow(timer: Timer): Promise<void> {
    if (!this.options.afterRun) return;
    try {
      await this.options.database.runAll(await this.dispatcher.schedule(timer), "normal");
      this.dispatcher.begin(timer);
    } catch (error) {
      logger().error({ err: error, ...timer.data }, "could not schedule what follows a run");
    }
  }

  private async runTask(name: string, data: unknown, signal: AbortSignal): Promise<void> {
    if (name === EXPIRY) return expireApprovals(this.options.database, Date.now());
    const task = this.options.tasks?.[name];
    if (task) return task(data);
    if (name !== AFTER_RUN) return this.chores[name]?.run();
    await this.options.afterRun?.(AfterRun.parse(data).runId, signal);
    // An aborted follow-up counts as failed, so that it is repeated.
    signal.throwIfAborted();
  }

  /** Does work that is due, or that a dead process left behind; what fails holds up neither the rest nor a start. */
  private async tidy(): Promise<void> {
    const { database, traces } = this.options;
    const works: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
      "waking parents": () => wakeParents(database),
      "reporting children": () => reportChildren(database),
      "expiring approvals": () => expireApprovals(database, Date.now()),
      "unlocking threads": () => unlockDeadThreads(database, "expired", traces),
      "resuming calls": () => this.options.resumeConnected?.(),
    };
    for (const [work, tidyUp] of Object.entries(works)) {
      try {
        await tidyUp();
      } catch (error) {
        logger().error({ err: error, work }, "could not tidy up");
      }
    }
  }

  /** Checks whether runs of this process were cancelled or taken over by another process. */
  private async beat(): Promise<void> {
    if (this.beating || this.active.size === 0) return;
    this.beating = true;
    try {
      const watched = await selectWatchedRuns(this.options.database, [...this.active.keys()]);
      for (const row of watched) this.look(row);
    } catch (error) {
      logger().error({ err: error }, "could not look at the runs of this process");
    } finally {
      this.beating = false;
    }
  }

  private look({ id, status, leaseOwner, epoch, cancelRequestedAt, cancelledBy, unreadSteers }: WatchedRun): void {
    const active = this.active.get(id);
    // Just ended, or claimed after the row was read.
    if (!active || status !== "running" || active.epoch > epoch) return;
    if (leaseOwner !== this.owner || active.epoch < epoch) active.abort.abort(new LeaseLost());
    else if (cancelRequestedAt) this.cancel(id, cancelledBy ?? "unknown");
    // The notification may have been missed.
    else if (unreadSteers > 0) active.isSteered = true;
  }
}

function suspend(run: ExecutionControl, reason: Error): void {
  run.suspendAtCommit = reason;
  if (!run.log?.isInTools) run.abort.abort(reason);
}
