import type { QueueHint } from "@/lib/server/engine/log/signals";
import type { QueuedRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A segment that this process may execute. */
export interface HeldSegment {
  readonly runId: string;
  /** 0 on the first attempt. On a later one the run may still be marked as running by the previous process. */
  readonly attempt: number;
  /**
   * Aborts with LeaseLost when another process takes the segment over, with ShuttingDown when the grace period is over.
   */
  readonly signal: AbortSignal;
}

/**
 * `over`: the run has ended, or waits. `unclaimed`: it was not the run's turn, or there was nothing left to do. `back`:
 * another process, or this one later, continues the run.
 */
export type SegmentOutcome = "done" | "unclaimed" | "requeue";

export interface DispatchHandlers {
  /** Executes the segment; an error gives the segment back. */
  segment(held: HeldSegment): Promise<SegmentOutcome>;
  /** Performs a scheduled task at least once; after an error the task is retried later. */
  task(task: string, data: unknown, signal: AbortSignal): Promise<void>;
}

/** A task due at a given time, for any process. */
export interface Timer {
  /** A timer replaces an earlier one with the same name. */
  readonly name: string;
  readonly at: Date;
  readonly task: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Nobody has set a timer of this name before, so none is looked for. */
  readonly isNew?: true;
}

/**
 * `slots`: segments that this process executes concurrently. `runsPerUser`: running runs per user across all processes.
 */
export interface WorkLimits {
  readonly slots: number;
  readonly runsPerUser: number;
}

/**
 * Decides which process executes which segment, and when. One per process: embedded on SQLite, pg-boss on Postgres. The
 * statements it returns belong in the transaction that makes a run `queued`, so that a queued run and its job exist
 * together or not at all.
 */
export interface RunDispatcher {
  /** Statements that dispatch newly queued runs; none on SQLite, where the run's row is the queue. */
  dispatch(runs: readonly QueuedRun[]): Promise<readonly SqlStatement[]>;
  schedule(timer: Timer): Promise<readonly SqlStatement[]>;
  /**
   * After the end of a run that no process executed, dispatches the next run of its thread. After a segment the
   * dispatcher does so itself, also after one that was refused because it was not its run's turn.
   */
  dispatchNext(runId: string): Promise<void>;
  /**
   * Performs the task every `everyMs` in one of the processes, while this process works. With `isDue`, one that several
   * processes share is not handed out while there is nothing to do.
   */
  repeat(task: string, everyMs: number, isDue?: () => Promise<boolean>): void;
  /** Looks for runs that may begin. */
  wake(hint?: QueueHint): void;
  /** Performs the task of a timer that is stored and due, without waiting for the next look. */
  begin(timer: Timer): void;
  /** Begins to execute segments and tasks; a process that only serves requests never calls it. */
  work(handlers: DispatchHandlers, limits: WorkLimits): Promise<void>;
  /** Takes no more work, aborts segments after `graceMs`, and gives unfinished ones back for other processes. */
  stop(graceMs: number): Promise<void>;
}
