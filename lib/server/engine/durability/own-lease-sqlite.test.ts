import { afterEach, expect, test, vi } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { eventsToEnd, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, statusOf } = runDatabase();

afterEach(() => void vi.useRealTimers());

test("the only process that may use a database continues at its start what the one before it held", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const held = { status: "running", leaseOwner: "host_before" };
  await database().run.update({ where: { id: runId }, data: { ...held, startedAt: new Date(), epoch: 1 } });
  // Nothing but the start itself looks for the run.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  await startHost({ model: scriptedModel(["done"]), beatMs: 3_600_000 });
  await eventsToEnd(database(), runId);
  expect(await statusOf(runId)).toBe("completed");
});
