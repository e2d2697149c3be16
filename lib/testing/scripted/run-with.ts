import type { Hook, RunOutcome } from "@/lib/agent/hooks/hook";
import { foldInterrupts, type ToolGrant } from "@/lib/agent/interrupts";
import { latestSummary, resumeFrom } from "@/lib/agent/journal";
import type { ModelPort } from "@/lib/agent/model";
import { runAgent } from "@/lib/agent/run-agent";
import type { TraceRecorder } from "@/lib/agent/run-context";
import type { AgentRun, RunEnvironment } from "@/lib/agent/run-session";
import type { Tool } from "@/lib/agent/tools/tool";
import { type ScriptedModel, type ScriptedStep, scriptedModel } from "@/lib/models/scripted-model";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import type { RunEvent } from "@/lib/schema/runs/run-event";

export interface TestRun {
  readonly config?: Partial<AgentConfigInput>;
  readonly hooks?: readonly Hook[];
  readonly tools?: readonly Tool[];
  readonly history?: readonly Message[];
  readonly input?: readonly Message[];
  readonly signal?: AbortSignal;
  readonly trace?: TraceRecorder | null;
  /** Events of earlier segments, after which the run continues. */
  readonly events?: readonly RunEvent[];
  readonly segment?: number;
  /** Wraps the scripted model. */
  readonly wrapModel?: (model: ScriptedModel) => ModelPort;
  readonly canAsk?: boolean;
  readonly grants?: readonly ToolGrant[];
  /** Called before an event is stored; what it throws reaches the loop from `commit`. */
  readonly onCommit?: (durability: "normal" | "full") => void | Promise<void>;
  readonly onEvent?: (event: RunEvent) => void;
  /** Default: advances by 1 ms per call. */
  readonly now?: () => number;
}

export interface TestRunResult {
  readonly outcome: RunOutcome;
  /** The events that this segment emitted. */
  readonly events: RunEvent[];
  readonly commits: ("aside" | "normal" | "full")[];
  readonly requests: ScriptedModel["requests"];
  readonly logLines: string[];
  readonly environment: RunEnvironment;
}

/** Parses a config with a name, so that a test sets only the relevant fields. */
export function testConfig(config: Partial<AgentConfigInput> = {}): AgentConfig {
  return AgentConfig.parse({ name: "Test", ...config });
}

/** Runs one segment against a scripted model. The clock ticks 1 ms each time it is read; ids count up. */
export async function runWith(steps: readonly ScriptedStep[], test: TestRun = {}): Promise<TestRunResult> {
  const model = scriptedModel(steps);
  const recorded = recordingEnvironment(test);
  const earlier = test.events ?? [];
  const run: AgentRun = {
    config: testConfig(test.config),
    system: [{ name: "identity", text: "You are a test." }],
    model: test.wrapModel?.(model) ?? model,
    tools: test.tools ?? [],
    hooks: test.hooks ?? [],
    history: test.history ?? [],
    input: test.input ?? [{ role: "user", content: "go" }],
    ...resumeFrom(earlier),
  };
  const outcome = await runAgent(run, recorded.environment);
  return { outcome, requests: model.requests, ...recorded };
}

function recordingEnvironment(test: TestRun) {
  const events: RunEvent[] = [];
  const commits: ("aside" | "normal" | "full")[] = [];
  const logLines: string[] = [];
  let time = 0;
  let ids = 0;
  const environment: RunEnvironment = {
    runId: "run_1",
    traceId: "trace_1",
    threadId: "th_1",
    agentId: "agent",
    userId: "user_1",
    segment: test.segment ?? 0,
    signal: test.signal ?? new AbortController().signal,
    log: {
      emit(event) {
        events.push(event);
        test.onEvent?.(event);
      },
      store() {
        commits.push("aside");
      },
      async commit(durability) {
        commits.push(durability);
        await test.onCommit?.(durability);
      },
    },
    trace: test.trace ?? null,
    state: { todos: [], summary: latestSummary(test.events ?? []) },
    interrupts: foldInterrupts(test.events ?? [], { canAsk: test.canAsk ?? true, grants: test.grants ?? [] }),
    now: test.now ?? (() => time++),
    createId: (prefix) => `${prefix}_new_${++ids}`,
    logLine: (level, message) => logLines.push(`${level} ${message}`),
  };
  return { environment, events, commits, logLines };
}
