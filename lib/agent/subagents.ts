import type { ToolCall } from "@/lib/schema/messages/message";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { Usage } from "@/lib/schema/runs/usage";

/** A subagent that a run may delegate to, as the model reads it. */
export interface SubagentInfo {
  readonly name: string;
  readonly description: string;
}

/** An agent to which a run may give tasks, or the conversation; it works as itself. */
export interface DelegateInfo {
  readonly id: string;
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
  /** From its start to its end, including waits; null until it has ended. */
  readonly durationMs: number | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** Of a delegated run: the version of its agent. */
  readonly delegate?: { readonly version: number | null };
}

export interface SubagentRequest {
  readonly agent: string;
  readonly description: string;
  readonly prompt: string;
  readonly isBackground: boolean;
  /** The agent is one of the delegates and runs as itself. Paths of the caller's files that it gets. */
  readonly delegated?: { readonly files: readonly string[] };
  readonly call: ToolCall;
  /** The span under which the child's spans are recorded. */
  readonly parentSpanId: string | null;
}

/** The part of a child's answer that its parent reads, cut like an evicted result. Characters. */
export interface ResultLimits {
  readonly maxChars: number;
  readonly head: number;
  readonly tail: number;
}

/** Starts and watches the child runs of one run. */
export interface Subagents {
  readonly offered: readonly SubagentInfo[];
  /** The agents that the run may delegate to, in the config's order. */
  readonly delegates: readonly DelegateInfo[];
  readonly resultLimits: ResultLimits;
  /**
   * The child run of this call, created if there is none: the same call never creates two. `isNew` is false when the
   * parent's log already knows it. Throws AppError with a text for the model when a limit is reached.
   */
  start(request: SubagentRequest): Promise<{ readonly child: ChildRun; readonly isNew: boolean }>;
  /** The child once it has ended, or its state after `timeoutMs`. */
  waitForEnd(runId: string, timeoutMs: number, signal: AbortSignal): Promise<ChildRun>;
  /** A child run that was started from the same thread; null for any other. */
  find(runId: string): Promise<ChildRun | null>;
  cancel(runId: string): Promise<ChildRun | null>;
}
