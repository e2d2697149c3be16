import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/schema/run-event";
import { NO_USAGE } from "@/lib/schema/usage";
import { endingOfJournal } from "./run-ending";

test("a run that ends without its process keeps its finished steps and counts what summaries took", () => {
  const reply = {
    ...{ content: "Hello.", reasoning: [], toolCalls: [], finishReason: "stop" as const, model: "demo:demo" },
    ...{ usage: { ...NO_USAGE, inputTokens: 7 }, timeToFirstTokenMs: null },
  };
  const events: RunEvent[] = [
    {
      type: "summary.completed",
      step: 1,
      count: 3,
      lastId: "m3",
      text: "Short.",
      usage: { ...NO_USAGE, inputTokens: 50 },
    },
    { type: "model.completed", step: 1, reply, durationMs: 1 },
  ];
  const rows = events.map((event, index) => ({ runId: "r", seq: index + 1, at: 0, event }));
  const ending = endingOfJournal("r", [{ role: "user", content: "Hi" }], rows, { type: "run.cancelled", by: "u" });
  expect(ending).toMatchObject({
    steps: 1,
    usage: { inputTokens: 57 },
    added: [{ content: "Hi" }, { content: "Hello." }],
  });
});
