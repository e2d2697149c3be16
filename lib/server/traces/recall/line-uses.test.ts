import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as getBlame } from "@/app/api/memory/[id]/blame/route";
import { PUT as save } from "@/app/api/memory/[id]/route";
import { GET as getUses } from "@/app/api/memory/lines/[id]/uses/route";
import { POST as create } from "@/app/api/memory/route";
import type { MemoryBlame, MemoryDetail, MemoryLineUses } from "@/lib/schema/files/memory";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { memoryLineId } from "@/lib/server/file-access/memory/memory-id";
import { flushSpans } from "@/lib/server/traces/recorder";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;

beforeEach(async () => {
  server = await startRunServer(async () => ({ text: "ok" }));
  const base = { model: "scripted:m", retries: 0, memory: { paths: ["AGENTS.md"] } };
  await createAgent(server.services, {
    agentId: "keeps",
    raw: { ...base, name: "Keeps", backend: { type: "state" } },
    createdById: null,
  });
  const shared = { ...base, name: "Shares", backend: { type: "state", scope: "agent" } };
  await createAgent(server.services, { agentId: "shares", raw: shared, createdById: null });
});
afterEach(() => server.close());

const send = <Body>(of: Parameters<RunServer["call"]>[0], options: Parameters<RunServer["call"]>[1]) =>
  server.call(of, options).then(async (reply) => ({ status: reply.status, body: (await reply.json()) as Body }));
const document = async (content: string, { agentId = "keeps", as = "member" as Role, path = "MEMORY.md" } = {}) =>
  (await send<MemoryDetail>(create, { as, method: "POST", body: { agentId, path, content } })).body;
const change = ({ id, version }: MemoryDetail, content: string, as: Role = "member") =>
  send<MemoryDetail>(save, { as, method: "PUT", params: { id }, body: { content, version } });
const lineIds = async ({ id }: MemoryDetail, as: Role = "member") => {
  const { body } = await send<MemoryBlame>(getBlame, { as, params: { id } });
  return new Map(body.map((line) => [line.text, line.id]));
};
const ask = (id = "", as: Role = "member") => send<MemoryLineUses>(getUses, { as, params: { id } });
const uses = async (id = "", as: Role = "member") => {
  const { status, body } = await ask(id, as);
  expect(status).toBe(200);
  return body;
};

/** A run whose events are gone. */
async function say(content: string, thread: string, { agent = "keeps", as = "member" as Role } = {}): Promise<void> {
  const body = { messages: [{ role: "user", content }], thread_id: thread };
  expect((await server.call(invoke, { as, method: "POST", params: { id: agent }, body })).status).toBe(200);
  await flushSpans();
  await server.database.runEvent.deleteMany();
}

test("a line counts the prompts that had it, thread by thread", async () => {
  await say("before", "t1");
  const made = await document("# Memory\n- tea\n- Berlin\n");
  const ids = await lineIds(made);
  await say("one", "t1");
  await say("two", "t2");
  await say("three", "t2");
  const tea = await uses(ids.get("- tea"));
  expect(tea).toMatchObject({ prompts: 3, otherThreads: 0, changedThreads: 2 });
  expect(tea.threads.map(({ title, prompts, changes }) => [title, prompts, changes])).toEqual([
    ["two", 2, true],
    ["before", 1, true],
  ]);
  expect(tea.since).toBe((await server.database.fileVersion.findFirstOrThrow()).createdAt.toISOString());
});

test("a line that comes later has fewer prompts; one that was withdrawn changes nothing any more", async () => {
  const made = await document("- tea\n");
  await say("one", "t1");
  const { body: second } = await change(made, "- tea\n- Berlin\n");
  await say("two", "t1");
  const ids = await lineIds(second);
  expect((await uses(ids.get("- Berlin"))).prompts).toBe(1);
  expect((await uses(ids.get("- tea"))).prompts).toBe(2);
  await change(second, "- Berlin\n");
  expect(await uses(ids.get("- tea"))).toMatchObject({ prompts: 2, changedThreads: 0, threads: [{ changes: false }] });
  await say("three", "t1");
  expect((await uses(ids.get("- tea"))).prompts).toBe(2);
  expect((await uses(ids.get("- Berlin"))).prompts).toBe(2);
});

test("a part of a line, and a line of the agent's own prompt, are not the line", async () => {
  const made = await document("- tea\n");
  const ids = await lineIds(made);
  await change(made, "- tea and cake\n");
  await say("one", "t1");
  expect((await uses(ids.get("- tea"))).prompts).toBe(0);
});

test("threads of others are a number, as are those that were deleted", async () => {
  const made = await document("- tea\n", { agentId: "shares", as: "admin" });
  const [id] = (await lineIds(made)).values();
  await say("mine", "t1", { agent: "shares" });
  await say("gone", "t2", { agent: "shares" });
  await say("theirs", "t3", { agent: "shares", as: "admin" });
  await server.database.thread.updateMany({ where: { title: "gone" }, data: { deletedAt: new Date() } });
  const found = await uses(id);
  expect(found).toMatchObject({ prompts: 3, otherThreads: 2, changedThreads: 2 });
  expect(found.threads.map(({ title }) => title)).toEqual(["mine"]);
  expect((await uses(id, "admin")).threads.map(({ title }) => title)).toEqual(["theirs"]);
});

test("an administrator's look is audited and names no thread of the person", async () => {
  const made = await document("- tea\n");
  const [id] = (await lineIds(made)).values();
  await say("one", "t1");
  expect(await uses(id, "admin")).toMatchObject({ prompts: 1, threads: [], otherThreads: 1 });
  const looks = await server.database.auditEntry.findMany({ where: { action: "memory.viewed" } });
  expect(looks).toMatchObject([{ actorId: "admin" }]);
});

test("a prompt file counts where it stands in the prompt", async () => {
  const raw = { name: "Full", model: "scripted:m", backend: { type: "state" }, prompt: { mode: "full" } };
  await createAgent(server.services, { agentId: "full", raw, createdById: null });
  const made = await document("Answers in English.\n", { agentId: "full", path: "USER.md" });
  const [id] = (await lineIds(made)).values();
  await say("one", "t1", { agent: "full" });
  expect((await uses(id)).prompts).toBe(1);
});

test("prompts whose texts were cleaned up are left out, and the time of the first that is kept is said", async () => {
  const made = await document("- tea\n");
  const [id] = (await lineIds(made)).values();
  await say("one", "t1");
  await say("two", "t1");
  const [first] = await server.database.runStep.findMany({ orderBy: { startedAt: "asc" } });
  await server.database.runStep.deleteMany({ where: { runId: first?.runId ?? "" } });
  const found = await uses(id);
  expect(found.prompts).toBe(1);
  expect(found.since).toBe((await server.database.runStep.findFirstOrThrow()).startedAt.toISOString());
});

test("another person's line, an unknown one and a malformed id are not found", async () => {
  const made = await document("- tea\n");
  const [id = ""] = (await lineIds(made)).values();
  expect((await ask(id, "viewer")).status).toBe(404);
  const { workspaceId } = await server.database.fileVersion.findFirstOrThrow();
  const unknown = { workspaceId, path: "MEMORY.md", version: 1, hash: "0".repeat(16) };
  expect((await ask(memoryLineId(unknown))).status).toBe(404);
  expect((await ask(memoryLineId({ ...unknown, version: 9 }))).status).toBe(404);
  expect((await ask("ml_broken")).status).toBe(404);
});
