import type { ToolCall } from "@/lib/schema/message";
import type { RunStatus } from "@/lib/schema/run";
import type { Usage } from "@/lib/schema/usage";

/** Bounds of the tree of runs below one root run. */
export const SUBAGENT_LIMITS = {
  /** A root run is at depth 0. */
  maxDepth: 3,
  /** Child runs that have not ended, below one root run. */
  maxActive: 8,
  /** Children that one run may ever start. */
  maxChildren: 5,
  /** Characters of a child's answer; a longer one is cut in the shape of eviction. */
  maxResultChars: 80_000,
  /** How long a call waits in memory for its child, before the run becomes a row that waits. */
  graceMs: 2_000,
} as const;

/** A subagent that a run may give work to, as the model reads it. */
export interface SubagentInfo {
  readonly name: string;
  readonly description: string;
}

/** A child run as its parent knows it. */
export interface ChildRun {
  readonly runId: string;
  readonly name: string;
  readonly status: RunStatus;
  /** The last line of what it has said; empty before it has said anything. */
  readonly lastLine: string;
  /** Its final answer, whole; null until it has ended. */
  readonly result: string | null;
  /** Why it failed, when it did. */
  readonly error: string | null;
  /** Tool calls that it has made. */
  readonly calls: number;
  /** From its start to its end, waiting included; null until it has ended. */
  readonly durationMs: number | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

export interface SubagentRequest {
  readonly agent: string;
  readonly description: string;
  readonly prompt: string;
  readonly isBackground: boolean;
  readonly call: ToolCall;
  /** The span below which the child's spans hang. */
  readonly parentSpanId: string | null;
}

/** Starts and watches the child runs of one run. */
export interface Subagents {
  readonly offered: readonly SubagentInfo[];
  /**
   * The child run of this call, made when there is none: the same call never makes two. `isNew` is false when the
   * log of the parent knows of it already. Throws AppError with a text for the model when a limit is reached.
   */
  start(request: SubagentRequest): Promise<{ readonly child: ChildRun; readonly isNew: boolean }>;
  /** The child once it has ended, or as it stands after `timeoutMs`. */
  waitForEnd(runId: string, timeoutMs: number, signal: AbortSignal): Promise<ChildRun>;
  /** A child run that was started from the same thread; null for any other. */
  find(runId: string): Promise<ChildRun | null>;
  cancel(runId: string): Promise<ChildRun | null>;
}
