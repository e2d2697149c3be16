import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as getSchema } from "@/app/api/agent-schema/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { GET as listChanged } from "@/app/api/threads/[threadId]/files/changed/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { SectionTokens } from "@/lib/schema/runs/section-tokens";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { POST as preview } from "./preview-prompt/route";
import { GET as listFiles, PUT as saveFiles } from "./prompt-files/route";

let server: RunServer;
afterEach(() => server.close());

async function start(config: Partial<AgentConfigInput>, script: ScriptedServerOptions["script"] = [{ text: "ok" }]) {
  server = await startRunServer(script);
  const raw = {
    name: "Ada",
    model: "scripted:m",
    system_prompt: "You are Ada.",
    backend: { type: "state" },
    ...config,
  };
  await createAgent(server.services, { agentId: "ada", raw, createdById: null });
}

async function say(content: string, as: Role = "member", threadId = "t") {
  const body = { thread_id: threadId, messages: [{ role: "user", content }] };
  const reply = await server.call(invoke, { as, params: { id: "ada" }, body });
  expect(reply.status, await reply.clone().text()).toBe(200);
}

/** The system prompt of the provider's request at index `at`, counted from the end. */
function sentSystem(at = -1): string {
  const messages = server.provider.requests.at(at)?.body.messages ?? [];
  return messages.flatMap(({ role, content }) => (role === "system" ? [String(content)] : [])).join("\n\n");
}

const params = { agentId: "ada" };
const OPEN = { type: "open", prompt: { mode: "full" } } satisfies Partial<AgentConfigInput>;

test("an open agent seeds each user's files once and shows the bootstrap in the first chat only", async () => {
  await start(OPEN);
  await say("hello");
  expect(sentSystem()).toMatch(
    /^You are Ada\.\n\n# Identity[\s\S]*<first_run>[\s\S]*You talk to The member \(id member\)/,
  );
  await say("again");
  expect(sentSystem()).toContain("<first_run>");
  await say("hello", "member", "second");
  expect(sentSystem()).not.toContain("<first_run>");
  expect(await server.database.workspaceFile.count()).toBe(7);
  await say("hello", "admin");
  expect(sentSystem()).toContain("<first_run>");
  expect(await server.database.workspaceFile.count()).toBe(14);
});

test("seeded files are not among what the agent wrote and the thread changed", async () => {
  const note = { name: "write_file", args: { path: "note.txt", content: "mine" } };
  await start(OPEN, [{ calls: [note] }, { text: "Done." }]);
  const body = { thread_id: "t", messages: [{ role: "user", content: "hello" }] };
  const reply = await server.call(invoke, { as: "member", params: { id: "ada" }, body });
  expect((await reply.json()).files).toEqual({ "note.txt": "mine" });
  const { id: threadId } = await server.database.thread.findFirstOrThrow();
  const changed = await (await server.call(listChanged, { as: "member", params: { threadId } })).json();
  expect(changed.files.map(({ path }: { path: string }) => path)).toEqual(["note.txt"]);
});

test("a file that a user removed is not seeded again", async () => {
  await start(OPEN);
  await say("hello");
  await server.database.workspaceFile.deleteMany({ where: { path: "SOUL.md" } });
  await say("again");
  expect(await server.database.workspaceFile.count({ where: { path: "SOUL.md" } })).toBe(0);
  expect(sentSystem()).not.toContain("# Soul");
});

test("first chats that begin at the same moment seed one set of files", async () => {
  await start(OPEN);
  await Promise.all(["a", "b", "c"].map((threadId) => say("hello", "member", threadId)));
  const versions = await server.database.fileVersion.groupBy({ by: ["path"], _count: true });
  expect(versions.map(({ _count }) => _count)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

test("the preview is what the next run sends, and neither stores nor claims anything", async () => {
  await start({
    ...OPEN,
    extra_context: "Be quick.",
    subagents: [{ name: "helper", description: "Helps.", prompt: "You help." }],
    prompt: { mode: "full", sections: { time: false, runtime: false } },
  });
  const body = { message: "hello" };
  await server.call(preview, { as: "admin", params, body });
  expect([await server.database.firstTime.count(), await server.database.workspaceFile.count()]).toEqual([0, 0]);
  await say("hello", "admin");
  const reply = await (await server.call(preview, { as: "admin", params, body })).json();
  await say("hello", "admin", "other");
  expect(reply.text).toBe(sentSystem());
  expect(reply.mode).toBe("full");
  const counted = [...reply.sections, ...reply.tools].reduce((sum: number, { tokens }) => sum + tokens, 0);
  expect(reply.totalTokens).toBe(counted);
  const offered = server.provider.requests.at(-1)?.body.tools?.map((tool) => tool.function.name);
  expect(reply.tools.map(({ name }: { name: string }) => name)).toEqual(offered);
});

test("the preview of a draft is that of the draft; a wrong one is refused by name", async () => {
  await start({});
  const config = { name: "Ada", system_prompt: "A draft.", prompt: { mode: "minimal" } };
  const reply = await (await server.call(preview, { as: "admin", params, body: { config } })).json();
  expect(reply.text).toMatch(/^A draft\.[\s\S]*## Runtime/);
  const wrong = { config: { name: "Ada", prompt: { sections: { timee: true } } } };
  const refused = await server.call(preview, { as: "admin", params, body: wrong });
  expect([refused.status, (await refused.json()).error.message]).toEqual([400, expect.stringMatching(/timee.*"time"/)]);
});

test("the span of every model call says what each section of its prompt took, and so does the run", async () => {
  await start({ prompt: { mode: "minimal" } });
  await say("hello");
  const span = () => server.database.span.findFirst({ where: { name: "llm.call", status: "completed" } });
  await expect.poll(span).not.toBeNull();
  const { sections } = JSON.parse((await span())?.attributes ?? "{}");
  expect(sections[0]).toEqual({
    name: "identity",
    tokens: 3,
    estimated: true,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(sections.map(({ name }: { name: string }) => name)).toEqual([
    "identity",
    "tooling",
    "safety",
    "workspace",
    "time",
    "runtime",
  ]);
  const { id: runId } = await server.database.run.findFirstOrThrow();
  const run = await (await server.call(getRun, { as: "member", params: { runId } })).json();
  expect(run.promptSections).toEqual(
    sections.map(({ name, tokens }: SectionTokens) => ({ name, tokens, estimated: true })),
  );
});

test("a run keeps what each section of its prompt took although no trace is recorded", async () => {
  await start({ prompt: { mode: "minimal" }, trace: { sample: 0 } });
  await say("hello");
  const { id: runId } = await server.database.run.findFirstOrThrow();
  const run = await (await server.call(getRun, { as: "member", params: { runId } })).json();
  expect(run.promptSections[0]).toEqual({ name: "identity", tokens: 3, estimated: true });
  expect(await server.database.span.count({ where: { name: "llm.call" } })).toBe(0);
});

test("an agent's own files belong to its versions, and a later publish keeps them", async () => {
  await start({ prompt: { mode: "full" } });
  const put = (files: object) => server.call(saveFiles, { method: "PUT", as: "admin", params, body: { files } });
  expect(await (await put({ "SOUL.md": "Calm.", "TOOLS.md": "Use ls." })).json()).toMatchObject({ version: 2 });
  const reply = await (await put({ "TOOLS.md": null })).json();
  expect(reply).toEqual({ version: 3, files: [{ name: "SOUL.md", content: "Calm." }] });
  await say("hello");
  expect(sentSystem()).toMatch(/^You are Ada\.\n\nCalm\.\n/);
  expect(await server.database.agentVersionFile.count({ where: { agentVersion: { number: 2 } } })).toBe(2);
  expect((await put({ "OTHER.md": "x" })).status).toBe(400);
  expect((await server.call(listFiles, { as: "member", params })).status).toBe(403);
});

test("a note of one run is remembered by the next, with its author, run and span", async () => {
  const append = { name: "memory_append", args: { text: "The boat is called Aurora." } };
  const script = [{ calls: [append] }, { text: "Noted." }, { text: "Aurora." }];
  await start({ memory: { paths: ["AGENTS.md"] }, tools: ["memory_*"] }, script);
  await say("Remember the boat");
  await say("What is its name?", "member", "second");
  expect(sentSystem()).toMatch(/<agent_memory>\n# \d{4}-\d\d-\d\d\n\nThe boat is called Aurora\.\n\n<\/agent_memory>/);
  expect(await server.database.memoryVersion.findMany()).toMatchObject([
    {
      kind: "daily",
      author: "agent",
      authorId: "member",
      runId: expect.stringMatching(/^run_/),
      spanId: expect.any(String),
    },
  ]);
});

test("old notes are recalled when the message is about them; another user's are not", async () => {
  const write = {
    name: "write_file",
    args: { path: "memory/202401/20240105.md", content: "The harbour code is 4711." },
  };
  const script = [{ calls: [write] }, { text: "Done." }, { text: "4711" }];
  await start({ memory: { paths: ["AGENTS.md"], recall: { enabled: true } } }, script);
  await say("Write it down");
  await say("Which code opens the harbour?", "member", "second");
  expect(sentSystem()).toContain("[memory/202401/20240105.md:1]\nThe harbour code is 4711.");
  await say("Which code opens the harbour?", "admin");
  expect(sentSystem()).not.toContain("4711");
});

test("a config that switches on sections which the run has nothing for loads, runs and shows none of them", async () => {
  const gone = { messaging: true, delegation: true, team: true };
  await start({ prompt: { mode: "full", sections: { ...gone, time: false } } });
  await say("hello");
  const reply = await server.call(preview, { as: "admin", method: "POST", params, body: {} });
  const names = (await reply.json()).sections.map(({ name }: { name: string }) => name);
  expect(names).not.toContain("time");
  for (const name of Object.keys(gone)) expect(names).not.toContain(name);
  const schema = await (await server.call(getSchema, { as: "admin" })).text();
  expect(schema).toContain('"project_context"');
  expect(schema).toContain('"messaging"');
});

test.each([
  ["s3", "before"],
  ["s4", "behind"],
] as const)("with prompt.order %s the project context is sent %s the memory", async (order, place) => {
  await start({ prompt: { mode: "full", order }, memory: { paths: ["AGENTS.md"] } });
  const body = { files: { "TOOLS.md": "Prefer ripgrep." } };
  expect((await server.call(saveFiles, { as: "admin", method: "PUT", params, body })).status).toBe(200);
  await say("hello");
  const [context, memory] = ["Prefer ripgrep.", "<agent_memory>"].map((text) => sentSystem().indexOf(text));
  expect([context, memory]).not.toContain(-1);
  expect(Number(context) < Number(memory) ? "before" : "behind").toBe(place);
});
