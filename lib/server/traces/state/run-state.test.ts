import { afterEach, beforeAll, expect, test } from "vitest";
import { GET as getFile } from "@/app/api/runs/[runId]/state/file/route";
import { GET as getState } from "@/app/api/runs/[runId]/state/route";
import { PUT as putFile } from "@/app/api/threads/[threadId]/files/route";
import type { RunState } from "@/lib/schema/traces/run-state";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { deleteVersionsBefore } from "@/lib/server/platform/db/queries/retention/old-versions";
import { deleteUnusedBlobs } from "@/lib/server/platform/db/queries/retention/purge";
import { setMasks } from "@/lib/server/platform/masking";
import { flushSpans } from "@/lib/server/traces/recorder";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });
const plan = (status: string) => ({ name: "write_todos", args: { todos: [{ id: "1", title: "Call 12345", status }] } });

const { server, newThread, say } = approvalServer({
  Work: [
    { calls: [write("a.txt", "one"), plan("in_progress")] },
    { calls: [write("a.txt", "two 12345"), write("AGENTS.md", "Tea.\n")] },
    { calls: [plan("done")] },
    { text: "done" },
  ],
  "Say it": [{ text: "done" }],
  Delegate: [
    { calls: [{ name: "task", args: { agent: "helper", description: "d", prompt: "Help" } }] },
    { text: "ok" },
  ],
  Help: [{ calls: [write("child.txt", "of the child")] }, { text: "helped" }],
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, tools: ["write_todos"], system_prompt: "You write." };
  const files = { backend: { type: "state", scope: "thread" }, memory: { paths: ["AGENTS.md"] } };
  const helper = { name: "helper", description: "Helps.", prompt: "You help." };
  const worker = { ...base, ...files, name: "Worker", subagents: [helper] };
  await createAgent(server().services, { agentId: "worker", raw: worker, createdById: null });
  const local = { ...base, name: "Local", backend: { type: "local" } };
  await createAgent(server().services, { agentId: "local", raw: local, createdById: null });
  await createAgent(server().services, { agentId: "talker", raw: { ...base, name: "Talker" }, createdById: null });
});
afterEach(() => setMasks([]));

/** A finished run whose events are gone. */
async function runOf(words: string, { agent = "worker", thread = newThread() } = {}): Promise<string> {
  const { run_id: runId } = await say(words, thread, agent);
  await flushSpans();
  await server().database.runEvent.deleteMany();
  return runId;
}

const ask = (runId: string, step: number, as: Role = "member") =>
  server().call(getState, { as, params: { runId }, path: `/api/runs/${runId}/state?step=${step}` });
const state = async (runId: string, step: number, as: Role = "member"): Promise<RunState> => {
  const reply = await ask(runId, step, as);
  expect(reply.status).toBe(200);
  return reply.json();
};
const file = (runId: string, step: number, path: string, as: Role = "member") =>
  server().call(getFile, { as, params: { runId }, path: `/api/runs/${runId}/state/file?step=${step}&path=${path}` });
const textOf = async (...of: Parameters<typeof file>) => (await file(...of)).text();
const pathsOf = ({ files }: RunState) => files?.map(({ path, changedAtStep }) => [path, changedAtStep]);

test("each step has the files, plan and memory that it began with; the last one is the end of the run", async () => {
  const runId = await runOf("Work");
  const first = await state(runId, 1);
  expect(first).toMatchObject({
    runId,
    step: 1,
    steps: 4,
    todos: [],
    files: [],
    memory: [],
    summary: null,
    grants: [],
  });
  expect(first.toolNames).toEqual(expect.arrayContaining(["write_file", "write_todos"]));
  expect(first.promptHash).toMatch(/^[0-9a-f]{64}$/);
  const second = await state(runId, 2);
  expect(second.todos).toMatchObject([{ status: "in_progress" }]);
  expect(pathsOf(second)).toEqual([["a.txt", 1]]);
  const third = await state(runId, 3);
  expect(pathsOf(third)).toEqual([
    ["AGENTS.md", 2],
    ["a.txt", 2],
  ]);
  expect(third.memory).toEqual([{ path: "AGENTS.md", version: 1 }]);
  const end = await state(runId, 5);
  expect(end.todos).toMatchObject([{ status: "done" }]);
  expect(end.files).toEqual(third.files);
  expect(end.missing).toEqual([{ part: "rules", reason: "only for those who may read the agent's prompt" }]);
});

test("a file has the bytes of its step, whatever anybody wrote later", async () => {
  const thread = newThread();
  const runId = await runOf("Work", { thread });
  const { threadId } = await server().database.run.findUniqueOrThrow({ where: { id: runId } });
  const body = { path: "a.txt", content: "of a person" };
  expect((await server().call(putFile, { as: "member", method: "PUT", params: { threadId }, body })).status).toBe(200);
  expect(await textOf(runId, 2, "a.txt")).toBe("one");
  expect(await textOf(runId, 5, "a.txt")).toBe("two 12345");
  expect((await file(runId, 1, "a.txt")).status).toBe(404);
  const later = await runOf("Work", { thread });
  expect(pathsOf(await state(later, 1))).toEqual([
    ["AGENTS.md", null],
    ["a.txt", null],
  ]);
  expect(await textOf(later, 1, "a.txt")).toBe("of a person");
  expect(await textOf(runId, 5, "a.txt")).toBe("two 12345");
});

test("what was cleaned up is said, and never shown as empty or absent", async () => {
  const runId = await runOf("Work");
  const { database } = server();
  const { workspaceId } = await database.fileVersion.findFirstOrThrow({ where: { runId } });
  await database.fileVersion.updateMany({ where: { workspaceId, version: 1 }, data: { createdAt: new Date(0) } });
  await deleteVersionsBefore(database, new Date(1), { rest: async () => true });
  expect((await state(runId, 2)).files).toEqual([
    { path: "a.txt", sha256: null, sizeBytes: null, changedAtStep: null, isKept: false },
  ]);
  const gone = await file(runId, 2, "a.txt");
  expect([gone.status, (await gone.json()).error.message]).toEqual([
    404,
    "What a.txt was at step 2 has been cleaned up.",
  ]);
  const row = await database.fileVersion.findFirstOrThrow({ where: { workspaceId, path: "AGENTS.md" } });
  await database.blob.delete({ where: { hash: row.blobHash ?? "" } });
  expect((await state(runId, 3)).files?.[0]).toMatchObject({ path: "AGENTS.md", sizeBytes: 5, isKept: false });
  await database.workspace.delete({ where: { id: workspaceId } });
  expect(await state(runId, 3)).toMatchObject({
    files: null,
    missing: expect.arrayContaining([{ part: "files", reason: "they have been deleted" }]),
  });
});

test("a run from before steps were recorded says so", async () => {
  const runId = await runOf("Work");
  await server().database.runStep.deleteMany({ where: { runId } });
  const old = await state(runId, 2, "admin");
  expect(old).toMatchObject({ steps: 4, todos: null, files: null, memory: null, promptHash: null, rules: null });
  expect(old.missing.map(({ reason }) => reason)).toEqual(Array(old.missing.length).fill("not recorded then"));
  expect((await state(runId, 5)).todos).toMatchObject([{ status: "done" }]);
});

test("a run without files has none, and only its own steps", async () => {
  const runId = await runOf("Say it", { agent: "talker" });
  expect(await state(runId, 1)).toMatchObject({ steps: 1, files: [], memory: [] });
  expect(await state(runId, 2)).toMatchObject({ step: 2, files: [], memory: [] });
  const refused = await ask(runId, 3);
  expect([refused.status, (await refused.json()).error.message]).toEqual([400, "step: is 1 to 2, the end of the run."]);
  expect((await ask(runId, 0)).status).toBe(400);
});

test("a run that was ended from outside ends with its own last change", async () => {
  const runId = await runOf("Work");
  await server().database.runStep.deleteMany({ where: { runId, step: { gt: 2 } } });
  expect(pathsOf(await state(runId, 5))).toEqual([
    ["AGENTS.md", 2],
    ["a.txt", 2],
  ]);
});

test("what a subagent wrote belongs to the step that started it, and to its own step in its own state", async () => {
  const runId = await runOf("Delegate");
  const child = await server().database.run.findFirstOrThrow({ where: { parentRunId: runId } });
  expect(pathsOf(await state(runId, 1))).toEqual([]);
  expect(pathsOf(await state(runId, 2))).toEqual([["child.txt", 1]]);
  expect(pathsOf(await state(child.id, 1))).toEqual([]);
  expect(pathsOf(await state(child.id, 2))).toEqual([["child.txt", 1]]);
});

test("only its owner and administrators see it, administrators' looks are audited, rules follow the prompt", async () => {
  const runId = await runOf("Work");
  expect((await ask(runId, 1, "viewer")).status).toBe(404);
  expect((await file(runId, 2, "a.txt", "viewer")).status).toBe(404);
  const { database } = server();
  const looks = () => database.auditEntry.count({ where: { action: "trace.viewed", actorId: "admin" } });
  const before = await looks();
  expect(await state(runId, 1, "admin")).toMatchObject({ rules: { mode: "default" }, missing: [] });
  expect(await looks()).toBe(before + 1);
  const { traceId } = await database.run.findUniqueOrThrow({ where: { id: runId } });
  await database.trace.delete({ where: { id: traceId } });
  expect((await ask(runId, 1)).status).toBe(404);
});

test("files of a project that its owner has left are not shown to them", async () => {
  const runId = await runOf("Work");
  const { database } = server();
  const { workspaceId } = await database.fileVersion.findFirstOrThrow({ where: { runId } });
  await database.project.create({ data: { id: "prj_left", name: "Left", createdById: "admin" } });
  await database.workspace.update({ where: { id: workspaceId }, data: { projectId: "prj_left" } });
  const reason = "you are no longer a member of their project";
  expect((await state(runId, 2)).missing).toContainEqual({ part: "files", reason });
  expect((await file(runId, 2, "a.txt")).status).toBe(404);
  await database.projectMember.create({ data: { projectId: "prj_left", userId: "member", role: "read" } });
  expect(await textOf(runId, 2, "a.txt")).toBe("one");
});

test("the folder of a machine has files that are not known", async () => {
  const runId = await runOf("Say it", { agent: "local" });
  expect((await state(runId, 1)).missing).toContainEqual({
    part: "files",
    reason: "files of the folder that were never changed through Ringmaster are not known",
  });
});

test("masking holds in plan, paths and text", async () => {
  const runId = await runOf("Work");
  setMasks([(text) => text.replaceAll("12345", "#").replaceAll("a.txt", "%")]);
  const masked = await state(runId, 3);
  expect(masked.todos).toMatchObject([{ id: "1", title: "Call #", status: "in_progress" }]);
  expect(pathsOf(masked)).toContainEqual(["%", 2]);
  expect(await textOf(runId, 3, "%25")).toBe("two #");
});

test("texts of a step that were swept are missing, and the rest stays", async () => {
  const runId = await runOf("Work");
  const { database } = server();
  await deleteUnusedBlobs(database, new Date(Date.now() + 60_000), { rest: async () => true });
  const swept = await state(runId, 2, "admin");
  expect(swept).toMatchObject({ todos: null, toolNames: null, rules: null, files: [{ path: "a.txt", isKept: true }] });
  expect(swept.missing.map(({ part, reason }) => [part, reason])).toEqual(
    ["todos", "tools", "rules"].map((part) => [part, "its text was cleaned up"]),
  );
});
