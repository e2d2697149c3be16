import { expect, test, vi } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { logger } from "@/lib/server/platform/logger";
import { eventsToEnd, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, history, statusOf } = runDatabase();

test("a run on a full disk fails with that cause once there is room again, and loses no message", {
  timeout: 30_000,
}, async () => {
  await seedThread(database());
  const logged = vi.spyOn(logger(), "error").mockImplementation(() => undefined);
  const gate = Promise.withResolvers<void>();
  await startHost({ model: scriptedModel([{ text: "x".repeat(200_000), gate: gate.promise }, "fine"]) });
  const { runId } = await say(database(), "go");
  await reached(async () => (await database().runEvent.count({ where: { runId } })) > 0);
  const [row] = await database().raw<{ page_count: number }>("pragma page_count");
  await database().raw(`pragma max_page_count = ${row?.page_count ?? 0}`);
  gate.resolve();
  await expect(say(database(), "y".repeat(100_000))).rejects.toThrow();
  await reached(() => logged.mock.calls.length > 0);
  expect(await statusOf(runId)).toBe("running");
  await database().raw("pragma max_page_count = 1000000");
  const events = await eventsToEnd(database(), runId);
  expect(events.at(-1)?.event).toMatchObject({ type: "run.failed", error: { code: "unavailable" } });
  expect(JSON.stringify(events.at(-1))).toContain("disk of the server is full");
  expect((await history())[0]).toBe("user: go");
});
