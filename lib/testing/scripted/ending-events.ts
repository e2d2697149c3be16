import type { ModelReply, RunEvent } from "@/lib/schema/runs/run-event";
import { REPLY, RUN_STARTED } from "@/lib/testing/scripted/reply-events";

const reply: ModelReply = { ...REPLY, content: "", model: "x:y" };
const look = { id: "call_1", name: "weather", args: {}, rawArgs: "{}" };

const BEGINNING: readonly RunEvent[] = [RUN_STARTED, { type: "model.started", step: 1, model: "x:y" }];

/** A tool sends the user a message that the model does not read. */
export const MESSAGE_FOR_USER: readonly RunEvent[] = [
  ...BEGINNING,
  {
    type: "model.completed",
    step: 1,
    durationMs: 1,
    reply: { ...reply, toolCalls: [look], finishReason: "tool-calls" },
  },
  { type: "tool.call", step: 1, call: look, annotations: {} },
  { type: "tool.intent", step: 1, toolCallIds: ["call_1"] },
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
    estimated: true,
    count: 1,
    memoryFlushed: true,
    summary: "They talked about whales.",
  },
];
