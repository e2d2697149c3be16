import { setImmediate as nextTurn } from "node:timers/promises";
import { RunCancelled } from "@/lib/agent/run-cancelled";
import { expireApprovals } from "@/lib/server/engine/asks/expire-approvals";
import { reportChildren } from "@/lib/server/engine/children/report-children";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import { unlockDeadThreads } from "@/lib/server/engine/compaction/thread-lock";
import { EventWriter, eventInserter } from "@/lib/server/engine/log/event-writer";
import { announceRows, onCancelRequest, onQueued } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import { isBusy } from "@/lib/server/platform/db/errors";
import { claimAbandonedRuns, claimQueuedRuns, releaseLeases, renewLeases } from "@/lib/server/platform/db/queries/runs";
import { logger } from "@/lib/server/platform/logger";
import type { ClaimedRun } from "./claimed-run";
import { RunsGivenBack } from "./give-back";
import { LeaseLost, ShuttingDown } from "./lease-lost";
import { type ExecutionControl, type ExecutionDependencies, executeRun } from "./segment";

interface RunHostOptions extends Omit<ExecutionDependencies, "writer" | "givenBack"> {
  /** How many runs may be running at once. */
  readonly maxRuns?: number;
  readonly leaseMs?: number;
  readonly renewMs?: number;
  /** What follows a segment when its run has ended; nobody waits for it. */
  readonly afterRun?: (runId: string, signal: AbortSignal) => Promise<void>;
}

const DEFAULTS = { maxRuns: 128, leaseMs: 15_000, renewMs: 5_000 };
/** A crowd of new runs must not hold up runs in progress. */
const CLAIMS_PER_TURN = 8;
const TOOL_GRACE_MS = 5_000;

interface ActiveRun extends ExecutionControl {
  readonly done: Promise<void>;
}

/**
 * Executes runs in this process, never inside a request: claims queued ones, renews their leases, takes over what a
 * dead process left behind. One per process.
 */
export class RunHost {
  readonly owner = createId("host");
  private readonly active = new Map<string, ActiveRun>();
  private readonly background = new Set<Promise<void>>();
  private readonly ending = new AbortController();
  private readonly writer: EventWriter;
  private readonly givenBack: RunsGivenBack;
  private readonly settings: typeof DEFAULTS;
  private readonly stopListening: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private claiming: Promise<void> | null = null;
  private wanted = false;
  private stopped = false;

  private readonly options: RunHostOptions;

  constructor(options: RunHostOptions) {
    this.options = options;
    const { maxRuns, leaseMs, renewMs } = { ...DEFAULTS, ...options };
    this.settings = { maxRuns, leaseMs, renewMs };
    this.givenBack = new RunsGivenBack(options.database);
    this.writer = new EventWriter(eventInserter(options.database, this.owner), announceRows, isBusy);
  }

  get activeRuns(): number {
    return this.active.size;
  }

  /** Takes over unfinished runs and starts working. On SQLite there is one process, so nobody else holds a run. */
  async start(): Promise<void> {
    this.stopListening.push(onQueued(() => this.wake()));
    this.stopListening.push(onCancelRequest((runId, by) => this.cancel(runId, by)));
    const { database } = this.options;
    const whose = database.dialect.provider === "sqlite" ? "everybodyElses" : "expired";
    await this.options.traces.endLeftSpans();
    for (const run of await claimAbandonedRuns(database, this.lease(), whose)) this.execute(run);
    await this.tidy();
    this.timer = setInterval(() => void this.beat(), this.settings.renewMs);
    this.timer.unref();
    this.wake();
  }

  /** Checks for queued runs soon. */
  wake(): void {
    this.wanted = true;
    if (this.claiming || this.stopped) return;
    this.claiming = this.claimWhileWanted()
      .catch((error: unknown) => logger().error({ err: error }, "could not look for queued runs"))
      .finally(() => {
        this.claiming = null;
        if (this.wanted && !this.stopped) setTimeout(() => this.wake(), 1_000).unref();
      });
  }

  cancel(runId: string, by: string): void {
    this.active.get(runId)?.abort.abort(new RunCancelled(by));
  }

  /**
   * Stops working: nothing new is claimed, tools get 5 s, everything else stops at once. The runs' leases are
   * released, so that the next process continues them.
   */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    for (const stop of this.stopListening) stop();
    await this.claiming;
    const reason = new ShuttingDown();
    for (const run of this.active.values()) {
      run.suspendAtCommit = reason;
      if (!run.log?.isInTools) run.abort.abort(reason);
    }
    this.ending.abort(reason);
    const all = Promise.allSettled([...this.background, ...[...this.active.values()].map((run) => run.done)]);
    const grace = setTimeout(() => {
      for (const run of this.active.values()) run.abort.abort(reason);
    }, TOOL_GRACE_MS);
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, TOOL_GRACE_MS + 1_500))]);
    clearTimeout(grace);
    await releaseLeases(this.options.database, this.owner);
  }

  private lease() {
    return { owner: this.owner, until: new Date(Date.now() + this.settings.leaseMs) };
  }

  private async claimWhileWanted(): Promise<void> {
    while (this.wanted && !this.stopped) {
      const room = Math.min(this.settings.maxRuns - this.active.size, CLAIMS_PER_TURN);
      if (room <= 0) return;
      this.wanted = false;
      const claimed = await claimQueuedRuns(this.options.database, this.lease(), room, this.givenBack.leftToOthers());
      for (const run of claimed) this.execute(run);
      if (claimed.length < room) continue;
      this.wanted = true;
      await nextTurn();
    }
  }

  private execute(run: ClaimedRun): void {
    const control: ExecutionControl = { abort: new AbortController(), suspendAtCommit: null, log: null };
    if (run.cancelRequestedAt) control.abort.abort(new RunCancelled(run.cancelledBy ?? "unknown"));
    const done = executeRun({ ...this.options, writer: this.writer, givenBack: this.givenBack }, run, control)
      .catch((error: unknown) => logger().error({ err: error, runId: run.id }, "could not execute a run"))
      .finally(() => {
        this.active.delete(run.id);
        this.wake();
        this.follow(run.id);
      });
    this.active.set(run.id, Object.assign(control, { done }));
  }

  private follow(runId: string): void {
    if (this.stopped || !this.options.afterRun) return;
    const work: Promise<void> = this.options
      .afterRun(runId, this.ending.signal)
      .catch((error: unknown) => logger().error({ err: error, runId }, "the work after a run failed"))
      .finally(() => this.background.delete(work));
    this.background.add(work);
  }

  private async beat(): Promise<void> {
    try {
      await this.renew();
      const found = await claimAbandonedRuns(this.options.database, this.lease(), "expired", [...this.active.keys()]);
      for (const run of found) this.execute(run);
      await this.tidy();
      this.wake();
    } catch (error) {
      logger().error({ err: error }, "could not renew the leases of runs");
    }
  }

  /** Work that nobody has done: because a process died, or because it is due. */
  private async tidy(): Promise<void> {
    const { database, traces } = this.options;
    await wakeParents(database);
    await reportChildren(database);
    await expireApprovals(database, Date.now());
    await unlockDeadThreads(database, "expired", traces);
  }

  private async renew(): Promise<void> {
    const held = [...this.active.keys()];
    const renewed = new Map((await renewLeases(this.options.database, this.lease(), held)).map((run) => [run.id, run]));
    for (const runId of held) {
      const run = renewed.get(runId);
      if (run?.cancelRequestedAt) this.cancel(runId, run.cancelledBy ?? "unknown");
      if (!run) await this.checkLost(runId);
    }
  }

  /** A run whose lease was not renewed has either just ended or belongs to somebody else. */
  private async checkLost(runId: string): Promise<void> {
    const row = await this.options.database.run.findUnique({
      where: { id: runId },
      select: { leaseOwner: true, status: true },
    });
    if (row?.status === "running" && row.leaseOwner !== this.owner)
      this.active.get(runId)?.abort.abort(new LeaseLost());
  }
}
