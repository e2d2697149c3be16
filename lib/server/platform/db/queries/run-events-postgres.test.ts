import { expect, test } from "vitest";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { insertRunEvents } from "./run-events";

const { database } = runDatabase();

test("rows that were stored already, as when the answer was lost, count as stored; those of another epoch don't", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const hold = (epoch: number) =>
    database().run.update({ where: { id: runId }, data: { status: "running", leaseOwner: "me", epoch } });
  const event = { type: "text.delta", step: 1, delta: "a" };
  const columns = { type: event.type, data: JSON.stringify(event), createdAt: new Date(0) };
  const insert = (epoch: number) => insertRunEvents(database(), "me", [{ runId, seq: 1, epoch, ...columns }], "full");
  await hold(1);
  expect([...(await insert(1))]).toEqual([runId]);
  expect([...(await insert(1))]).toEqual([runId]);
  await hold(2);
  expect([...(await insert(2))]).toEqual([]);
  expect(await database().runEvent.findMany({ where: { runId } })).toMatchObject([{ seq: 1, epoch: 1 }]);
});
