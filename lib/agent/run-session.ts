import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Effort } from "@/lib/schema/agents/choices";
import type { Message, ToolCall } from "@/lib/schema/messages/message";
import type { GenerationChanges } from "@/lib/schema/runs/generation";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { addSpending, NO_SPENDING, type Spending, UNKNOWN_SPENDING } from "@/lib/schema/runs/usage";
import type { ToolResult } from "@/lib/schema/tools/tool";
import { BudgetReached, type RunBudget } from "./budget";
import type { SentMessages } from "./build-request";
import type { Handler } from "./compose";
import { type Generation, openGeneration } from "./hooks/generation-state";
import type { Hook } from "./hooks/hook";
import { wrapTools } from "./hooks/hook-chain";
import type { JournalStep, OpenStep } from "./journal";
import type { ModelPort, ModelRequest, PromptSection } from "./model";
import { RunSuspended } from "./run-cancelled";
import type { ModelCallWatcher, RunContext } from "./run-context";
import type { Steering } from "./steering";
import { type CallIds, createCallIds } from "./tools/call-ids";
import { executeTool } from "./tools/execute-tool";
import { createLoopGuard, type LoopGuard } from "./tools/loop-guard";
import type { PendingReason, Tool, ToolOutcome } from "./tools/tool";
import { createToolbox, type Toolbox } from "./tools/toolbox";

/** The model call that a retried run repeats: the request as sent, or null and why it has to be rebuilt (D-85). */
export type RetriedCall = { readonly request: ModelRequest } | { readonly request: null; readonly reason: string };

/**
 * One run as the loop needs it. `journal` is empty for a new run; in a later segment it contains the finished steps.
 */
export interface AgentRun {
  readonly config: AgentConfig;
  readonly system: readonly PromptSection[];
  readonly model: ModelPort;
  /** Chosen for this run; absent: the provider's default. */
  readonly effort?: Effort | undefined;
  /** The run's spending limits, enforced by its model. Absent for a run without limits. */
  readonly budget?: RunBudget | null;
  /** The agent's own tools; hooks add theirs. */
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  /** The thread's messages before this run. */
  readonly history: readonly Message[];
  /** The messages that started this run. */
  readonly input: readonly Message[];
  readonly journal: readonly JournalStep[];
  /** The model call that the last segment left unfinished (`findOpenStep`). */
  readonly openStep?: OpenStep | null;
  /** Steering messages that arrived during earlier segments, by step. */
  readonly steered?: ReadonlyMap<number, readonly Message[]>;
  /** Steering messages that arrive during this segment; absent if the run can't be steered. */
  readonly steering?: Steering | null;
  /** The model call of the retried run that the first one repeats. */
  readonly retried?: RetriedCall | null;
  /** Changes by `preGeneration` hooks of an earlier segment. */
  readonly generation?: GenerationChanges | null;
  /** Usage by hooks of earlier segments; the journal has the usage of the replies. */
  readonly spentBefore?: Spending;
}

/** The server's part of the RunContext; the loop adds the rest. */
export type RunEnvironment = Omit<
  RunContext,
  | "config"
  | "system"
  | "model"
  | "values"
  | "messages"
  | "step"
  | "registerTool"
  | "findTool"
  | "streamed"
  | "added"
  | "watchModelCalls"
>;

/** The mutable state of a running segment. Only the loop's own files touch it; hooks see the RunContext. */
interface RunProgress {
  /** Model calls so far, including the current one. */
  step: number;
  spent: Spending;
  /** The last finished reply. */
  reply: ModelReply | null;
  /** Text streamed by the unfinished model call. */
  partialText: string;
  /** When that call streamed its first output. */
  firstAtMs: number | null;
  /** Results of the last reply's calls, by call id, as they arrive. */
  results: Map<string, ToolResult>;
  /** Why calls of the last reply were left pending. */
  pending: Set<PendingReason>;
  /** Calls of the last reply whose intent has been written. */
  started: Set<string>;
  /** Calls whose entry into the rings has been emitted. */
  announced: Set<string>;
  /** The last step whose journalled steering messages are in the conversation. */
  steeredStep: number;
}

export interface RunSession {
  readonly run: AgentRun;
  readonly context: RunContext;
  readonly generation: Generation;
  readonly toolbox: Toolbox;
  readonly callIds: CallIds;
  readonly callTool: Handler<ToolCall, ToolOutcome>;
  readonly loopGuard: LoopGuard;
  readonly watchers: ReadonlySet<ModelCallWatcher>;
  /** The run's messages, including its input. */
  readonly added: Message[];
  readonly sent: SentMessages;
  readonly progress: RunProgress;
  /** Appends a message to the run; hooks see it at once. */
  keep(message: Message): void;
}

/** Begins a step: returns what the journal knows about it, or null if the model has to be called. */
export function startStep({ run, progress, loopGuard }: RunSession, step: number): ModelReply | null {
  const journalled = run.journal.find((entry) => entry.step === step);
  progress.step = step;
  progress.results = new Map(journalled?.results);
  progress.started = new Set(journalled?.started);
  progress.announced = new Set(journalled?.announced);
  if (!journalled) return null;
  for (const call of journalled.reply.toolCalls) {
    const result = journalled.results.get(call.id);
    if (result) loopGuard.inspect(call, result);
  }
  progress.spent = addSpending(progress.spent, journalled.reply);
  return journalled.reply;
}

/** Makes the reply a message of the run. An empty reply is not stored, because providers later refuse it. */
export function keepReply({ context, progress, keep }: RunSession, reply: ModelReply): Message | null {
  progress.reply = reply;
  if (reply.content === "" && reply.toolCalls.length === 0) return null;
  const message: Message = {
    id: `${context.runId}:${progress.step}`,
    role: "assistant",
    content: reply.content,
    toolCalls: reply.toolCalls,
    ...(reply.reasoning.length > 0 ? { reasoning: reply.reasoning } : {}),
  };
  keep(message);
  return message;
}

export function openSession(run: AgentRun, environment: RunEnvironment): RunSession {
  const toolbox = createToolbox(run.tools);
  const watchers = new Set<ModelCallWatcher>();
  const added = [...run.input];
  const messages = [...run.history, ...run.input];
  const progress: RunProgress = {
    step: 0,
    spent: run.spentBefore ?? NO_SPENDING,
    reply: null,
    partialText: "",
    firstAtMs: null,
    results: new Map(),
    pending: new Set(),
    started: new Set(),
    announced: new Set(),
    steeredStep: 0,
  };
  const context: RunContext = {
    ...environment,
    config: run.config,
    system: run.system,
    model: meteredModel(run.model, progress, environment.log),
    values: new Map(),
    messages,
    get step() {
      return progress.step;
    },
    registerTool: (tool) => toolbox.register(tool),
    findTool: (name) => toolbox.find(name),
    get streamed() {
      return { text: progress.partialText, firstAtMs: progress.firstAtMs };
    },
    added,
    watchModelCalls(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const isFirst = run.journal.length === 0 && !run.openStep;
  return {
    run,
    context,
    generation: openGeneration(context, run.generation ?? null, isFirst),
    toolbox,
    callIds: createCallIds(usedCallIds(run), environment.createId),
    callTool: wrapTools(run.hooks, executeTool(toolbox, context), context),
    loopGuard: createLoopGuard(run.config.loop_guard),
    watchers,
    added,
    sent: { count: 0, system: [], messages: [] },
    progress,
    keep(message) {
      added.push(message);
      messages.push(message);
    },
  };
}

/** The model for hooks: its usage counts towards the run. */
function meteredModel(model: ModelPort, progress: RunProgress, log: RunContext["log"]): ModelPort {
  return {
    name: model.name,
    ...(model.canSee === undefined ? {} : { canSee: model.canSee }),
    async call(request, options) {
      const reply = await model.call(request, options).catch((error: unknown) => {
        if (error instanceof BudgetReached) throw error;
        progress.spent = addSpending(progress.spent, UNKNOWN_SPENDING);
        if (!(options.signal.reason instanceof RunSuspended)) log.emit({ type: "usage.unknown", step: progress.step });
        throw error;
      });
      progress.spent = addSpending(progress.spent, reply);
      return reply;
    },
  };
}

function* usedCallIds({ history, journal }: AgentRun): Iterable<string> {
  for (const message of history) {
    if (message.role === "assistant") yield* message.toolCalls.map((call) => call.id);
  }
  for (const { reply } of journal) yield* reply.toolCalls.map((call) => call.id);
}
