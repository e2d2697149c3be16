import type { ModelReply, RunEvent } from "@/lib/schema/run-event";
import { NO_USAGE } from "@/lib/schema/usage";

const reply: ModelReply = {
  content: "",
  reasoning: [],
  toolCalls: [],
  finishReason: "stop",
  usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 20 },
  model: "x:y",
  timeToFirstTokenMs: 5,
};
const look = { id: "call_1", name: "weather", args: {}, rawArgs: "{}" };

const BEGINNING: readonly RunEvent[] = [
  {
    type: "run.started",
    threadId: "th_row",
    agentId: "agent",
    traceId: "tr_1",
    assistantMessageId: "msg_1",
    segment: 0,
  },
  { type: "model.started", step: 1, model: "x:y" },
];

/** A tool says something to the user that the model does not read. */
export const TOLD: readonly RunEvent[] = [
  ...BEGINNING,
  {
    type: "model.completed",
    step: 1,
    durationMs: 1,
    reply: { ...reply, toolCalls: [look], finishReason: "tool-calls" },
  },
  { type: "tool.call", step: 1, call: look, annotations: {} },
  {
    type: "tool.result",
    step: 1,
    result: { toolCallId: "call_1", name: "weather", output: "18 C", forUser: "It is **18 degrees**." },
    durationMs: 20,
  },
  { type: "run.completed", status: "completed" },
];

/** The thread is compacted after its run has ended. */
export const COMPACTED: readonly RunEvent[] = [
  ...BEGINNING,
  { type: "model.completed", step: 1, durationMs: 1, reply: { ...reply, content: "Fine." } },
  { type: "run.completed", status: "completed" },
  {
    type: "compaction.completed",
    compacted: 48,
    kept: 4,
    tokensBefore: 9_000,
    tokensAfter: 700,
    count: 1,
    memoryFlushed: true,
    summary: "They talked about whales.",
  },
];
