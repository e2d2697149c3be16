import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { scriptedModel } from "@/lib/models/scripted-model";
import { eventsToEnd, reached, runDatabase, say, seedThread, testHost } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, statusOf } = runDatabase();
const HOUR_MS = 3_600_000;
const endless = new Promise<void>(() => undefined);

afterEach(() => void vi.useRealTimers());

const passTime = () => vi.setSystemTime(Date.now() + HOUR_MS);

/** The machine sleeps while this tool works. */
const sleepyTool = defineTool({
  name: "doze",
  description: "Takes a moment",
  input: z.object({}),
  execute: async () => {
    passTime();
    return "awake";
  },
});

/** Arrives after a used-up limit would have ended the run. */
const laterReply = () => scriptedModel([{ text: "done", gate: setTimeout(100) }]);

const streamed = (runId: string) =>
  reached(async () => (await database().runEvent.count({ where: { runId, type: "text.delta" } })) > 0);

test("the time in which no process had a run does not count towards its limit", async () => {
  await seedThread(database(), { timeouts: { run_ms: 60_000 } });
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = testHost(database(), { model: scriptedModel([{ text: "cut off", gateAfterText: endless }]) });
  await first.start();
  const { runId } = await say(database(), "go");
  await streamed(runId);
  await first.stop();
  passTime();
  await startHost({ model: laterReply() });
  await eventsToEnd(database(), runId);
  expect(await statusOf(runId)).toBe("completed");
});

test("the time in which the machine slept does not count in later segments", async () => {
  await seedThread(database(), { timeouts: { run_ms: 60_000 } });
  vi.useFakeTimers({ toFake: ["Date"] });
  const steps = [{ calls: [{ name: "doze" }] }, { text: "cut off", gateAfterText: endless }];
  const first = testHost(database(), { model: scriptedModel(steps), tools: [sleepyTool] });
  await first.start();
  const { runId } = await say(database(), "go");
  await streamed(runId);
  await first.stop();
  await startHost({ model: laterReply(), tools: [sleepyTool] });
  await eventsToEnd(database(), runId);
  expect(await statusOf(runId)).toBe("completed");
});
