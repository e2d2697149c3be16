import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { linkEntries } from "@/lib/server/audit/audit-chain";
import { sweep } from "@/lib/server/engine/sweep";
import { storeBlob } from "@/lib/server/files/blobs";
import { createStateFileStore } from "@/lib/server/files/state-file-store";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import { selectGrants } from "@/lib/server/platform/db/queries/asks";
import { TABLES_WITH_BLOBS } from "@/lib/server/platform/db/queries/retention/purge";
import { upsertSetting } from "@/lib/server/platform/db/queries/settings";
import { parseEnvironment, type Retention } from "@/lib/server/platform/env";
import { createRecorder, SpanBuffer } from "@/lib/server/traces/recorder";
import { addThread, eventsToEnd, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { runHousekeeping } from "./housekeeping";

const { database, startHost } = runDatabase();
const DAY_MS = 86_400_000;
const DEFAULTS = parseEnvironment({}, "/").retention;
const pace = { rest: async () => true };

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(path.join(tmpdir(), "ringmaster-house-"));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

const after = (days: number, retention: Partial<Retention> = {}) =>
  runHousekeeping(database(), {
    retention: { ...DEFAULTS, ...retention },
    nowMs: Date.now() + days * DAY_MS,
    pace,
    dataDirectory,
  });

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Creates a thread with a message, a trace of one span and its own file. */
async function talkIn(threadId: string) {
  const { runId } = await say(database(), "hello", { threadId });
  await eventsToEnd(database(), runId);
  const { traceId } = await database().run.findUniqueOrThrow({ where: { id: runId } });
  await addTrace(traceId, { runId, threadId });
  const { id, folder } = await requireWorkspace(database(), "thread", { agentId: "agent", ownerId: "u1", threadId });
  const bytes = new TextEncoder().encode(`a file of ${threadId}`);
  await createStateFileStore(database(), id).write("notes.md", bytes);
  const onDisk = path.join(dataDirectory, "workspaces", folder);
  mkdirSync(onDisk, { recursive: true });
  return { runId, traceId, onDisk };
}

interface Place {
  readonly runId: string;
  readonly threadId?: string;
  readonly startedAt?: Date;
}

async function addTrace(id: string, { runId, threadId = "th1", startedAt = new Date() }: Place) {
  const row = { id, runId, ownerId: "u1", threadId, agentId: "agent", agentVersionId: "v", agentVersion: 1 };
  await database().trace.create({ data: { ...row, status: "completed", startedAt } });
  const buffer = new SpanBuffer(database());
  const owner = { rootRunId: runId, threadId, ownerId: "u1", agentId: "agent", agentVersionId: "v", agentVersion: 1 };
  const recorder = createRecorder(buffer, { traceId: id, runId, rootId: "root", owner });
  recorder.recordEvent("e", {});
  recorder.endSteps(0);
  await database().call.create({
    data: {
      ...{ ...owner, runId, traceId: id, toolCallId: "c", step: 1, spanId: "s", tool: "t", kind: "other", gist: "" },
      ...{ argsHash: "h", annotations: "{}", aliases: "[]", status: "completed", startedAt },
    },
  });
  await buffer.flush();
}

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
  const { onDisk } = await talkIn("th1");
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
  const { onDisk } = await talkIn("th1");
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

test("audit entries go after a year", async () => {
  const entry = { actorId: "u", action: "a", target: "t", details: "{}" };
  await database().auditEntry.create({ data: { ...entry, id: "old", createdAt: daysAgo(366) } });
  await database().auditEntry.create({ data: { ...entry, id: "new", createdAt: daysAgo(364) } });
  await linkEntries(database());
  await after(0, { audit: null });
  expect(await database().auditEntry.count()).toBe(2);
  await after(0);
  expect((await database().auditEntry.findMany()).map(({ id }) => id)).toEqual(["new"]);
});

/** Pretends that blobs have long recorded when they were stored. */
const recordForLong = () => upsertSetting(database(), "blobs-recorded-since", "0");

async function storeText(text: string, storedAt: Date): Promise<string> {
  const hash = await storeBlob(database(), new TextEncoder().encode(text));
  await database().blob.update({ where: { hash }, data: { createdAt: storedAt } });
  return hash;
}

const hasBlob = async (hash: string) => (await database().blob.count({ where: { hash } })) === 1;

test("an agent's own time for its traces goes before that of all, shorter or longer", async () => {
  await seedThread(database());
  for (const agentId of ["agent", "short", "ever"]) {
    await addTrace(`old-${agentId}`, { runId: `gone-${agentId}`, startedAt: daysAgo(20) });
    await database().trace.update({ where: { id: `old-${agentId}` }, data: { agentId } });
  }
  const left = async () => (await database().trace.findMany({ orderBy: { id: "asc" } })).map(({ agentId }) => agentId);
  const keep = (traces: number | null, agentTracesMs: Record<string, number | null>) =>
    runHousekeeping(database(), {
      retention: { ...DEFAULTS, traces },
      agentTracesMs,
      nowMs: Date.now(),
      pace,
      dataDirectory,
    });
  await keep(null, { short: 10 * DAY_MS });
  expect(await left()).toEqual(["agent", "ever"]);
  await keep(10 * DAY_MS, { ever: null });
  expect(await left()).toEqual(["ever"]);
});

test("contents go that no file names and that were stored before every trace", async () => {
  await seedThread(database());
  await recordForLong();
  await addTrace("tr_oldest", { runId: "run_1", startedAt: daysAgo(10) });
  const { id } = await requireWorkspace(database(), "user", { agentId: "agent", ownerId: "u1", threadId: "th1" });
  await createStateFileStore(database(), id).write("notes.md", new TextEncoder().encode("named"));
  const named = await storeText("named", daysAgo(50));
  const unnamed = await storeText("unnamed", daysAgo(50));
  const inTrace = await storeText("a trace may name it", daysAgo(10));
  await after(0);
  expect([await hasBlob(named), await hasBlob(unnamed), await hasBlob(inTrace)]).toEqual([true, false, true]);
});

test("a text that traces still use counts as stored now", async () => {
  await recordForLong();
  const hash = await storeText("the system prompt", daysAgo(50));
  await addTrace("tr_new", { runId: "run_1" });
  const buffer = new SpanBuffer(database());
  buffer.texts.keep("the system prompt");
  await buffer.texts.store(database());
  await after(0);
  expect(await hasBlob(hash)).toBe(true);
});

test("contents from before their time was recorded stay as long as traces from then do", async () => {
  const hash = await storeText("from an earlier version", daysAgo(50));
  await addTrace("tr_earlier", { runId: "run_1", startedAt: daysAgo(20) });
  await after(0);
  expect(await hasBlob(hash)).toBe(true);
  await database().trace.deleteMany();
  await after(2);
  expect(await hasBlob(hash)).toBe(false);
});

test("every table that names blobs is asked before one goes", () => {
  const models = readFileSync("prisma/sqlite/schema.prisma", "utf8").split(/^model /m);
  const naming = models
    .filter((model) => /^ +blobHash /m.test(model))
    .map((model) => /@@map\("(\w+)"\)/.exec(model)?.[1]);
  expect(naming.toSorted()).toEqual([...TABLES_WITH_BLOBS].toSorted());
});

test("overwritten drafts are kept for 30 days, and the last one for ever", async () => {
  await seedThread(database());
  const draft = (revision: number) => ({ agentId: "agent", revision, yaml: "name: A\n", baseVersion: 1 });
  const rows = [1, 2, 3].map((revision) => ({ ...draft(revision), endedAt: new Date() }));
  await database().agentDraft.createMany({ data: rows });
  await after(29);
  expect(await database().agentDraft.count()).toBe(3);
  await after(31);
  expect((await database().agentDraft.findMany()).map(({ revision }) => revision)).toEqual([3]);
});

test("a test thread that nobody used for 30 days is deleted as a person would", async () => {
  await seedThread(database());
  await database().thread.updateMany({ data: { ephemeral: true, isTest: true, updatedAt: new Date() } });
  const isDeleted = async () => (await database().thread.findFirstOrThrow()).deletedAt !== null;
  await sweep(database(), Date.now() + 29 * DAY_MS, { keepEventsMs: null, pace });
  await after(29);
  expect(await isDeleted()).toBe(false);
  await after(31);
  expect(await isDeleted()).toBe(true);
});

test("what was behind a share's link is deleted once the link has expired", async () => {
  await seedThread(database());
  const add = async (threadId: string, expiresAt: Date | null) => {
    await addThread(database(), threadId);
    const content = { content: "{}", messages: 0, include: "[]" };
    await database().share.create({ data: { id: threadId, threadId, tokenHash: threadId, ...content, expiresAt } });
  };
  await add("th_expired", daysAgo(1));
  await add("th_later", daysAgo(-2));
  await add("th_never", null);
  await after(0);
  const left = await database().share.findMany({ orderBy: { id: "asc" }, select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual(["th_later", "th_never"]);
});

test("a note of the inbox goes 90 days after its person was done with it, and stays until then", async () => {
  await seedThread(database());
  const note = {
    userId: "u1",
    kind: "board",
    title: "Board finished",
    detail: "",
    source: "board Docs",
    path: "/automations/boards/b1",
  };
  await database().inboxNote.createMany({
    data: [
      { ...note, id: "done", createdAt: daysAgo(200), doneAt: new Date() },
      { ...note, id: "open", createdAt: daysAgo(200) },
    ],
  });
  const kept = async () =>
    (await database().inboxNote.findMany({ select: { id: true }, orderBy: { id: "asc" } })).map(({ id }) => id);
  await after(89);
  expect(await kept()).toEqual(["done", "open"]);
  await after(91);
  expect(await kept()).toEqual(["open"]);
});

test("what was sent to chats, and codes that were shown, go after 90 days; a question with its buttons stays", async () => {
  const channel = { id: "ch_1", kind: "telegram", name: "Lab", agentId: "agent", credentials: "", receives: "" };
  await database().channel.create({ data: { ...channel, createdById: "u1" } });
  const place = { channelId: "ch_1", externalChat: "7", userId: "u1", threadId: "th1", runId: "run_1" };
  const sent = { ...place, deliveryId: "dlv_1", createdAt: new Date() };
  await database().channelMessage.createMany({
    data: [
      { ...sent, id: "told", messageId: "1", part: 0 },
      { ...sent, id: "asked", messageId: "2", part: 1, isOpen: true },
    ],
  });
  const kept = async () =>
    (await database().channelMessage.findMany({ select: { id: true }, orderBy: { id: "asc" } })).map(({ id }) => id);
  await after(89);
  expect(await kept()).toEqual(["asked", "told"]);
  await after(91);
  expect(await kept()).toEqual(["asked"]);
});

test("a firing that is claimed stays however old it is: its run may still start", async () => {
  await addSchedule(database(), {}, { nextDueAt: new Date() });
  const firing = { triggerId: "trg1", dueAt: daysAgo(200), createdAt: daysAgo(200) };
  for (const state of ["claimed", "started", "skipped"]) {
    await database().firing.create({ data: { id: `fir_${state}`, key: state, state, ...firing } });
  }
  await after(0);
  expect((await database().firing.findMany()).map(({ state }) => state)).toEqual(["claimed"]);
});

test("what has expired goes within the hour: sessions, verifications and shares", async () => {
  await seedThread(database());
  const db = database();
  for (const [name, expiresAt] of [
    ["over", daysAgo(0.01)],
    ["open", daysAgo(-10)],
  ] as const) {
    await db.session.create({ data: { id: name, token: name, userId: "u1", expiresAt } });
    await db.verification.create({ data: { id: name, identifier: name, value: "v", expiresAt } });
  }
  await after(0);
  expect((await db.session.findMany()).map(({ id }) => id)).toEqual(["open"]);
  expect((await db.verification.findMany()).map(({ id }) => id)).toEqual(["open"]);
});

test("a permission that has expired or was revoked is kept for 90 days, and the usage of purged runs for 400", async () => {
  await seedThread(database());
  const db = database();
  const addGrant = (id: string, expiresAt: Date, revokedAt: Date | null = null) => {
    const facts = { threadId: "th1", ownerId: "u1", tool: "execute", args: "{}", argsHash: id, createdBy: "u1" };
    return db.grant.create({ data: { id, ...facts, expiresAt, revokedAt } });
  };
  await addGrant("expired", daysAgo(91));
  await addGrant("expired lately", daysAgo(89));
  await addGrant("revoked", daysAgo(-10), daysAgo(91));
  await addGrant("revoked lately", daysAgo(-10), daysAgo(89));
  await addGrant("open", daysAgo(-10));
  const usage = { inputTokens: 1, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  for (const days of [399, 401]) {
    const facts = { ownerId: "u1", agentId: "agent", versionNumber: 1, status: "completed", waitedMs: 0 };
    await db.purgedRun.create({
      data: { id: `${days}`, ...facts, ...usage, isUsagePartial: false, createdAt: daysAgo(days) },
    });
  }
  await after(0);
  const grants = await db.grant.findMany({ orderBy: { id: "asc" } });
  expect(grants.map(({ id }) => id)).toEqual(["expired lately", "open", "revoked lately"]);
  expect((await db.purgedRun.findMany()).map(({ id }) => id)).toEqual(["399"]);
  expect((await selectGrants(db, "th1", "u1")).map(({ id }) => id)).toEqual(["open"]);
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

test("of old versions of a file the last one stays, whatever its age", async () => {
  await seedThread(database());
  const { id: workspaceId } = await requireWorkspace(database(), "thread", {
    agentId: "agent",
    ownerId: "u1",
    threadId: "th1",
  });
  const facts = { workspaceId, sizeBytes: 1, blobHash: "h" };
  const memory = { workspaceId, agentId: "agent", kind: "memory", author: "person", blobHash: "h" };
  for (const [path, ages] of [
    ["old.md", [90, 80, 70]],
    ["mixed.md", [90, 10, 1]],
  ] as const) {
    for (const [index, age] of ages.entries()) {
      const version = { path, version: index + 1, createdAt: daysAgo(age) };
      await database().fileVersion.create({ data: { id: `${path}${index}`, ...facts, ...version } });
      await database().memoryVersion.create({ data: { id: `${path}${index}`, ...memory, ...version } });
    }
  }
  await after(0);
  expect(await database().fileVersion.count()).toBe(6);
  await after(0, { fileVersions: 30 * DAY_MS });
  const kept = ["mixed.md 2", "mixed.md 3", "old.md 3"];
  const orderBy = [{ path: "asc" as const }, { version: "asc" as const }];
  const nameOf = ({ path, version }: { path: string; version: number }) => `${path} ${version}`;
  expect((await database().fileVersion.findMany({ orderBy })).map(nameOf)).toEqual(kept);
  expect((await database().memoryVersion.findMany({ orderBy })).map(nameOf)).toEqual(kept);
});
