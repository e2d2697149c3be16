import { expect, test } from "vitest";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { endingOf, toOpenRun } from "./plan";
import { storeEnding } from "./store";

const { database, history } = runDatabase();

test.each([
  ["another process has taken it over", { epoch: 8 }],
  ["it waits by now", { status: "waiting" }],
  ["it has ended already", { status: "completed" }],
])("nothing of a run's end is stored when %s", async (_, change) => {
  await seedThread(database());
  const { runId } = await say(database(), "Hello");
  const row = await database().run.update({
    where: { id: runId },
    data: { status: "running", leaseOwner: "me", epoch: 7 },
  });
  await database().run.update({ where: { id: runId }, data: change });
  const run = toOpenRun(row);
  const ending = endingOf({ kind: "failed", error: { code: "internal", message: "broken" } }, run, []);
  expect(await storeEnding(database(), { run, ending, stored: [], todos: [] })).toBe(false);
  expect(await history()).toEqual([]);
  expect(await database().runEvent.count()).toBe(0);
  expect(await database().transcriptMessage.count({ where: { role: "assistant" } })).toBe(0);
  expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({ endedAt: null, errorCode: null });
});
