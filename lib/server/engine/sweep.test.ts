import { expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import type { Database } from "@/lib/server/platform/db/database";
import { calmPace } from "@/lib/server/platform/db/in-chunks";
import { addAgent, addThread, eventsToEnd, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { sweep as sweepAt } from "./sweep";

const { database, startHost } = runDatabase();
const DAY_MS = 24 * 3_600_000;
const sweep = (db: Database, nowMs: number) => sweepAt(db, nowMs, { keepEventsMs: DAY_MS, pace: calmPace() });

test("events go a day after their run has ended; messages stay, and open runs keep theirs", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel(["hi"]) });
  const { runId } = await say(database(), "hello");
  await eventsToEnd(database(), runId);
  await sweep(database(), Date.now() + DAY_MS - 60_000);
  expect(await database().runEvent.count()).toBeGreaterThan(0);
  await database().run.update({ where: { id: runId }, data: { endedAt: null } });
  await sweep(database(), Date.now() + DAY_MS + 60_000);
  expect(await database().runEvent.count()).toBeGreaterThan(0);
  await database().run.update({ where: { id: runId }, data: { endedAt: new Date() } });
  await sweep(database(), Date.now() + DAY_MS + 60_000);
  expect(await database().runEvent.count()).toBe(0);
  expect(await database().message.count()).toBe(2);
  expect(await eventsToEnd(database(), runId)).toEqual([]);
});

test("an agent's own time for its events goes before that of all, shorter or longer", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel(["hi"]) });
  const { runId } = await say(database(), "hello");
  await eventsToEnd(database(), runId);
  const left = async (keepEventsMs: number | null, agent: number | null) => {
    const options = { keepEventsMs, agentEventsMs: { agent }, pace: calmPace() };
    await sweepAt(database(), Date.now() + 2 * DAY_MS, options);
    return database().runEvent.count();
  };
  expect(await left(DAY_MS, null)).toBeGreaterThan(0);
  expect(await left(DAY_MS, 3 * DAY_MS)).toBeGreaterThan(0);
  expect(await left(null, DAY_MS)).toBe(0);
});

test("a run that ended unfinished keeps its events until its thread continues", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel([{ text: "Half", finishReason: "length" }, "whole"]) });
  const { runId } = await say(database(), "hello");
  await eventsToEnd(database(), runId);
  const later = Date.now() + 30 * DAY_MS;
  await sweep(database(), later);
  const kept = () => database().runEvent.count({ where: { runId } });
  expect(await kept()).toBeGreaterThan(0);
  await eventsToEnd(database(), (await say(database(), "and now")).runId);
  await sweep(database(), later);
  expect(await kept()).toBe(0);
});

test("threads that were created for one request go after a day", async () => {
  await seedThread(database());
  const base = { ownerId: "u1", agentId: "agent" };
  await database().thread.create({ data: { ...base, id: "once", clientId: "once", ephemeral: true } });
  await sweep(database(), Date.now() + DAY_MS + 60_000);
  expect((await database().thread.findMany()).map(({ id }) => id)).toEqual(["th1"]);
});

test("threads go when they were idle for longer than their agent keeps them", async () => {
  await seedThread(database(), { threads: { ttl_minutes: 60 } });
  const { updatedAt } = await database().thread.findUniqueOrThrow({ where: { id: "th1" } });
  await sweep(database(), updatedAt.getTime() + 59 * 60_000);
  expect(await database().thread.count()).toBe(1);
  await sweep(database(), updatedAt.getTime() + 61 * 60_000);
  expect(await database().thread.count()).toBe(0);
});

test("a thread whose run has not ended stays, however old it is", async () => {
  await seedThread(database(), { threads: { ttl_minutes: 60 } });
  const once = { id: "once", clientId: "once", ownerId: "u1", agentId: "agent", ephemeral: true };
  await database().thread.create({ data: once });
  const runs = [await say(database(), "hello"), await say(database(), "hello", { threadId: "once" })];
  await sweep(database(), Date.now() + DAY_MS + 60_000);
  expect((await database().thread.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id)).toEqual(["once", "th1"]);
  for (const { runId } of runs) {
    await database().run.update({ where: { id: runId }, data: { status: "completed", endedAt: new Date() } });
  }
  await sweep(database(), Date.now() + DAY_MS + 60_000);
  expect(await database().thread.count()).toBe(0);
});

test("an agent whose version cannot be read keeps no other's threads from ending", async () => {
  await seedThread(database());
  await addAgent(database(), "other", { name: "Other", model: "scripted:test", threads: { ttl_minutes: 1 } });
  await addThread(database(), "old", { agentId: "other" });
  await database().agentVersion.updateMany({ where: { agentId: "agent" }, data: { config: "{broken" } });
  await sweep(database(), Date.now() + DAY_MS);
  expect(await database().thread.count({ where: { id: "old", deletedAt: null } })).toBe(0);
});
