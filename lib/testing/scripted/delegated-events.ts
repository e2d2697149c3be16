import type { RunEvent } from "@/lib/schema/runs/run-event";
import { REPLY, RUN_STARTED } from "@/lib/testing/scripted/reply-events";

const task = {
  id: "call_1",
  name: "task",
  args: { agent: "researcher", description: "Look", prompt: "Look it up" },
  rawArgs: '{"agent":"researcher","description":"Look","prompt":"Look it up"}',
};
const child = {
  step: 1,
  toolCallId: "call_1",
  runId: "run_2",
  name: "researcher",
  description: "Look",
  background: false,
};

/**
 * A call that waits for a child run: the card is replaced, and its cost counts once even if a takeover reports it
 * again.
 */
const completed = {
  type: "subagent.completed",
  ...child,
  status: "completed",
  lastLine: "It is 42.",
  usage: REPLY.usage,
  costUsd: 0.01,
} as const;

export const DELEGATED: readonly RunEvent[] = [
  RUN_STARTED,
  { type: "model.started", step: 1, model: "openai:gpt" },
  {
    type: "model.completed",
    step: 1,
    durationMs: 80,
    reply: { ...REPLY, content: "", toolCalls: [task], finishReason: "tool-calls", model: "openai:gpt" },
  },
  { type: "tool.call", step: 1, call: task, annotations: {} },
  { type: "tool.intent", step: 1, toolCallIds: ["call_1"] },
  { type: "subagent.started", ...child },
  { type: "tool.pending", step: 1, toolCallId: "call_1", reason: "child" },
  { ...RUN_STARTED, segment: 1 },
  { type: "tool.intent", step: 1, toolCallIds: ["call_1"] },
  completed,
  completed,
  {
    type: "tool.result",
    step: 1,
    result: { toolCallId: "call_1", name: "task", output: "It is 42." },
    durationMs: 10,
  },
  { type: "model.started", step: 2, model: "openai:gpt" },
  { type: "model.completed", step: 2, durationMs: 30, reply: { ...REPLY, content: "42.", model: "openai:gpt" } },
  { type: "run.completed", status: "completed" },
];
