import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { leaseChannel, releaseChannel } from "./channels";

let opened: TestDatabase;
beforeAll(async () => {
  opened = await createTestDatabase();
  const data = { id: "ch_1", kind: "telegram", name: "Lab", agentId: "a", credentials: "", receives: "long polling" };
  await opened.database.channel.create({ data: { ...data, createdById: "u1" } });
});
afterAll(() => opened.close());

const lease = (holder: string, holdMs = 15_000) => leaseChannel(opened.database, { channelId: "ch_1", holder, holdMs });

test("one process holds a channel until its lease has expired, was released, or the channel is switched off", async () => {
  expect(await Promise.all([lease("first"), lease("first")])).toEqual([true, true]);
  expect(await lease("second")).toBe(false);
  await releaseChannel(opened.database, "ch_1", "second");
  expect(await lease("second")).toBe(false);
  await releaseChannel(opened.database, "ch_1", "first");
  expect(await lease("second", -1)).toBe(true);
  expect(await lease("first")).toBe(true);
  await opened.database.channel.update({ where: { id: "ch_1" }, data: { enabled: false } });
  expect(await lease("first")).toBe(false);
});
