import { expect, test } from "vitest";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import type { EventRow } from "./event-writer";
import { eventInserter } from "./insert-events";

const { database } = runDatabase();

test("rows are stored only for the owner that holds the run at their epoch, while it runs", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const event = { type: "text.delta", step: 1, delta: "a" } as const;
  const row = (seq: number, epoch: number): EventRow => ({
    ...{ runId, seq, epoch, at: 0, event, data: JSON.stringify(event) },
  });
  const hold = (status: string, leaseOwner: string, epoch: number) =>
    database().run.update({ where: { id: runId }, data: { status, leaseOwner, epoch } });
  const insert = eventInserter(database(), "me");

  await hold("running", "me", 2);
  expect([...(await insert([row(1, 1)], "full"))]).toEqual([]);
  expect([...(await insert([row(1, 2)], "full"))]).toEqual([runId]);
  await hold("running", "another", 2);
  expect([...(await insert([row(2, 2)], "full"))]).toEqual([]);
  await hold("waiting", "me", 2);
  expect([...(await insert([row(2, 2)], "full"))]).toEqual([]);
  expect(await database().runEvent.findMany({ where: { runId } })).toMatchObject([{ seq: 1, epoch: 2 }]);
});
