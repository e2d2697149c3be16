import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { foldInterrupts } from "./interrupts";
import type { RunContext } from "./run-context";
import type { Tool } from "./tools/tool";

/** Enough of a run for hooks to report what they offer; nothing is stored or traced, and nobody is asked. */
export function describingContext(config: AgentConfig, tools: Map<string, Tool>): RunContext {
  return {
    runId: "described",
    traceId: "described",
    threadId: "described",
    agentId: "described",
    userId: "described",
    segment: 0,
    step: 0,
    config,
    signal: new AbortController().signal,
    log: { emit: () => {}, store: () => {}, commit: async () => {} },
    trace: null,
    model: { name: "described", call: () => Promise.reject(new Error("described, not run")) },
    state: { todos: [] },
    interrupts: foldInterrupts([], { canAsk: false, grants: [] }),
    values: new Map(),
    system: [],
    messages: [],
    registerTool: (tool) => void tools.set(tool.name, tool),
    findTool: (name) => tools.get(name),
    streamed: { text: "", firstAtMs: null },
    added: [],
    watchModelCalls: () => () => {},
    now: Date.now,
    createId: (prefix) => `${prefix}_described`,
    logLine: () => {},
  };
}
