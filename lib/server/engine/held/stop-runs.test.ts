import { expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import type { RunRequest } from "@/lib/server/engine/accept";
import { changeQueued, removeQueued } from "@/lib/server/engine/queue/change-queue";
import { loadWaiting } from "@/lib/server/engine/queue/queue-order";
import { eventsToEnd, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { releaseHeld } from "./release-held";
import { stopRun, stopRuns } from "./stop-runs";

const { database, startHost, history, statusOf } = runDatabase();

const OWN = { threadId: "th1", ownerId: "u1" };
const write = (text: string, request: Partial<RunRequest> = {}) =>
  say(database(), text, { fromPerson: true, ...request });
const SILENT = { text: "x", gate: new Promise<never>(() => undefined) };

/** A thread with a run that never ends by itself, under way; what comes after it is answered. */
async function busyThread(answers: readonly string[] = [], config: Parameters<typeof seedThread>[1] = {}) {
  await seedThread(database(), config);
  const model = scriptedModel([SILENT, ...answers]);
  const host = await startHost({ model });
  const { runId } = await write("go");
  await reached(() => model.requests.length === 1);
  return { runId, model, host };
}

async function waiting(): Promise<{ readonly queue: readonly string[]; readonly held: readonly string[] }> {
  const { queue, held } = await loadWaiting(database(), "th1");
  const text = ({ message }: (typeof queue)[number]) => message.content;
  return { queue: queue.map(text), held: held.map(text) };
}

const leaf = async () => (await database().thread.findUniqueOrThrow({ where: { id: "th1" } })).leafRunId;
const ended = (runId: string) => expect.poll(() => statusOf(runId)).toMatch(/completed|cancelled/);

test("a stop holds what people have queued, a new message begins at once, and what is sent later follows it", async () => {
  const { runId, model } = await busyThread(["To three.", "To one.", "To two."]);
  const one = await write("one");
  const two = await write("two");
  expect(await stopRun(database(), runId, "u1")).toEqual({ cancelled: 1, held: 2 });
  await ended(runId);
  expect(await waiting()).toEqual({ queue: [], held: ["one", "two"] });
  expect(await leaf()).toBe(runId);

  const three = await write("three");
  await eventsToEnd(database(), three.runId);
  expect([await statusOf(one.runId), await statusOf(two.runId)]).toEqual(["queued", "queued"]);

  expect(await releaseHeld(database(), OWN)).toBe(2);
  await eventsToEnd(database(), two.runId);
  expect(await history()).toEqual([
    "user: go",
    "user: three",
    "assistant: To three.",
    "user: one",
    "assistant: To one.",
    "user: two",
    "assistant: To two.",
  ]);
  const runs = await database().run.findMany({ orderBy: { position: "asc" } });
  expect(runs.map(({ id }) => id)).toEqual([runId, three.runId, one.runId, two.runId]);
  expect(runs.map(({ afterRunId }) => afterRunId)).toEqual([null, runId, three.runId, one.runId]);
  expect(await leaf()).toBe(two.runId);
  expect(model.requests).toHaveLength(4);
});

test("an unread steer is held too, is not read by the run that ends, and is sent as an ordinary message", async () => {
  const { runId } = await busyThread(["Node 22 it is."]);
  const steer = await write("Use node 22", { steers: true });
  expect(steer.runId).toBe(runId);
  expect(await stopRun(database(), runId, "u1")).toEqual({ cancelled: 1, held: 1 });
  await ended(runId);
  expect(await waiting()).toEqual({ queue: [], held: ["Use node 22"] });
  await releaseHeld(database(), OWN);
  const sent = await database().run.findFirstOrThrow({ orderBy: { position: "desc" } });
  await eventsToEnd(database(), sent.id);
  expect(await history()).toEqual(["user: go", "user: Use node 22", "assistant: Node 22 it is."]);
});

test("what no person wrote is not held: behind a stopped run it begins, a stop of the thread ends it", async () => {
  const { runId } = await busyThread(["From the schedule."]);
  const api = await say(database(), "from /agents", { origin: "api" });
  await write("mine");
  expect(await stopRun(database(), runId, "u1")).toEqual({ cancelled: 1, held: 1 });
  await eventsToEnd(database(), api.runId);
  expect(await statusOf(api.runId)).toBe("completed");
  expect(await waiting()).toEqual({ queue: [], held: ["mine"] });
});

test("a stop of the whole thread ends a firing that waits, and holds the message between", async () => {
  const { runId } = await busyThread();
  await write("mine");
  const firing = await say(database(), "beat", { origin: "schedule", trigger: { details: { triggerId: "t" } } });
  expect(await stopRuns(database(), { threadId: "th1" }, "u1")).toEqual({ cancelled: 2, held: 1 });
  await ended(runId);
  expect(await statusOf(firing.runId)).toBe("cancelled");
  // The same again finds nothing, and what is held stays.
  expect(await stopRuns(database(), { threadId: "th1" }, "u1")).toEqual({ cancelled: 0 });
  expect(await stopRun(database(), runId, "u1")).toEqual({ cancelled: 0 });
  expect(await waiting()).toEqual({ queue: [], held: ["mine"] });
});

test("held messages are claimed neither by a later host nor by a second one, also when another run ends", async () => {
  const { runId, host } = await busyThread();
  const one = await write("one");
  await stopRun(database(), runId, "u1");
  await ended(runId);
  await host.stop();
  await startHost({ model: scriptedModel(["To two.", "To one."]) });
  await startHost({ model: scriptedModel(["To two.", "To one."]) });
  const two = await write("two");
  await eventsToEnd(database(), two.runId);
  expect(await statusOf(one.runId)).toBe("queued");
  await releaseHeld(database(), { ...OWN, only: [one.runId] });
  await eventsToEnd(database(), one.runId);
  expect(await statusOf(one.runId)).toBe("completed");
});

test("each person sends and drops only their own; a held message can be edited, but not moved", async () => {
  const { runId } = await busyThread();
  await database().user.create({ data: { id: "u2", email: "u2@example.com", name: "U2" } });
  const mine = await write("mine");
  const theirs = await write("theirs", { ownerId: "u2" });
  await stopRun(database(), runId, "u1");
  await ended(runId);
  expect(await releaseHeld(database(), { ...OWN, only: [theirs.runId] })).toBe(0);
  await expect(removeQueued(database(), OWN, theirs.runId)).rejects.toMatchObject({ code: "forbidden" });
  await expect(changeQueued(database(), OWN, mine.runId, { position: 1 })).rejects.toMatchObject({ code: "conflict" });
  await expect(changeQueued(database(), OWN, mine.runId, { mode: "steer" })).rejects.toMatchObject({
    code: "conflict",
  });
  await changeQueued(database(), OWN, mine.messageId, { content: "mine, edited" });
  expect(await waiting()).toEqual({ queue: [], held: ["mine, edited", "theirs"] });
  await removeQueued(database(), OWN, mine.runId);
  expect(await waiting()).toEqual({ queue: [], held: ["theirs"] });
  expect(await releaseHeld(database(), OWN)).toBe(0);
  expect(await leaf()).toBe(runId);
});

test("a held edit keeps its place in the tree, and the thread shows the stopped branch until it is sent", async () => {
  await seedThread(database());
  const model = scriptedModel(["First.", SILENT, "Edited."]);
  await startHost({ model });
  const first = await write("hello");
  await eventsToEnd(database(), first.runId);
  const second = await write("go on");
  await reached(() => model.requests.length === 2);
  const edit = await write("hello, edited", { branch: { afterRunId: null } });
  await stopRun(database(), second.runId, "u1");
  await ended(second.runId);
  expect(await leaf()).toBe(second.runId);
  await releaseHeld(database(), OWN);
  await eventsToEnd(database(), edit.runId);
  expect(await leaf()).toBe(edit.runId);
  expect(await database().run.findUniqueOrThrow({ where: { id: edit.runId } })).toMatchObject({
    afterRunId: null,
    status: "completed",
  });
});

test.each(["reject", "interrupt"] as const)("on_busy: %s looks past held messages", async (onBusy) => {
  const { runId } = await busyThread(["To two."], { threads: { on_busy: onBusy } });
  const held = await say(database(), "one", { fromPerson: true, isHeld: true, trigger: { details: {} } });
  await stopRun(database(), runId, "u1");
  await ended(runId);
  const two = await write("two");
  await eventsToEnd(database(), two.runId);
  expect(await statusOf(two.runId)).toBe("completed");
  expect(await statusOf(held.runId)).toBe("queued");
  expect(await waiting()).toEqual({ queue: [], held: ["one"] });
});
