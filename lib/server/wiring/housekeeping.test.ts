import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { sweep } from "@/lib/server/engine/sweep";
import { DAY_MS, daysAgo, housekeepingInstallation } from "@/lib/testing/databases/housekeeping-fixture";
import { addThread, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, after, addTrace, talkIn } = housekeepingInstallation();

async function rowCounts() {
  const db = database();
  const tables = [
    db.thread,
    db.message,
    db.transcriptMessage,
    db.run,
    db.runEvent,
    db.trace,
    db.span,
    db.workspace,
    db.call,
    db.runStep,
  ];
  const counts = await Promise.all([...tables, db.workspaceFile].map((table) => (table as typeof db.thread).count()));
  return counts.map((count) => (count > 0 ? "some" : "none"));
}

test("a thread that a person deleted goes a month later, with its subagents' threads, files and traces", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel(["hi"]) });
  const onDisk = await talkIn("th1");
  await addThread(database(), "child");
  await database().thread.update({ where: { id: "child" }, data: { parentThreadId: "th1" } });
  await database().thread.update({ where: { id: "th1" }, data: { deletedAt: new Date() } });
  await after(29);
  expect(new Set(await rowCounts())).toEqual(new Set(["some"]));
  await after(31);
  expect(new Set(await rowCounts())).toEqual(new Set(["none"]));
  expect(existsSync(onDisk)).toBe(false);
});

test("other threads stay as they are, and so does a deleted one that is kept for ever or has an open run", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel(["hi", "hi"]) });
  const onDisk = await talkIn("th1");
  await after(80);
  expect(new Set(await rowCounts())).toEqual(new Set(["some"]));
  await database().thread.update({ where: { id: "th1" }, data: { deletedAt: new Date() } });
  await after(80, { deletedThreads: null });
  expect(existsSync(onDisk)).toBe(true);
  await database().run.updateMany({ data: { endedAt: null } });
  await after(80);
  expect(await database().thread.count()).toBe(1);
});

test("what other threads call the same stays theirs", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel(["hi", "hi"]) });
  await talkIn("th1");
  await addThread(database(), "th2");
  await talkIn("th2");
  await database().thread.update({ where: { id: "th1" }, data: { deletedAt: new Date() } });
  await after(31);
  expect(new Set(await rowCounts())).toEqual(new Set(["some"]));
  const kept = await database().workspace.findFirstOrThrow({ where: { threadId: "th2" }, include: { files: true } });
  expect(kept.files.map((file) => file.path)).toEqual(["notes.md"]);
});

test("a test thread that nobody used for 30 days is deleted as a person would", async () => {
  await seedThread(database());
  await database().thread.updateMany({ data: { ephemeral: true, isTest: true, updatedAt: new Date() } });
  const isDeleted = async () => (await database().thread.findFirstOrThrow()).deletedAt !== null;
  await sweep(database(), Date.now() + 29 * DAY_MS, { keepEventsMs: null, pace: { rest: async () => true } });
  await after(29);
  expect(await isDeleted()).toBe(false);
  await after(31);
  expect(await isDeleted()).toBe(true);
});

test("threads that nobody uses stay for ever, unless a time is set: then they are deleted like those of a person", async () => {
  await seedThread(database());
  await startHost({ model: scriptedModel(["hi", "hi"]) });
  await talkIn("th1");
  await addThread(database(), "pinned");
  await database().thread.update({ where: { id: "pinned" }, data: { pinned: true } });
  await after(400);
  expect(await database().thread.count({ where: { deletedAt: null } })).toBe(2);
  await after(364, { threads: 365 * DAY_MS });
  expect(await database().thread.count({ where: { deletedAt: null } })).toBe(2);
  await after(366, { threads: 365 * DAY_MS });
  const left = await database().thread.findMany({ where: { deletedAt: null } });
  expect(left.map(({ id }) => id)).toEqual(["pinned"]);
  expect(await database().thread.count()).toBe(2);
  await after(397, { threads: 365 * DAY_MS });
  expect((await database().thread.findMany()).map(({ id }) => id)).toEqual(["pinned"]);
});

test("traces go with their spans after three months, but not those of runs that are open", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "hello");
  await addTrace("tr_open", { runId, startedAt: daysAgo(100) });
  await addTrace("tr_old", { runId: "run_old", startedAt: daysAgo(91) });
  await addTrace("tr_new", { runId: "run_new", startedAt: daysAgo(89) });
  await after(0, { traces: null });
  expect(await database().trace.count()).toBe(3);
  await after(0);
  const ids = ["tr_new", "tr_open"];
  expect((await database().trace.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id)).toEqual(ids);
  const { span, call, runStep } = database();
  for (const table of [span, call, runStep]) {
    const left = await (table as typeof span).findMany({ orderBy: { traceId: "asc" } });
    expect(left.map(({ traceId }) => traceId)).toEqual(ids);
  }
});

test("a day after a run's end its trace keeps what its calls used", async () => {
  await seedThread(database());
  await addTrace("tr_a", { runId: "run_a", startedAt: daysAgo(0) });
  await database().trace.update({ where: { id: "tr_a" }, data: { endedAt: daysAgo(0) } });
  const keptUses = async () => (await database().trace.findUniqueOrThrow({ where: { id: "tr_a" } })).toolUses;
  await after(0.9);
  expect(await keptUses()).toBeNull();
  await after(1.1);
  expect(await keptUses()).toBe('[" t"]');
});

test("an agent's own time for its traces goes before that of all, shorter or longer", async () => {
  await seedThread(database());
  for (const agentId of ["agent", "short", "ever"]) {
    await addTrace(`old-${agentId}`, { runId: `gone-${agentId}`, startedAt: daysAgo(20) });
    await database().trace.update({ where: { id: `old-${agentId}` }, data: { agentId } });
  }
  const left = async () => (await database().trace.findMany({ orderBy: { id: "asc" } })).map(({ agentId }) => agentId);
  await after(0, { traces: null }, { short: 10 * DAY_MS });
  expect(await left()).toEqual(["agent", "ever"]);
  await after(0, { traces: 10 * DAY_MS }, { ever: null });
  expect(await left()).toEqual(["ever"]);
});
