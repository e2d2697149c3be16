import type { Routes } from "./routes";

/** Something that waits for a person: an approval, a question, a budget or a connection. */
export type Interrupt = Routes["POST /agents/{id}/invoke"]["reply"]["interrupts"][number];
/** A step of the agent's plan. */
export type Todo = Routes["POST /agents/{id}/invoke"]["reply"]["todos"][number];

/** What the question says, as in `Interrupt`. */
type Question = NonNullable<Interrupt["questions"]>[number];

interface Subagent {
  readonly tool_call_id: string;
  readonly child_run_id: string;
  readonly name: string;
  readonly description: string;
  readonly background: boolean;
  /** Another agent, which works as itself. */
  readonly delegate?: { readonly version: number | null };
}

interface SubagentUsage {
  /** Null if the usage of any call is unknown. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
}

/** The events of a run by their types; see `RunEvent`. */
export interface RunEvents {
  "run.started": {
    readonly thread_id: string;
    readonly agent_id: string;
    /** Null if no trace is kept. */
    readonly trace_id: string | null;
    /** Counts the parts between waits for people; absent in the first. */
    readonly segment?: number;
  };
  /** The next characters of the reply. `reset`: what came of this step is void, because it begins again. */
  chunk: { readonly content: string; readonly reset?: true };
  reasoning: { readonly content: string };
  "tool.call": { readonly name: string; readonly id: string; readonly args: Readonly<Record<string, unknown>> };
  "tool.result": {
    readonly name: string;
    readonly id: string;
    readonly is_error: boolean;
    readonly output: string;
    readonly error?: string;
    /** The tool's message to the user, which the model does not see. */
    readonly for_user?: string;
    readonly duration_ms: number;
  };
  "approval.requested": {
    readonly tool_call_id: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly reason?: string;
  };
  "question.asked": { readonly tool_call_id: string; readonly name: string; readonly questions: readonly Question[] };
  /** Until everything is decided, nothing more comes. */
  "run.waiting": { readonly interrupts: readonly Interrupt[] };
  "subagent.started": Subagent;
  "subagent.completed": Subagent & {
    readonly status: string;
    readonly last_line: string;
    readonly calls?: number;
    readonly usage: SubagentUsage;
  };
  handoff: { readonly from: string; readonly to: string; readonly reason: string };
  "todo.updated": { readonly todos: readonly Todo[] };
  "file.changed": {
    readonly path: string;
    readonly operation: string;
    readonly version: number;
    readonly added_lines: number;
    readonly removed_lines: number;
    readonly tool_call_id?: string;
  };
  "extension.changed": { readonly file: string; readonly from: string; readonly to: string };
  "compaction.completed": {
    readonly compacted: number;
    readonly kept: number;
    readonly tokens_before: number;
    readonly tokens_after: number;
    readonly estimated: true;
    readonly compaction_count: number;
    readonly memory_flushed: boolean;
  };
  "run.completed": {
    readonly status: "completed" | "limit";
    /** Why the run stopped at a limit, or why there is no text or only part of one. */
    readonly notice?: string;
    readonly default_response?: string;
    readonly silent?: true;
  };
  "run.failed": { readonly error: string; readonly code: string; readonly status: "failed" | "interrupted" };
  "run.cancelled": Readonly<Record<string, never>>;
}

export type RunEventType = keyof RunEvents;

/** An event of a run. `after` is where a stream resumes after it; null for an event that is not stored. */
export type RunEvent = {
  [Type in RunEventType]: {
    readonly type: Type;
    readonly run_id: string;
    readonly after: number | null;
  } & RunEvents[Type];
}[RunEventType];
