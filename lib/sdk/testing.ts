// The module that tests of extensions import as "ringmaster/testing" (docs/guide/first-hook.md).
import { z } from "zod";
import type { Hook, RunOutcome } from "@/lib/agent/hooks/hook";
import { foldInterrupts, openInterrupts } from "@/lib/agent/interrupts";
import type { ModelRequest } from "@/lib/agent/model";
import { runAgent } from "@/lib/agent/run-agent";
import type { RunEnvironment } from "@/lib/agent/run-session";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { type ScriptedReply, type ScriptedStep, scriptedModel } from "@/lib/models/scripted-model";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { ToolResult } from "@/lib/schema/tools/tool";
import type { HookExtension } from "./define-hook";
import type { SectionContext, SectionExtension } from "./define-prompt-section";
import type { ToolExtension } from "./define-tool";
import { toHook } from "./to-hook";

/** A test run. Only `model`, the scripted answers call by call, is required. */
export interface TestRun {
  /** A text, `call(…)`, a whole reply, or a function of the request. */
  readonly model: readonly ScriptedStep[];
  /** The agent's settings for the hook; checked by its schema. */
  readonly config?: unknown;
  /** The user's message. Default: "Hello". */
  readonly message?: string;
  /** The conversation before it. */
  readonly history?: readonly Message[];
  /** The agent's tools: extensions, or tool names with the text that each returns. */
  readonly tools?: readonly ToolExtension[] | Readonly<Record<string, string>>;
  /** The relevant parts of the agent's config. */
  readonly agent?: Partial<AgentConfigInput>;
  /** The clock's time: Unix time in ms or a date. Default: 2026-01-01 at noon, UTC. */
  readonly now?: number | string | Date;
}

/** The outcome of a test run. */
export interface TestRunResult extends Omit<RunOutcome, "added"> {
  /** The requests sent to the model, call by call, after the hook's changes. */
  readonly requests: readonly ModelRequest[];
  /** The results of the tool calls, in order. */
  readonly results: readonly ToolResult[];
  /** The open asks; if there are any, the run has the status `waiting`. */
  readonly asks: readonly Interrupt[];
  /** The messages of the run, including the user's. */
  readonly messages: readonly Message[];
  /** The hook's log lines: level and text. */
  readonly log: readonly string[];
  readonly events: readonly RunEvent[];
}

/** A reply of the scripted model that calls a tool. */
export function call(name: string, args: Record<string, unknown> = {}): ScriptedReply {
  return { calls: [{ name, args }] };
}

/** Runs an agent with this hook against the scripted model. */
export function runHook(hook: HookExtension, run: TestRun): Promise<TestRunResult> {
  const parsed = hook.parseConfig(run.config ?? {});
  if (!parsed.ok) {
    const problems = parsed.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new TypeError(`the config of ${hook.name}: ${problems.join("; ")}`);
  }
  return runScripted([toHook(hook.name, hook.create(parsed.config))], run);
}

/** Calls the tool as an agent would, and returns what the model would read. */
export async function runTool(
  tool: ToolExtension,
  args: Record<string, unknown>,
  run: Omit<TestRun, "model"> = {},
): Promise<ToolResult> {
  const { results, error } = await runScripted([], { tools: [tool], ...run, model: [call(tool.name, args), "Done."] });
  const [result] = results;
  if (!result) throw new Error(error?.message ?? `the call of ${tool.name} has no result`);
  return result;
}

/** The text of a section for the given facts; the rest default to those of a plain agent. */
export function buildSection(section: SectionExtension, facts: Partial<SectionContext> = {}): string {
  return section.build({
    agent: { id: "agent", config: AgentConfig.parse({ name: "Test agent" }) },
    user: { id: "user_1", name: "Ada" },
    threadId: "thread_1",
    model: "scripted:test",
    now: NOON,
    tools: [],
    ...facts,
  });
}

const NOON = Date.UTC(2026, 0, 1, 12);

async function runScripted(hooks: readonly Hook[], run: TestRun): Promise<TestRunResult> {
  const model = scriptedModel(run.model);
  const events: RunEvent[] = [];
  const log: string[] = [];
  const config = AgentConfig.parse({ name: "Test agent", system_prompt: "You are a test.", ...run.agent });
  const { added, ...outcome } = await runAgent(
    {
      config,
      system: [{ name: "identity", text: config.system_prompt }],
      model,
      tools: testTools(run.tools ?? []),
      hooks,
      history: run.history ?? [],
      input: [{ role: "user", content: run.message ?? "Hello" }],
      journal: [],
    },
    recordingEnvironment(events, log, new Date(run.now ?? NOON).getTime()),
  );
  const results = events.flatMap((event) => (event.type === "tool.result" ? [event.result] : []));
  return { ...outcome, requests: model.requests, results, asks: openInterrupts(events), messages: added, log, events };
}

function recordingEnvironment(events: RunEvent[], log: string[], now: number): RunEnvironment {
  let ids = 0;
  return {
    runId: "run_1",
    traceId: "trace_1",
    threadId: "thread_1",
    agentId: "agent",
    userId: "user_1",
    segment: 0,
    signal: new AbortController().signal,
    log: { emit: (event) => void events.push(event), store: () => undefined, commit: async () => undefined },
    trace: null,
    state: { todos: [] },
    interrupts: foldInterrupts([], { canAsk: true, grants: [] }),
    now: () => now,
    createId: (prefix) => `${prefix}_${++ids}`,
    logLine: (level, message) => void log.push(`${level} ${message}`),
  };
}

function testTools(tools: NonNullable<TestRun["tools"]>): Tool[] {
  if (Array.isArray(tools)) return (tools as readonly ToolExtension[]).map(({ tool }) => tool);
  return Object.entries(tools).map(([name, output]) =>
    defineTool({ name, description: name, input: z.looseObject({}), execute: async () => String(output) }),
  );
}
