import type { RunEvent } from "@/lib/schema/run-event";
import { NO_USAGE } from "@/lib/schema/usage";

/** A run whose only reply says at its end that it is silent, when some of it has been shown. */
export const SILENT: readonly RunEvent[] = [
  {
    type: "run.started",
    threadId: "th_row",
    agentId: "agent",
    traceId: "tr_1",
    assistantMessageId: "msg_1",
    segment: 0,
  },
  { type: "model.started", step: 1, model: "openai:gpt" },
  { type: "text.delta", step: 1, delta: "All quiet." },
  { type: "step.reset", step: 1 },
  {
    type: "model.completed",
    step: 1,
    durationMs: 30,
    reply: {
      content: "",
      reasoning: [],
      toolCalls: [],
      finishReason: "stop",
      usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 20 },
      model: "openai:gpt",
      timeToFirstTokenMs: 5,
      silent: true,
    },
  },
  { type: "run.completed", status: "completed", silent: true },
];
