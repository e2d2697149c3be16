import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { addThread, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { leaseChannel, releaseChannel, selectRunningThreads, selectWaitingTriggers } from "./channels";

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

test("a group's running threads are those of its members whose runs have not ended, and the oldest message waits first", async () => {
  const { database } = opened;
  await seedThread(database);
  const version = await database.agentVersion.findFirstOrThrow();
  const inGroup = async (id: string, chat: string, runEnds: Date | null, waitsSince?: string) => {
    await addThread(database, `thread-${id}`);
    const sender = { externalUser: id, externalChat: chat, senderName: id, chatName: chat, chatKind: "group" };
    const whose = { userId: "u1", channelId: "ch_1", agentId: "agent", verifiedAt: new Date() };
    await database.channelLink.create({ data: { id, ...whose, ...sender } });
    await database.trigger.create({
      data: { id, ownerId: "u1", agentId: "agent", kind: "channel", name: id, config: "{}" },
    });
    const place = { threadId: `thread-${id}`, ownerId: "u1", agentId: "agent", agentVersionId: version.id };
    const made = { input: "{}", traceId: `tr-${id}`, assistantMessageId: `msg-${id}`, origin: "channel" };
    await database.run.create({ data: { id: `run-${id}`, ...place, ...made, endedAt: runEnds } });
    const firing = { triggerId: id, dueAt: new Date("2026-11-02T09:00:00.000Z") };
    await database.firing.create({
      data: { id: `f-${id}`, ...firing, key: "1", state: "started", runId: `run-${id}` },
    });
    if (waitsSince === undefined) return;
    const dueAt = new Date(waitsSince);
    await database.firing.create({ data: { id: `w-${id}`, ...firing, dueAt, key: "2", state: "claimed" } });
  };
  await inGroup("ana", "-1", null, "2026-11-02T09:05:00.000Z");
  await inGroup("bob", "-1", new Date(), "2026-11-02T09:04:00.000Z");
  await inGroup("cid", "-2", null, "2026-11-02T09:03:00.000Z");
  const group = { channelId: "ch_1", chatId: "-1" };
  expect(await selectRunningThreads(database, group)).toEqual(["thread-ana"]);
  expect(await selectWaitingTriggers(database, group)).toEqual(["bob", "ana"]);
});
