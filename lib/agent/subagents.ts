import type { ToolCall } from "@/lib/schema/messages/message";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { Usage } from "@/lib/schema/runs/usage";

/** A subagent that a run may delegate to, as described to the model. */
export interface SubagentInfo {
  readonly name: string;
  readonly description: string;
}

/** An agent to which a run may delegate tasks or hand over the conversation; it runs as itself. */
export interface DelegateInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** A child run as seen by its parent. */
export interface ChildRun {
  readonly runId: string;
  readonly name: string;
  readonly status: RunStatus;
  /** The last line of its output so far; empty if there is none. */
  readonly lastLine: string;
  /** Its complete final answer; null until it has ended. */
  readonly result: string | null;
  /** Why it failed, if it did. */
  readonly error: string | null;
  /** How many tool calls it has made. */
  readonly calls: number;
  /** From its start to its end, including waits; null until it has ended. */
  readonly durationMs: number | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** For a delegated run: the version of its agent. */
  readonly delegate?: { readonly version: number | null };
}

export interface SubagentRequest {
  readonly agent: string;
  readonly description: string;
  readonly prompt: string;
  readonly isBackground: boolean;
  /**
   * Set if the agent is one of the delegates and runs as itself. `files` are paths of the caller's files that it
   * receives.
   */
  readonly delegated?: { readonly files: readonly string[] };
  readonly call: ToolCall;
  /** The span under which the child's spans are recorded. */
  readonly parentSpanId: string | null;
}

/** How much of a child's answer its parent reads, cut like an evicted result. In characters. */
export interface ResultLimits {
  readonly maxChars: number;
  readonly head: number;
  readonly tail: number;
}

/** Starts and watches the child runs of one run. */
export interface Subagents {
  readonly offered: readonly SubagentInfo[];
  /** The agents that the run may delegate to, in config order. */
  readonly delegates: readonly DelegateInfo[];
  readonly resultLimits: ResultLimits;
  /**
   * The child run of this call, created if it does not exist: the same call never creates two. `isNew` is false if the
   * parent's log already knows it. Throws AppError with a text for the model if a limit is reached.
   */
  start(request: SubagentRequest): Promise<{ readonly child: ChildRun; readonly isNew: boolean }>;
  /** The child after it has ended, or its state after `timeoutMs`. */
  waitForEnd(runId: string, timeoutMs: number, signal: AbortSignal): Promise<ChildRun>;
  /** A child run started from the same thread; null for any other. */
  find(runId: string): Promise<ChildRun | null>;
  cancel(runId: string): Promise<ChildRun | null>;
}
