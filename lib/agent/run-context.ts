import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import type { RunOrigin } from "@/lib/schema/runs/run";
import type { RunEvent, RunSummary } from "@/lib/schema/runs/run-event";
import type { Todo } from "@/lib/schema/runs/todo";
import type { SpanStatus, SpanType } from "@/lib/schema/traces/span";
import type { RunInterrupts } from "./interrupts";
import type { ModelPort, ModelRequest, ModelRetry, PromptSection, SentChanges } from "./model";
import type { Tool } from "./tools/tool";
import type { CallRecord, JudgedCall } from "./tracing/call-record";
import type { StepRecord } from "./tracing/step-record";

/** An open span of the trace (S0 SpanHandle). `end` is idempotent. */
export interface SpanHandle {
  readonly id: string;
  /** Also works after `end`: facts known only then are added to the record. */
  set(attributes: Record<string, unknown>): void;
  /** Adds to the row of the tool call whose span this is; without effect on other spans. */
  setCall(facts: Partial<JudgedCall>): void;
  end(status: SpanStatus, error?: string): void;
}

/** S0's trace recorder. Never awaits, never throws; counts what it can't store. */
export interface TraceRecorder {
  startSpan(span: {
    name: string;
    type: SpanType;
    parentId?: string;
    attributes?: Record<string, unknown>;
    /** Set for the span of a tool call, which is also stored as a row of its own. */
    call?: CallRecord;
    /** Unix ms; default now. For work known only once it is over, such as a failed attempt. */
    startedAtMs?: number;
  }): SpanHandle;
  /** An event without duration, under `parentId` or the root. */
  recordEvent(name: string, attributes: Record<string, unknown>, parentId?: string): void;
  /** Stores what a step of the run's own loop began with; the latest record of a step replaces earlier ones. */
  keepStep(step: StepRecord): void;
  /** Stores a text once for all spans; they refer to it by the returned content hash. */
  keepText(text: string): string;
  /**
   * Returns the hash of a message's content and stores the message under it, unless the thread already contains that
   * message or will contain it unchanged after the run (`willBeStored`).
   */
  keepMessage(message: Message, willBeStored: boolean): string;
  /** The position of the thread row that contains this very message; null for any other message. */
  rowPosition(message: Message): number | null;
}

/** Watches the model calls of a run. All callbacks are called synchronously and must not throw. */
export interface ModelCallWatcher {
  /** The request as sent to the model, after the last ring. */
  onRequest?(request: ModelRequest): void;
  /** What the provider is sent otherwise than that. */
  onSent?(changes: SentChanges): void;
  /** A failed attempt that is retried. */
  onRetry?(retry: ModelRetry): void;
  /** The reply as a message of the run, before the first ring; not called for an empty reply. */
  onReply?(message: Message): void;
}

/**
 * The run's event log. `emit` numbers an event and returns at once; `commit` resolves when everything emitted so far is
 * stored, with `full` after it has reached the disk. Throws LeaseLost if another process owns the run.
 */
export interface RunLog {
  emit(event: RunEvent): void;
  /** Starts to store what was emitted so far, without waiting. A failure stops the run. */
  store(): void;
  commit(durability: "normal" | "full"): Promise<void>;
}

/** A run's thread state besides messages; hooks change it through their tools. */
export interface RunState {
  todos: readonly Todo[];
  /** Replaces the older part of this run's conversation; initially an earlier segment's. */
  summary?: RunSummary | null;
}

/**
 * The context that one run shares with its hooks, model and tools. Time, ids, files, network and events enter through
 * it, so that the core is deterministic under test. `values` is S2's free map, shared by the hooks of one run.
 */
export interface RunContext {
  readonly runId: string;
  readonly traceId: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string;
  /** 0 for the first segment; incremented when the run continues after a wait or a takeover. */
  readonly segment: number;
  /** The run's trigger; absent if a test or an extension runs an agent directly. */
  readonly origin?: RunOrigin;
  /** Whether a person's message started the run, directly or through a parent run. */
  readonly attended?: boolean;
  /** The current or latest model call, from 1; 0 before the first. */
  readonly step: number;
  readonly config: AgentConfig;
  readonly signal: AbortSignal;
  readonly log: RunLog;
  /** Null if no trace is active; the tracing hook then does nothing. */
  readonly trace: TraceRecorder | null;
  /** For hooks that call a model themselves, such as summaries. */
  readonly model: ModelPort;
  readonly state: RunState;
  /**
   * The texts that people wrote in this run and its thread, the addresses that the run's searches found, and the tools
   * of outside services of which a person has allowed a call there. Absent if a test or an extension runs an agent
   * directly.
   */
  readonly knownAddresses?: () => Promise<{
    readonly texts: readonly string[];
    readonly found: readonly string[];
    readonly allowedTools: readonly string[];
  }>;
  /** The run's approvals: what people were asked and what they decided. */
  readonly interrupts: RunInterrupts;
  readonly values: Map<string, unknown>;
  /** The agent's own system prompt, before hooks add to it. */
  readonly system: readonly PromptSection[];
  /** The thread's messages before this run, then the run's; only the loop appends to it. */
  readonly messages: readonly Message[];
  /** Offers a tool to the model for the rest of the run. A hook's tool replaces an agent's tool of the same name. */
  registerTool(tool: Tool): void;
  /** The tool that handles calls with this name (or alias). */
  findTool(name: string): Tool | undefined;
  /** The text so far of the running or aborted model call, and when its first output arrived (Unix ms). */
  readonly streamed: { readonly text: string; readonly firstAtMs: number | null };
  /** The run's own messages among `messages`, including its input; they are kept in the thread when the run ends. */
  readonly added: readonly Message[];
  /** Lets `watcher` observe the loop's model calls, not those made by hooks; call the returned function to stop. */
  watchModelCalls(watcher: ModelCallWatcher): () => void;
  /** Unix time in ms. */
  now(): number;
  /** A new unique id such as `call_…`. */
  createId(prefix: string): string;
  /** Logs one structured line for the operator; never a secret, never a message body. */
  logLine(level: "info" | "warn" | "error", message: string, fields?: Record<string, unknown>): void;
}
