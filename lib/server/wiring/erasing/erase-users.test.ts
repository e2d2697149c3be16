import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as auditRoute } from "@/app/api/audit/route";
import { GET as verify } from "@/app/api/audit/verify/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { POST as openRoute } from "@/app/api/threads/route";
import { POST as erase } from "@/app/api/users/[userId]/erase/route";
import { PATCH as changeRoute } from "@/app/api/users/[userId]/route";
import { linkEntries } from "@/lib/server/audit/audit-chain";
import { createStateFileStore } from "@/lib/server/files/state-file-store";
import { boardFolder, requireWorkspace } from "@/lib/server/files/workspace-row";
import { flushSpans } from "@/lib/server/traces/recorder";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { eraseUsers } from "./erase-users";

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer(({ messages = [] }) => {
    const asked = String(messages.findLast(({ role }) => role === "user")?.content);
    return asked.includes("Wait") ? new Promise<never>(() => undefined) : { text: "Good to know." };
  });
});
afterEach(() => server.close());

const params = { userId: "member" };
const ask = async (body: object, userId = "member") => server.call(erase, { as: "admin", params: { userId }, body });
const work = () =>
  eraseUsers(server.database, {
    pace: { rest: async () => true },
    dataDirectory: server.dataDirectory,
    isOver: () => false,
  });

/** Leaves a run, a file stored as a row, a file on disk, and an audit log entry with the person's name. */
async function leaveTraces(): Promise<{ folder: string }> {
  const { id: threadId } = await (await server.call(openRoute, { as: "member", body: { agentId: "coder" } })).json();
  const sent = { as: "member", params: { threadId }, body: { content: "My cat is called Ada." } } as const;
  const { runId } = await (await server.call(sendRoute, sent)).json();
  const find = () => server.database.run.findUniqueOrThrow({ where: { id: runId } });
  await expect.poll(async () => (await find()).endedAt, { timeout: 10_000 }).not.toBeNull();
  await flushSpans();
  const { traceId, agentVersionId } = await find();
  await server.database.call.create({
    data: {
      ...{ runId, rootRunId: runId, traceId, threadId, ownerId: "member", agentId: "coder", agentVersionId },
      ...{ agentVersion: 1, toolCallId: "c", step: 1, spanId: "s", tool: "t", kind: "other", gist: "My cat" },
      ...{ argsHash: "h", annotations: "{}", aliases: "[]", status: "completed", startedAt: new Date() },
    },
  });
  const owner = { agentId: "coder", ownerId: "member", threadId: null };
  const { id, folder } = await requireWorkspace(server.database, "user", owner);
  await createStateFileStore(server.database, id).write("USER.md", new TextEncoder().encode("Likes tea."));
  const onDisk = path.join(server.dataDirectory, "workspaces", folder);
  mkdirSync(onDisk, { recursive: true });
  writeFileSync(path.join(onDisk, "USER.md"), "Likes tea.");
  await server.call(changeRoute, { as: "admin", method: "PATCH", params, body: { name: "Grace Hopper" } });
  return { folder: onDisk };
}

async function rowsOf(ownerId: string) {
  const { thread, run, trace, workspace, memoryVersion, call } = server.database;
  const where = { ownerId };
  const counts = [thread, run, trace, workspace, memoryVersion, call].map((table) =>
    (table as typeof thread).count({ where }),
  );
  return Promise.all(counts);
}

test("the first step says what would go and changes nothing", async () => {
  await leaveTraces();
  const reply = await ask({});
  expect(await reply.json()).toEqual({
    state: "asked",
    confirm: "member@example.test",
    threads: 1,
    runs: 1,
    workspaces: 1,
    apiKeys: 1,
  });
  const refused = await ask({ confirm: "another@example.test" });
  expect(refused.status).toBe(400);
  expect((await refused.json()).error.details).toEqual([
    { path: "confirm", message: "must be the email address of the user" },
  ]);
  expect(await rowsOf("member")).toEqual([1, 1, 1, 1, 0, 1]);
  expect(await server.database.runStep.count()).toBe(2);
  expect(await server.database.user.findUnique({ where: { id: "member" } })).toMatchObject({ erasedAt: null });
});

test("the second step ends access at once, and then everything of the person goes", async () => {
  const { folder } = await leaveTraces();
  const note = { id: "not_1", userId: "member", kind: "board", title: "Board finished", detail: "2 of 2 cards" };
  await server.database.inboxNote.create({
    data: { ...note, source: "board", path: "/automations/boards/brd_1", createdAt: new Date() },
  });
  expect(await (await ask({ confirm: "Member@example.test" })).json()).toMatchObject({ state: "running" });
  expect((await server.call(openRoute, { as: "member", body: { agentId: "coder" } })).status).toBe(401);
  await work();
  expect(await rowsOf("member")).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await server.database.runStep.count()).toBe(0);
  expect(await server.database.inboxNote.count()).toBe(0);
  expect(existsSync(folder)).toBe(false);
  expect(await (await ask({})).json()).toMatchObject({ state: "erased", confirm: null, threads: 0 });
  const user = await server.database.user.findUniqueOrThrow({ where: { id: "member" } });
  expect([user.name, user.email]).toEqual(["Erased user", "member@erased.invalid"]);
  const everything = JSON.stringify(await server.database.auditEntry.findMany());
  expect(everything).not.toMatch(/Grace Hopper|The member|member@example/);
});

test("what the audit log still says of an erased person holds in the chain, and a change of it is found", async () => {
  await leaveTraces();
  await ask({ confirm: "member@example.test" });
  await work();
  await linkEntries(server.database);
  const check = async () => (await server.call(verify, { as: "admin" })).json();
  expect(await check()).toMatchObject({ ok: true });
  const { entries } = await (await server.call(auditRoute, { as: "admin" })).json();
  expect(entries.map(({ action, isErased }: { action: string; isErased: boolean }) => [action, isErased])).toEqual(
    expect.arrayContaining([
      ["user.erased", false],
      ["user.changed", true],
    ]),
  );
  await server.database.auditEntry.updateMany({ where: { action: "user.changed" }, data: { actorId: "viewer" } });
  expect(await check()).toMatchObject({ ok: false });
});

test("a run that goes on is stopped and goes with the rest the next time", async () => {
  const { id: threadId } = await (await server.call(openRoute, { as: "member", body: { agentId: "plain" } })).json();
  await server.call(sendRoute, { as: "member", params: { threadId }, body: { content: "Wait." } });
  await ask({ confirm: "member@example.test" });
  await expect
    .poll(() => work().then(() => server.database.thread.count({ where: { ownerId: "member" } })), { timeout: 10_000 })
    .toBe(0);
});

test("neither the last administrator nor the caller can be erased, and an erased user does not come back", async () => {
  expect((await ask({}, "admin")).status).toBe(409);
  expect((await ask({}, "nobody")).status).toBe(404);
  await ask({ confirm: "member@example.test" });
  const back = { as: "admin", method: "PATCH", params, body: { deactivated: false } } as const;
  expect((await server.call(changeRoute, back)).status).toBe(409);
});

test("thumbs, notes, saved prompts, views and alerts of the person go at once", async () => {
  await leaveTraces();
  const trace = await server.database.trace.findFirstOrThrow({ where: { ownerId: "member" } });
  const { id: traceId, runId, threadId } = trace;
  const where = { traceId, threadId, runId, spanId: `sp_${runId}`, name: "thumb", value: -1, why: "My cat is wrong" };
  await server.database.score.create({ data: { id: "sco_1", authorId: "member", ...where } });
  await server.database.trace.create({ data: { ...trace, id: "tr_other", runId: "run_other", ownerId: "admin" } });
  const note = { traceId: "tr_other", text: "My cat is right" };
  await server.database.note.create({ data: { id: "note_1", authorId: "member", ...note } });
  await server.database.note.create({ data: { id: "note_2", authorId: "admin", ...note } });
  await server.database.savedPrompt.create({ data: { id: "prm_1", ownerId: "member", name: "cat", text: "My cat" } });
  await server.database.savedPrompt.create({ data: { id: "prm_2", ownerId: null, name: "shared", text: "Ours" } });
  const view = { name: "Cats", query: "q=cat" };
  await server.database.traceView.create({ data: { id: "view_1", ownerId: "member", ...view } });
  await server.database.traceView.create({ data: { id: "view_2", ownerId: "admin", ...view } });
  const alert = { ...view, metric: "error_rate", threshold: 1, windowMinutes: 60, targets: "[]", armedAt: new Date() };
  await server.database.alert.create({ data: { id: "alert_1", ownerId: "member", ...alert } });
  await server.database.alert.create({ data: { id: "alert_2", ownerId: "admin", ...alert } });
  expect((await ask({ confirm: "member@example.test" })).status).toBe(200);
  expect(await server.database.alert.findMany({ select: { id: true } })).toEqual([{ id: "alert_2" }]);
  expect(await server.database.traceView.findMany({ select: { id: true } })).toEqual([{ id: "view_2" }]);
  expect(await server.database.score.count()).toBe(0);
  expect(await server.database.note.findMany({ select: { id: true } })).toEqual([{ id: "note_2" }]);
  expect(await server.database.savedPrompt.findMany({ select: { name: true } })).toEqual([{ name: "shared" }]);
});

test("what the person wrote in another member's thread goes, and the reply stays", async () => {
  const members = {
    create: [
      { userId: "admin", role: "owner" },
      { userId: "member", role: "write" },
    ],
  };
  await server.database.project.create({ data: { id: "prj_1", name: "Cats", createdById: "admin", members } });
  const opened = await server.call(openRoute, { as: "admin", body: { agentId: "plain", projectId: "prj_1" } });
  const { id: threadId } = await opened.json();
  const say = async (as: "admin" | "member", content: string) => {
    const sent = await server.call(sendRoute, { as, params: { threadId }, body: { content } });
    const { runId } = await sent.json();
    const find = () => server.database.run.findUniqueOrThrow({ where: { id: runId } });
    await expect.poll(async () => (await find()).endedAt, { timeout: 10_000 }).not.toBeNull();
  };
  await say("admin", "Which cats are there?");
  await say("member", "Mine is called Ada.");
  const share = { id: "shr_1", threadId, tokenHash: "h", content: "Mine is called Ada.", messages: 4, include: "[]" };
  await server.database.share.create({ data: share });
  await flushSpans();
  await ask({ confirm: "member@example.test" });
  await work();
  const { run, message, transcriptMessage, runEvent, span, shares } = {
    ...server.database,
    shares: server.database.share,
  };
  const where = { threadId };
  const rows = [
    await run.findMany({ where }),
    await message.findMany({ where }),
    await transcriptMessage.findMany({ where }),
    await runEvent.findMany(),
    await span.findMany(),
    await shares.findMany(),
  ];
  expect(JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value))).not.toContain("Ada");
  const texts = (await transcriptMessage.findMany({ where, orderBy: { position: "asc" } })).map(({ text }) => text);
  expect(texts).toEqual([
    "Which cats are there?",
    "Good to know.",
    "This message was erased with the account of its author.",
    "Good to know.",
  ]);
});

test("boards of the person go with their cards and their shared folder, also by two processes at once", async () => {
  const board = { id: "brd_1", ownerId: "member", name: "Release notes", members: "[]", workspace: "shared" };
  await server.database.board.create({
    data: { ...board, cards: { create: { id: "crd_1", number: 1, title: "Read what changed" } } },
  });
  await server.database.board.create({ data: { ...board, id: "brd_2", ownerId: "admin" } });
  const folder = path.join(server.dataDirectory, "workspaces", boardFolder("brd_1"));
  mkdirSync(folder, { recursive: true });
  await ask({ confirm: "member@example.test" });
  await Promise.all([work(), work()]);
  expect(existsSync(folder)).toBe(false);
  expect(await server.database.boardCard.count()).toBe(0);
  expect(await server.database.board.findMany({ select: { id: true } })).toEqual([{ id: "brd_2" }]);
});
