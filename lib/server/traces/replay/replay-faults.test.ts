import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DELETE as deleteTool } from "@/app/agents/tools/[name]/route";
import { POST as register } from "@/app/agents/tools/register/route";
import { DELETE as deleteAgent } from "@/app/api/agents/[agentId]/route";
import { DELETE as deleteMemory } from "@/app/api/memory/[id]/route";
import { DELETE as deleteProvider } from "@/app/api/providers/[providerId]/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { GET as getState } from "@/app/api/runs/[runId]/state/route";
import type { RunState } from "@/lib/schema/traces/run-state";
import { saveDraft } from "@/lib/server/agents/drafts/agent-draft";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { memoryId } from "@/lib/server/file-access/memory/memory-id";
import { deleteVersionsBefore } from "@/lib/server/platform/db/queries/retention/old-versions";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { replayServer } from "@/lib/testing/traces/replay-fixture";

const GREET = `import { defineTool, z } from "ringmaster";
export default defineTool({
  name: "greet",
  description: "Greets somebody.",
  input: z.object({}),
  execute: () => "Hello from the extension",
});
`;
const write = (content: string) => ({ name: "write_file", args: { path: "a.txt", content } });

const { server, db, newThread, recorded, start, refused, get, plan } = replayServer(
  {
    Ring: [{ calls: [{ name: "ring_bell", args: {} }] }, { text: "Rung." }],
    Greet: [{ calls: [{ name: "greet", args: {} }] }, { text: "Greeted." }],
    Write: [{ calls: [write("one")] }, { calls: [write("two")] }, { text: "Written." }],
    Remember: [
      { calls: [{ name: "write_file", args: { path: "AGENTS.md", content: "Likes tea.\n" } }] },
      { text: "Remembered." },
    ],
    Hello: [{ text: "Hello." }],
  },
  async () => {
    folder = await extensionFolder({ "greet.ts": GREET });
    await new Promise<void>((resolve) => bell.listen(0, "127.0.0.1", resolve));
    return { RINGMASTER_ALLOWED_PRIVATE_HOSTS: hostOfBell() };
  },
);

const bell = createServer((_, response) => response.end(JSON.stringify({ result: "ding" })));
const hostOfBell = () => `127.0.0.1:${(bell.address() as AddressInfo).port}`;
let folder: Awaited<ReturnType<typeof extensionFolder>>;
afterAll(() => {
  bell.close();
  folder.close();
});

const BASE = { model: "scripted:m", retries: 0, system_prompt: "You work.", backend: { type: "state" } };

beforeAll(async () => {
  const tool = { name: "ring_bell", description: "Rings", parameters: { type: "object" } };
  const body = { ...tool, callback_url: `http://${hostOfBell()}/` };
  expect((await server().call(register, { as: "admin", body })).status).toBe(201);
  for (const [agentId, more] of [
    ["ringer", { tools: ["ring_bell"] }],
    ["greeter", { tools: ["greet"] }],
    ["writer", {}],
    ["leaver", {}],
  ] as const) {
    const permissions = { enabled: true, mode: "bypass" };
    await createAgent(server().services, {
      agentId,
      raw: { ...BASE, name: agentId, permissions, ...more },
      createdById: null,
    });
  }
});

test("a tool that the agent no longer has: recorded replays work, and one that would run it says what it needs", async () => {
  const runId = await recorded("Ring", "ringer");
  expect(
    (await server().call(deleteTool, { as: "admin", method: "DELETE", params: { name: "ring_bell" } })).status,
  ).toBe(204);
  expect((await get((await start({ runId })).replayId)).same).toEqual({ runs: 1, of: 1 });
  expect((await get((await start({ runId, tools: { default: "sandbox" } })).replayId)).same).toEqual({
    runs: 1,
    of: 1,
  });
  const { tools } = await plan(runId);
  expect(tools.find(({ name }) => name === "ring_bell")).toMatchObject({ inSandbox: false, readOnly: null });
  expect(await refused({ runId, tools: { per: { ring_bell: "live" } }, confirmLive: ["ring_bell"] })).toEqual([
    409,
    "ring_bell is no longer a tool of this agent. Its calls can't run: set tools.per.ring_bell to recorded, or give the tool back to the agent.",
  ]);
});

test("an extension that is gone: no replay of the recording needs it, and one that would run its tool names it", async () => {
  const runId = await recorded("Greet", "greeter");
  folder.write("greet.ts", "export default 1;");
  await folder.reload();
  expect((await get((await start({ runId })).replayId)).same).toEqual({ runs: 1, of: 1 });
  expect((await get((await start({ runId, tools: { default: "sandbox" } })).replayId)).same).toEqual({
    runs: 1,
    of: 1,
  });
  const [status, message] = await refused({ runId, tools: { per: { greet: "ask" } } });
  expect(status).toBe(409);
  expect(message).toMatch(/greet.*Its calls can't run: set tools\.per\.greet to recorded/s);
});

test("a file whose content was cleaned up: the sandbox names it before it starts, recorded results still serve", async () => {
  const runId = await recorded("Write", "writer");
  const [first] = await db().fileVersion.findMany({ where: { runId }, orderBy: { seq: "asc" } });
  await db().workspaceFile.deleteMany({ where: { blobHash: first?.blobHash ?? "" } });
  await db().blob.deleteMany({ where: { hash: first?.blobHash ?? "" } });
  const gone =
    "What these files were at step 2 has been cleaned up: a.txt. Use the recorded results instead of the sandbox.";
  expect((await plan(runId, 2)).sandbox).toEqual({ problem: gone, files: 0, neverVersioned: null });
  expect(await refused({ runId, fromStep: 2, tools: { default: "sandbox" } })).toEqual([409, gone]);
  expect((await plan(runId, 3)).sandbox).toMatchObject({ problem: null, files: 1 });
  expect((await get((await start({ runId, fromStep: 2 })).replayId)).same).toEqual({ runs: 1, of: 1 });
  await db().runStep.updateMany({ where: { runId, step: 1 }, data: { readSeq: null } });
  expect((await plan(runId)).sandbox.problem).toContain("The files of step 1 were not recorded.");
});

test("a provider that was removed is named before the replay starts, and another model serves", async () => {
  const body = {
    id: "other",
    kind: "openai-compatible",
    name: "Other",
    baseUrl: server().provider.url,
    apiKey: "sk-other-0123456789",
  };
  expect((await server().call(addProvider, { as: "admin", body })).status).toBe(201);
  await createAgent(server().services, {
    agentId: "guest",
    raw: { ...BASE, name: "Guest", model: "other:m" },
    createdById: null,
  });
  const runId = await recorded("Hello", "guest");
  await server().call(deleteProvider, { as: "admin", method: "DELETE", params: { providerId: "other" } });
  const [status, message] = await refused({ runId });
  expect([status, message]).toEqual([409, expect.stringMatching(/other.*Or replay with another model\.$/s)]);
  expect((await plan(runId)).models).toEqual(["other:m"]);
  const forMembers = { ...body, id: "members", allowedRoles: ["member"] };
  expect((await server().call(addProvider, { as: "admin", body: forMembers })).status).toBe(201);
  expect((await plan(runId, 1, "admin")).models).toEqual(["other:m", "scripted:scripted"]);
  const { replayId } = await start({ runId, with: { config: { model: "scripted:m" } } }, "admin");
  expect((await get(replayId, "admin")).runs[0]).toMatchObject({ status: "completed", sameCalls: true });
});

test("a version that is not there, an agent that was deleted, and a request that is no longer kept are each named", async () => {
  const runId = await recorded("Hello", "leaver");
  const [status, message] = await refused({ runId, with: { version: 9 } }, "admin");
  expect([status, message]).toEqual([404, expect.stringContaining("9")]);
  const spans = await db().span.findMany({ where: { runId, name: "llm.call" } });
  const kept = spans.map(({ id, attributes }) => ({ id, attributes }));
  await db().span.updateMany({ where: { runId, name: "llm.call" }, data: { attributes: "{}" } });
  expect(await refused({ runId })).toEqual([409, "What step 1 of the run sent is no longer kept."]);
  expect((await plan(runId)).problem).toBe("What step 1 of the run sent is no longer kept.");
  for (const { id, attributes } of kept) await db().span.update({ where: { id }, data: { attributes } });
  await start({ runId });
  await server().call(deleteAgent, { as: "admin", method: "DELETE", params: { agentId: "leaver" } });
  const gone =
    'You can no longer use the agent "leaver". If it was deleted, an administrator can restore it under Agents.';
  expect(await refused({ runId })).toEqual([404, gone]);
  expect((await plan(runId)).problem).toBe(gone);
});

const NOT_KEPT = { sha256: null, sizeBytes: null, changedAtStep: null, isKept: false };

test("a run whose steps were not recorded is named before its replay is prepared", async () => {
  const runId = await recorded("Hello", "writer");
  await db().runStep.deleteMany({ where: { runId } });
  const gone = "What step 1 began with was not recorded, or is no longer kept.";
  expect((await plan(runId)).problem).toBe(gone);
  expect(await refused({ runId })).toEqual([409, gone]);
});

test("a memory document that was erased: state and sandbox name it, and a replay of the recording still has its words", async () => {
  const raw = {
    ...BASE,
    name: "Keeper",
    memory: { paths: ["AGENTS.md"] },
    permissions: { enabled: true, mode: "bypass" },
  };
  await createAgent(server().services, { agentId: "keeper", raw, createdById: null });
  const thread = newThread();
  await recorded("Remember", "keeper", thread);
  const runId = await recorded("Write", "keeper", thread);
  const { workspaceId } = await db().fileVersion.findFirstOrThrow({ where: { path: "AGENTS.md" } });
  const document = { workspaceId, path: "AGENTS.md" };
  const params = { id: memoryId(document) };
  expect((await server().call(deleteMemory, { as: "member", method: "DELETE", params })).status).toBe(204);
  const old = { createdAt: new Date(0) };
  await db().fileVersion.updateMany({ where: { ...document, version: 1 }, data: old });
  await db().memoryVersion.updateMany({ where: { ...document, version: 1 }, data: old });
  await deleteVersionsBefore(db(), new Date(1), { rest: async () => true });
  const gone =
    "What these files were at step 2 has been cleaned up: AGENTS.md. Use the recorded results instead of the sandbox.";
  const found: RunState = await (
    await server().call(getState, { as: "member", params: { runId }, path: `/api/runs/${runId}/state?step=2` })
  ).json();
  expect(found.files?.[0]).toEqual({ path: "AGENTS.md", ...NOT_KEPT });
  expect((await plan(runId, 2)).sandbox.problem).toBe(gone);
  expect(await refused({ runId, fromStep: 2, tools: { default: "sandbox" } })).toEqual([409, gone]);
  const asked = server().provider.requests.length;
  expect((await get((await start({ runId, fromStep: 2 })).replayId)).same).toEqual({ runs: 1, of: 1 });
  expect(JSON.stringify(server().provider.requests[asked]?.body)).toContain("Likes tea.");
});

test("the plan offers other versions and the draft to administrators alone, and the arguments of calls", async () => {
  const runId = await recorded("Write", "writer");
  const raw = { ...BASE, name: "writer", system_prompt: "You write." };
  await publishChange(server().services, "writer", () => raw, { createdById: null });
  await saveDraft(server().services, "writer", { config: { ...raw, name: "Later" }, revision: 0 }, { id: "admin" });
  expect(await plan(runId)).toMatchObject({ versions: [], hasDraft: false });
  expect(await plan(runId, 1, "admin")).toMatchObject({ version: 1, versions: [2], hasDraft: true });
  const [call] = (await plan(runId)).calls;
  expect(JSON.parse(call?.args ?? "")).toEqual({ path: "a.txt", content: "one" });
});
