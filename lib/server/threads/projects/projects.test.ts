import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { GET as versions } from "@/app/api/projects/[projectId]/instructions/route";
import { DELETE as removeMember } from "@/app/api/projects/[projectId]/members/[userId]/route";
import { POST as setMember } from "@/app/api/projects/[projectId]/members/route";
import { POST as restore } from "@/app/api/projects/[projectId]/restore/route";
import { PATCH as change, GET as getOne, DELETE as remove } from "@/app/api/projects/[projectId]/route";
import { POST as create, GET as list } from "@/app/api/projects/route";
import { GET as transcript } from "@/app/api/runs/[runId]/transcript/route";
import { GET as context } from "@/app/api/threads/[threadId]/context/route";
import { GET as readFile } from "@/app/api/threads/[threadId]/files/content/route";
import { GET as listFiles, PUT as writeFile } from "@/app/api/threads/[threadId]/files/route";
import { GET as messages, POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { PATCH as changeThread, GET as getThread } from "@/app/api/threads/[threadId]/route";
import { POST as createThread, GET as listThreads } from "@/app/api/threads/route";
import { GET as getTrace } from "@/app/api/traces/[traceId]/route";
import type { Project } from "@/lib/schema/projects/project";
import type { ThreadDetail, ThreadListItem } from "@/lib/schema/threads/thread";
import type { Role } from "@/lib/schema/users/user";
import { publishChange } from "@/lib/server/agents/publish-version";
import { onFeedEvent } from "@/lib/server/engine/log/signals";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
const asked: unknown[] = [];
beforeAll(async () => {
  server = await startRunServer((request) => {
    asked.push(request);
    return { text: "Noted." };
  });
});
afterAll(() => server.close());

let project: Project;
beforeEach(async () => {
  asked.length = 0;
  project = await post(create, "member", {}, { name: "Billing", instructions: "Amounts are integers in cents." });
});

type AnyRoute = Parameters<RunServer["call"]>[0];
type Params = Record<string, string>;

async function reply(route: AnyRoute, as: Role, method: string, params: Params, body?: unknown, path?: string) {
  return server.call(route, { as, method, params, ...(body === undefined ? {} : { body }), ...(path ? { path } : {}) });
}
async function post<Result>(route: AnyRoute, as: Role, params: Params, body: unknown): Promise<Result> {
  const response = await reply(route, as, "POST", params, body);
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return response.json();
}
const projectId = () => ({ projectId: project.id });
const add = (userId: Role, role: string) => post(setMember, "member", projectId(), { userId, role });
const start = async (as: Role = "member", more: object = {}) =>
  (await post<{ id: string }>(createThread, as, {}, { agentId: "coder", projectId: project.id, ...more })).id;
const get = async <Result>(route: AnyRoute, as: Role, params: Params, path = "/") =>
  (await (await reply(route, as, "GET", params, undefined, path)).json()) as Result;
const status = async (route: AnyRoute, as: Role, params: Params, path = "/") =>
  (await reply(route, as, "GET", params, undefined, path)).status;

async function say(threadId: string, as: Role = "member", content = "Do it.") {
  const sent = await post<{ runId: string }>(send, as, { threadId }, { content });
  await expect
    .poll(async () => (await server.database.run.findUniqueOrThrow({ where: { id: sent.runId } })).status)
    .toBe("completed");
  return sent.runId;
}

test("members read a project's threads, transcripts and files, and nobody else does", async () => {
  const threadId = await start();
  const runId = await say(threadId);
  expect(await status(getThread, "viewer", { threadId })).toBe(404);
  expect(await status(transcript, "viewer", { runId })).toBe(404);
  await add("viewer", "read");
  const shown = await get<ThreadDetail>(getThread, "viewer", { threadId });
  expect(shown.messages).toHaveLength(2);
  expect(shown.project).toMatchObject({ name: "Billing", role: "read", startedBy: { id: "member" }, files: "project" });
  expect(await status(transcript, "viewer", { runId })).toBe(200);
  expect(await status(listFiles, "viewer", { threadId })).toBe(200);
  expect(await status(messages, "viewer", { threadId })).toBe(200);
  const { traceId } = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  expect(await status(getTrace, "viewer", { traceId }), "traces stay the starter's").toBe(404);
});

test("a reader is refused in words, and a writer sends with rights of their own", async () => {
  const threadId = await start();
  await say(threadId);
  await add("admin", "read");
  const refused = await reply(send, "admin", "POST", { threadId }, { content: "Me too." });
  expect(refused.status).toBe(403);
  expect((await refused.json()).error.message).toMatch(/^You can read here\. Ask .+ to write\.$/);
  const upload = await reply(writeFile, "admin", "PUT", { threadId }, { path: "a.txt", content: "a" });
  expect(upload.status).toBe(403);
  await add("admin", "write");
  const runId = await say(threadId, "admin", "Me too.");
  const run = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  expect(run).toMatchObject({ ownerId: "admin", projectId: project.id });
  expect((await get<ThreadDetail>(getThread, "member", { threadId })).messages).toHaveLength(4);
  const renamed = await reply(changeThread, "admin", "PATCH", { threadId }, { title: "Mine" });
  expect(renamed.status, "only its starter renames it").toBe(403);
});

test("a removed member loses the project, their own threads in it too", async () => {
  await add("admin", "write");
  const threadId = await start("admin");
  await say(threadId, "admin");
  expect(await status(getThread, "admin", { threadId })).toBe(200);
  const removed = await reply(removeMember, "member", "DELETE", { ...projectId(), userId: "admin" });
  expect(await removed.json()).toEqual({ stoppedRuns: 0 });
  expect(await status(getOne, "admin", projectId())).toBe(404);
  expect(await status(getThread, "admin", { threadId })).toBe(404);
  expect((await reply(send, "admin", "POST", { threadId }, { content: "Still me." })).status).toBe(404);
  expect(await status(getThread, "member", { threadId })).toBe(200);
});

test("the last owner stays, and only owners change a project", async () => {
  const last = await reply(removeMember, "member", "DELETE", { ...projectId(), userId: "member" });
  expect(last.status).toBe(409);
  await add("admin", "write");
  const refused = await reply(change, "admin", "PATCH", projectId(), { name: "Ours" });
  expect(refused.status).toBe(403);
  await reply(removeMember, "admin", "DELETE", { ...projectId(), userId: "admin" });
  expect((await reply(change, "admin", "PATCH", projectId(), { name: "Ours" })).status).toBe(404);
});

test("instructions are versioned, and what is new of them is in the next prompt", async () => {
  const threadId = await start();
  await say(threadId);
  expect(JSON.stringify(asked)).toContain("Amounts are integers in cents.");
  await reply(change, "member", "PATCH", projectId(), { instructions: "Ask before you touch the ledger." });
  await say(threadId);
  expect(JSON.stringify(asked.at(-1))).toContain("Ask before you touch the ledger.");
  expect(JSON.stringify(asked.at(-1))).not.toContain("Amounts are integers");
  const { versions: kept } = await get<{ versions: { number: number; text: string }[] }>(
    versions,
    "member",
    projectId(),
  );
  expect(kept.map(({ number }) => number)).toEqual([2, 1]);
  const seen = await get<{ sections: { name: string }[] }>(context, "member", { threadId });
  expect(seen.sections.map(({ name }) => name)).toContain("project");
  const outside = await post<{ id: string }>(createThread, "member", {}, { agentId: "coder" });
  await say(outside.id);
  expect(JSON.stringify(asked.at(-1))).not.toContain("ledger");
});

test("threads of a project share its files, and never meet personal ones or those of a thread's own", async () => {
  const write = (threadId: string, content: string) =>
    reply(writeFile, "member", "PUT", { threadId }, { path: "MEMORY.md", content });
  const read = (threadId: string, as: Role = "member") => status(readFile, as, { threadId }, "/?path=MEMORY.md");
  const personal = (await post<{ id: string }>(createThread, "member", {}, { agentId: "coder" })).id;
  await write(personal, "private");
  const [first, second, own] = [await start(), await start(), await start("member", { files: "thread" })];
  expect(await read(first)).toBe(404);
  await write(first, "shared");
  await add("viewer", "read");
  expect(await read(second, "viewer")).toBe(200);
  expect(await read(own)).toBe(404);
  const folder = await get<{ sharedThreads?: number }>(listFiles, "member", { threadId: first });
  expect(folder.sharedThreads).toBe(1);
  const apart = await post<{ id: string }>(createThread, "member", {}, { agentId: "coder", files: "thread" });
  expect(await read(apart.id), "files of its own outside of a project").toBe(404);
  const text = await (
    await reply(readFile, "member", "GET", { threadId: personal }, undefined, "/?path=MEMORY.md")
  ).text();
  expect(text).toContain("private");
});

test("projects are listed by name, their threads only with them and in searches", async () => {
  const threadId = await start();
  await reply(changeThread, "member", "PATCH", { threadId }, { title: "Ledger rounding" });
  await add("admin", "read");
  const { projects } = await get<{ projects: Project[] }>(list, "admin", {});
  expect(projects.find(({ id }) => id === project.id)).toMatchObject({ role: "read", threads: 1 });
  const ids = async (as: Role, query: string) =>
    (await get<{ threads: { id: string }[] }>(listThreads, as, {}, `/${query}`)).threads.map(({ id }) => id);
  expect(await ids("member", "")).not.toContain(threadId);
  expect(await ids("admin", `?projectId=${project.id}`)).toEqual([threadId]);
  expect(await ids("admin", `?projectId=${project.id}&mine=true`)).toEqual([]);
  expect(await ids("admin", "?q=rounding")).toContain(threadId);
  expect(await ids("viewer", "?q=rounding")).toEqual([]);
  expect(await status(listThreads, "viewer", {}, `/?projectId=${project.id}`)).toBe(404);
});

test("a project counts its threads by what its list shows, and what they cost this month", async () => {
  await add("admin", "write");
  const [own] = [await start("member"), await start("admin")];
  await say(own);
  await server.database.run.updateMany({ where: { threadId: own }, data: { costUsd: 1.25, steps: 1 } });
  await server.database.budget.create({
    data: {
      id: "bud_1",
      scope: "project",
      scopeId: project.id,
      period: "month",
      usd: 50,
      onReach: "ask",
      createdById: "admin",
    },
  });
  expect(await get(getOne, "member", projectId())).toMatchObject({
    counts: { all: 2, waiting: 0, running: 0, mine: 1 },
    cost: { usd: 1.25, isPartial: false, budgetUsd: 50 },
  });
  await server.database.run.updateMany({ where: { threadId: own }, data: { costUsd: null } });
  expect(await get(getOne, "admin", projectId())).toMatchObject({
    counts: { mine: 1 },
    cost: { usd: 0, isPartial: true },
  });
});

test("the list of a project says how far each thread's latest run is, and what its agent may do with files", async () => {
  const [running, stopped] = [await start(), await start()];
  for (const threadId of [running, stopped]) await say(threadId);
  const { id, traceId } = await server.database.run.findFirstOrThrow({ where: { threadId: running } });
  await server.database.run.update({ where: { id }, data: { status: "running", endedAt: null, steps: 0 } });
  const call = { traceId, type: "llm", name: "llm", status: "completed", startedAt: new Date() };
  await server.database.span.createMany({
    data: [
      { ...call, id: "sp_own", runId: id, attributes: JSON.stringify({ step: 7 }) },
      { ...call, id: "sp_child", runId: "run_child", attributes: JSON.stringify({ step: 9 }) },
    ],
  });
  await server.database.run.updateMany({
    where: { threadId: stopped },
    data: { status: "cancelled", cancelledBy: "member", waitingFor: null },
  });
  const facts = async () => {
    const path = `/?projectId=${project.id}`;
    const { threads } = await get<{ threads: ThreadListItem[] }>(listThreads, "member", {}, path);
    return new Map(threads.map((thread) => [thread.id, thread.facts]));
  };
  expect((await facts()).get(running)).toMatchObject({ steps: 7, fileAccess: "write", cancelledBy: null });
  expect((await facts()).get(stopped)).toMatchObject({ steps: 1, cancelledBy: expect.stringMatching(/./u) });
  const publish = (more: object) =>
    publishChange(server.services, "coder", ({ raw }) => ({ ...raw, ...more }), { createdById: null });
  await publish({ permissions: { enabled: true, deny: ["write_file", "edit_file", "execute"] } });
  expect((await facts()).get(running)?.fileAccess).toBe("read");
  await publish({ permissions: { enabled: true }, backend: null });
  expect((await facts()).get(running)?.fileAccess).toBe("none");
  await publish({ permissions: { enabled: false }, backend: { type: "state" } });
  const { threads } = await get<{ threads: ThreadListItem[] }>(listThreads, "member", {}, "/?q=Do");
  expect(threads.every((thread) => thread.facts === undefined)).toBe(true);
});

test("members are told of each other's runs and of changes of the project, and nobody else is", async () => {
  await add("admin", "read");
  const heard: Record<string, string[]> = { member: [], admin: [], viewer: [] };
  const stops = Object.entries(heard).map(([userId, list]) =>
    onFeedEvent(userId, (event) => event && list.push(event.type === "run.changed" ? event.status : event.type)),
  );
  const threadId = await start();
  await say(threadId);
  await expect.poll(() => heard.admin).toEqual(["queued", "completed"]);
  await reply(changeThread, "member", "PATCH", { threadId }, { title: "Ledger" });
  await reply(change, "member", "PATCH", projectId(), { description: "Cents" });
  await reply(removeMember, "member", "DELETE", { ...projectId(), userId: "admin" });
  expect(heard.admin?.slice(2)).toEqual(["project.changed", "project.changed", "project.changed"]);
  expect(heard.viewer).toEqual([]);
  for (const stop of stops) stop();
});

test("a thread moves into a project and out of it again", async () => {
  const { id: threadId } = await post<{ id: string }>(createThread, "member", {}, { agentId: "coder" });
  await add("viewer", "read");
  const move = (to: string | null) => reply(changeThread, "member", "PATCH", { threadId }, { projectId: to });
  expect((await (await move(project.id)).json()).project).toMatchObject({ id: project.id, files: "project" });
  expect(await status(getThread, "viewer", { threadId })).toBe(200);
  expect((await (await move(null)).json()).project).toBeUndefined();
  expect(await status(getThread, "viewer", { threadId })).toBe(404);
  expect((await move("prj_unknown")).status).toBe(404);
});

test("a deleted project is nobody's until it is restored, and its threads stay with their starters", async () => {
  const threadId = await start();
  await say(threadId);
  await add("viewer", "read");
  await add("admin", "write");
  expect((await reply(remove, "member", "DELETE", projectId())).status).toBe(204);
  expect(await status(getOne, "member", projectId())).toBe(404);
  expect(await status(getThread, "viewer", { threadId })).toBe(404);
  expect(await status(getThread, "member", { threadId })).toBe(200);
  const refused = await reply(send, "member", "POST", { threadId }, { content: "Go on." });
  expect([refused.status, (await refused.json()).error.message]).toEqual([409, expect.stringContaining("was deleted")]);
  expect((await reply(restore, "admin", "POST", projectId())).status).toBe(404);
  expect((await reply(restore, "member", "POST", projectId())).status).toBe(200);
  expect(await status(getThread, "viewer", { threadId })).toBe(200);
});

test("what owners do is in the audit log", async () => {
  await add("viewer", "read");
  await reply(change, "member", "PATCH", projectId(), { name: "Billing 2" });
  await reply(removeMember, "member", "DELETE", { ...projectId(), userId: "viewer" });
  await reply(remove, "member", "DELETE", projectId());
  const entries = await server.database.auditEntry.findMany({ where: { target: `project:${project.id}` } });
  expect(entries.map(({ action }) => action).sort()).toEqual([
    "project.changed",
    "project.created",
    "project.deleted",
    "project.member_removed",
    "project.member_set",
  ]);
});
