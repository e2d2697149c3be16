import { expect, test } from "vitest";
import type { ModelReply, RunEvent } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { encodeRunEvent } from "@/lib/server/engine/log/event-row";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { priceOldReplies } from "./price-old-replies";

const { database } = runDatabase();

const usage = { ...NO_USAGE, inputTokens: 1_000_000 };
const reply: ModelReply = {
  content: "",
  reasoning: [],
  toolCalls: [],
  usage,
  timeToFirstTokenMs: null,
  finishReason: "stop",
  model: "openai:gpt-4.1",
};
const log: RunEvent[] = [
  { type: "model.completed", step: 1, reply: { ...reply, costUsd: 7 }, durationMs: 1 },
  { type: "summary.completed", step: 2, count: 1, lastId: "m1", text: "costs", usage },
  { type: "model.completed", step: 2, reply, durationMs: 1 },
  { type: "summary.completed", step: 3, count: 1, lastId: "m1", text: "", usage },
];

test("open runs that an earlier version began get the cost of what they have used", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "hi");
  await database().runEvent.createMany({
    data: log.map((event, index) => ({
      runId,
      seq: index + 1,
      epoch: 0,
      type: event.type,
      data: encodeRunEvent(event),
      createdAt: new Date(),
    })),
  });
  await priceOldReplies(database());
  const costs = (await readAllEvents(database(), runId)).map(({ event }) => {
    if (event.type === "model.completed") return event.reply.costUsd;
    return event.type === "summary.completed" ? event.costUsd : undefined;
  });
  expect(costs).toEqual([7, 2, 2, null]);
});
