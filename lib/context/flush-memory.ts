import type { Hook, RunOutcome } from "@/lib/agent/hooks/hook";
import { messageOf } from "@/lib/agent/hooks/hook-chain";
import { foldInterrupts } from "@/lib/agent/interrupts";
import type { ModelPort, PromptSection } from "@/lib/agent/model";
import { runAgent } from "@/lib/agent/run-agent";
import type { RunEnvironment } from "@/lib/agent/run-session";
import { belowSpan } from "@/lib/agent/tracing/below-span";
import { repairHistory } from "@/lib/context/history/repair";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import { NO_SPENDING, type Spending } from "@/lib/schema/runs/usage";

export interface MemoryFlush {
  readonly config: AgentConfig;
  readonly model: ModelPort;
  /** The agent's own system prompt. */
  readonly system: readonly PromptSection[];
  /** The hooks that offer the flush's file tools and build its prompt, for the given config. */
  readonly hooks: (config: AgentConfig) => readonly Hook[];
  /** The messages that the thread's model reads, oldest first. */
  readonly history: readonly Message[];
  readonly environment: Omit<RunEnvironment, "log" | "segment" | "state" | "interrupts">;
}

/**
 * S4's memory flush: before older messages are replaced by a summary, the agent gets a short turn of its own to write
 * down what must last. It gets the minimal prompt and the most recent messages, may only read and write files, and ends
 * with its answer or at its limit of model calls or time. Nothing of it enters the thread. Never throws: a failed flush
 * is recorded on its span. Returns its usage.
 */
export async function flushMemory(flush: MemoryFlush): Promise<Spending> {
  const { model, system, environment } = flush;
  const config = flushConfig(flush.config);
  const { timeout_ms: timeoutMs, recent_messages: recent, prompt } = config.memory_flush;
  const { trace, signal } = environment;
  const span = trace?.startSpan({
    name: "memory_flush",
    type: "summary",
    attributes: { model: model.name, message_count: Math.min(recent, flush.history.length) },
  });
  const tooSlow = new AbortController();
  const timer = setTimeout(() => tooSlow.abort(timedOut(timeoutMs)), timeoutMs);
  const run = {
    config,
    system: [...system, { name: "memory-flush", text: instructions(config.memory.paths) }],
    model,
    tools: [],
    hooks: flush.hooks(config),
    history: repairHistory(recentMessages(flush.history, recent)).messages,
    input: [{ role: "user" as const, content: prompt }],
    journal: [],
  };
  try {
    const outcome = await runAgent(run, {
      ...environment,
      signal: AbortSignal.any([signal, tooSlow.signal]),
      segment: 0,
      state: { todos: [] },
      interrupts: foldInterrupts([], { canAsk: false, grants: [] }),
      log: { emit: () => undefined, store: () => undefined, commit: async () => undefined },
      trace: trace && span ? belowSpan(trace, span.id) : null,
    });
    span?.set(describe(outcome, config.trace.preview_chars));
    span?.end(outcome.status === "failed" ? "failed" : "completed", outcome.error?.message);
    return outcome;
  } catch (error) {
    span?.end(signal.aborted ? "interrupted" : "failed", messageOf(error));
    environment.logLine("warn", `memory could not be flushed: ${messageOf(error)}`);
    return NO_SPENDING;
  } finally {
    clearTimeout(timer);
  }
}

/** D-39: a flush requires a memory that it can write to. */
export function canFlush({ memory, backend }: Pick<AgentConfig, "memory" | "backend">): boolean {
  return backend !== null && memory.paths.length > 0;
}

/** S4's embedded turn: the minimal prompt, no tools except the flush's own, few model calls. */
function flushConfig(config: AgentConfig): AgentConfig {
  const sections = { ...config.prompt.sections, sandbox: false, subagents: false };
  return {
    ...config,
    tools: [],
    max_iterations: config.memory_flush.max_iterations,
    on_limit: "stop",
    prompt: { ...config.prompt, mode: "minimal", sections },
  };
}

function timedOut(timeoutMs: number): AppError {
  return new AppError("timeout", `It took longer than ${timeoutMs} ms (memory_flush.timeout_ms).`);
}

function instructions(paths: readonly string[]): string {
  return `The older part of this conversation is about to be replaced by a short summary. Before that, keep what will matter again in later conversations: lasting facts about the user and the work, decisions with their reasons, preferences, open ends.

Your memory is in ${paths.join(", ")}. Read a file before you write it, and write it whole, with everything in it that still holds. Write nothing that is there already, and nothing that matters only now. When nothing is worth keeping, answer NO_REPLY and nothing else. Nobody reads your answer.`;
}

/** Starts at a message that is not a tool result, because its call would be missing. */
function recentMessages(history: readonly Message[], count: number): readonly Message[] {
  const recent = history.slice(-count);
  const first = recent.findIndex(({ role }) => role !== "tool");
  return first === -1 ? [] : recent.slice(first);
}

function describe({ status, steps, response, added }: RunOutcome, previewChars: number): Record<string, unknown> {
  const writes = added.filter(
    (message) => message.role === "tool" && message.name === "write_file" && !message.isError,
  );
  const note = ["nothing written", "1 write"][writes.length] ?? `${writes.length} writes`;
  return {
    status,
    steps,
    note,
    writes: writes.length,
    content_preview: response.slice(0, previewChars).toWellFormed(),
  };
}
