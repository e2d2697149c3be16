import { expect, test } from "vitest";
import type { ModelReply, RunEvent } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { foldProgress, newProgress } from "./child-run";

const reply: ModelReply = {
  content: "seen",
  reasoning: [],
  toolCalls: [],
  finishReason: "stop",
  model: "scripted:m",
  usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 10 },
  costUsd: 0.1,
  timeToFirstTokenMs: null,
};

test("a subagent at work has cost what its calls have cost so far, and an unknown amount once one is unknown", () => {
  const progress = newProgress();
  const events: RunEvent[] = [1, 2].map((step) => ({ type: "model.completed", step, reply, durationMs: 1 }));
  for (const event of events) foldProgress(progress, { runId: "r", seq: 1, at: 0, event });
  expect(progress.spent).toMatchObject({ costUsd: 0.2, usage: { inputTokens: 200 } });
  foldProgress(progress, { runId: "r", seq: 3, at: 0, event: { type: "usage.unknown", step: 3 } });
  expect(progress.spent).toMatchObject({ costUsd: null, usage: { isUsagePartial: true } });
});
