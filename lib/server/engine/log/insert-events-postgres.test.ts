import { expect, test } from "vitest";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import type { EventRow } from "./event-writer";
import { eventInserter } from "./insert-events";

const { database } = runDatabase();

test("rows that were stored already, as when the answer was lost, count as stored; those of another epoch don't", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const hold = (epoch: number) =>
    database().run.update({ where: { id: runId }, data: { status: "running", leaseOwner: "me", epoch } });
  const event = { type: "text.delta", step: 1, delta: "a" } as const;
  const row = (epoch: number): EventRow => ({ runId, seq: 1, at: 0, epoch, event, data: JSON.stringify(event) });
  const insert = eventInserter(database(), "me");
  await hold(1);
  expect([...(await insert([row(1)], "full"))]).toEqual([runId]);
  expect([...(await insert([row(1)], "full"))]).toEqual([runId]);
  await hold(2);
  expect([...(await insert([row(2)], "full"))]).toEqual([]);
  expect(await database().runEvent.findMany({ where: { runId } })).toMatchObject([{ seq: 1, epoch: 1 }]);
});
