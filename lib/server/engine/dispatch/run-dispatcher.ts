import type { QueueHint } from "@/lib/server/engine/log/signals";
import type { QueuedRun } from "@/lib/server/platform/db/queries/runs";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";

/** A segment that this process may execute. */
export interface HeldSegment {
  readonly runId: string;
  /** 0 for the first process that has it; after that its run may be found running. */
  readonly attempt: number;
  /** Aborts with LeaseLost when another process has it by now, with ShuttingDown when its time is up. */
  readonly signal: AbortSignal;
}

/**
 * `over`: the run has ended, or waits. `unclaimed`: it was not its turn, or there was nothing left to do. `back`:
 * another process, or this one later, continues it.
 */
export type SegmentOutcome = "over" | "unclaimed" | "back";

export interface DispatchHandlers {
  /** Executes the segment; what it throws gives the segment back. */
  segment(held: HeldSegment): Promise<SegmentOutcome>;
  /** Does what was scheduled, at least once; what it throws has it tried again later. */
  task(task: string, data: unknown, signal: AbortSignal): Promise<void>;
}

/** Something to be done at a time, by whichever process is there. */
export interface Timer {
  /** Setting a name again replaces what waits under it. */
  readonly name: string;
  readonly at: Date;
  readonly task: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How much of the work this process takes at once, and one user of all processes together. */
export interface WorkLimits {
  readonly slots: number;
  readonly runsPerUser: number;
}

/**
 * Who lets segments happen. One a process: embedded on SQLite, pg-boss on Postgres; one contract suite over both. The
 * statements are for the very transaction that makes a run `queued`, so that there is no segment without its run and
 * no queued run that nobody knows of.
 */
export interface RunDispatcher {
  /** For runs that become queued. On SQLite there are no statements: the run's row says it all. */
  dispatch(runs: readonly QueuedRun[]): Promise<readonly SqlStatement[]>;
  schedule(timer: Timer): Promise<readonly SqlStatement[]>;
  /** After the end of a run: lets the next one of its thread begin. */
  dispatchNext(runId: string): Promise<void>;
  /** Has the task done every `everyMs` by one of the processes, as long as this one works. */
  repeat(task: string, everyMs: number): void;
  /** Looks for runs that may begin. */
  wake(hint?: QueueHint): void;
  /** Has the task of a timer done at once; the timer is stored and due. */
  begin(timer: Timer): void;
  /** Begins to work; never called in a process that only serves. */
  work(handlers: DispatchHandlers, limits: WorkLimits): Promise<void>;
  /** Takes nothing more, aborts after `graceMs` what goes on, and gives back at once what is unfinished. */
  stop(graceMs: number): Promise<void>;
}
