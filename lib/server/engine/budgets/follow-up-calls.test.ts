import { expect, test } from "vitest";
import { sweep } from "@/lib/server/engine/sweep";
import { calmPace } from "@/lib/server/platform/db/in-chunks";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { followUpCalls } from "./follow-up-calls";

const HOUR_MS = 3_600_000;
const REQUEST = {
  system: [],
  messages: [{ role: "user" as const, content: "Hello" }],
  tools: [],
  maxTokens: 50,
  temperature: 0,
};

async function withRun(work: (parts: Awaited<ReturnType<typeof createTestDatabase>>) => Promise<void>) {
  const parts = await createTestDatabase();
  const { database, close } = parts;
  try {
    await seedThread(database);
    const { currentVersionId } = await database.agent.findUniqueOrThrow({ where: { id: "agent" } });
    const place = { threadId: "th1", ownerId: "u1", agentId: "agent", agentVersionId: currentVersionId ?? "" };
    const ended = { status: "completed", startedAt: new Date(), endedAt: new Date(), costUsd: 1, inputTokens: 1_000 };
    const rest = { traceId: "tr1", depth: 0, input: "{}", assistantMessageId: "msg1", position: 1 };
    await database.run.create({ data: { id: "run1", ...place, ...ended, ...rest } });
    await work(parts);
  } finally {
    await close();
  }
}

test.each([
  // The first call in full, and what the second one had been sent.
  ["sent", 0.12],
  ["answered", 0.2],
])("after a kill with the second call %s, the run's usage has both, as partial", async (place, costUsd) => {
  await withRun(async ({ database, url }) => {
    const killed = await runProcess("lib/testing/processes/spending/killable-follow-up.ts", url, "run1", place);
    expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
    const options = { keepEventsMs: null, pace: calmPace() };
    await sweep(database, Date.now(), options);
    expect(await database.followUpCall.count()).toBe(2);
    for (const _ of [1, 2]) await sweep(database, Date.now() + 2 * HOUR_MS, options);
    const run = await database.run.findUniqueOrThrow({ where: { id: "run1" } });
    expect(run.costUsd).toBeCloseTo(1 + costUsd);
    expect(run.inputTokens).toBeGreaterThanOrEqual(1_000 + 200);
    expect(run).toMatchObject({ isUsagePartial: true, isUsageEstimated: true });
    const thread = await database.thread.findUniqueOrThrow({ where: { id: "th1" } });
    expect(thread.costUsd).toBeCloseTo(costUsd);
    expect(await database.followUpCall.count()).toBe(0);
  });
});

test("what was settled counts once and leaves nothing for the sweep", async () => {
  await withRun(async ({ database }) => {
    const run = await database.run.findUniqueOrThrow({ where: { id: "run1" } });
    const calls = followUpCalls(database, run, {
      model: pricedModel({ turn: () => ({ text: "x" }) }),
      charsPerToken: 4,
    });
    const reply = await calls.model.call(REQUEST, { signal: new AbortController().signal });
    expect(await database.followUpCall.count()).toBe(1);
    await calls.settle({ usage: reply.usage, costUsd: reply.costUsd ?? null });
    await sweep(database, Date.now() + 2 * HOUR_MS, { keepEventsMs: null, pace: calmPace() });
    const after = await database.run.findUniqueOrThrow({ where: { id: "run1" } });
    expect(after).toMatchObject({ inputTokens: 1_100, isUsagePartial: false });
    expect(after.costUsd).toBeCloseTo(1.1);
    expect(await database.followUpCall.count()).toBe(0);
  });
});

test("a call whose run was deleted is forgotten", async () => {
  await withRun(async ({ database }) => {
    const sent = { inputTokens: 1, outputTokens: 0, costUsd: null, createdAt: new Date() };
    await database.followUpCall.create({ data: { id: "fuc_1", runId: "gone", ...sent } });
    await sweep(database, Date.now() + 2 * HOUR_MS, { keepEventsMs: null, pace: calmPace() });
    expect(await database.followUpCall.count()).toBe(0);
  });
});
