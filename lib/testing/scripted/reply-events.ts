import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";

/** The first event of the runs in the event fixtures. */
export const RUN_STARTED = {
  type: "run.started" as const,
  threadId: "th_row",
  agentId: "agent",
  traceId: "tr_1",
  assistantMessageId: "msg_1",
  segment: 0,
};

/** The common fields of their replies. */
export const REPLY: Omit<ModelReply, "content" | "model"> = {
  reasoning: [],
  toolCalls: [],
  finishReason: "stop",
  usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 20 },
  timeToFirstTokenMs: 5,
};
