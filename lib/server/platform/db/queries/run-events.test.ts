import { expect, test } from "vitest";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { insertRunEvents } from "./run-events";

const { database } = runDatabase();

test("rows are stored only for the owner that holds the run at their epoch, while it runs", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const event = { type: "text.delta", step: 1, delta: "a" };
  const columns = { type: event.type, data: JSON.stringify(event), createdAt: new Date(0) };
  const insert = (seq: number, epoch: number) =>
    insertRunEvents(database(), "me", [{ runId, seq, epoch, ...columns }], { durability: "full" });
  const hold = (status: string, leaseOwner: string, epoch: number) =>
    database().run.update({ where: { id: runId }, data: { status, leaseOwner, epoch } });

  await hold("running", "me", 2);
  expect([...(await insert(1, 1)).stored]).toEqual([]);
  expect([...(await insert(1, 2)).stored]).toEqual([runId]);
  await hold("running", "another", 2);
  expect([...(await insert(2, 2)).stored]).toEqual([]);
  await hold("waiting", "me", 2);
  expect([...(await insert(2, 2)).stored]).toEqual([]);
  expect(await database().runEvent.findMany({ where: { runId } })).toMatchObject([{ seq: 1, epoch: 2 }]);
});
