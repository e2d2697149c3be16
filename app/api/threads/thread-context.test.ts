import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as previewContext } from "@/app/api/agents/[agentId]/preview-context/route";
import { POST as addBoard } from "@/app/api/boards/route";
import { POST as addGroup } from "@/app/api/groups/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { ContextPreview, LastRequest, ThreadContext } from "@/lib/schema/threads/thread-context";
import type { Role } from "@/lib/schema/users/user";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { textOf } from "@/lib/testing/fixtures/compaction-fixture";
import { QUIET_AGENT } from "@/lib/testing/fixtures/quiet-agent";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { writes } from "@/lib/testing/servers/scripted-turns";
import { POST as compact } from "./[threadId]/compact/route";
import { GET as getLast } from "./[threadId]/context/last/route";
import { GET as getContext } from "./[threadId]/context/route";
import { PUT as putFile } from "./[threadId]/files/route";

let server: RunServer;
afterEach(() => server.close());

const TEXT = "You are Ada.";

async function start(
  config: Partial<AgentConfigInput> = {},
  script: ScriptedServerOptions["script"] = [{ text: "ok" }],
) {
  server = await startRunServer(script);
  const raw = { name: "Ada", ...QUIET_AGENT, system_prompt: TEXT, context_window: 1_000, ...config };
  await createAgent(server.services, { agentId: "ada", raw, createdById: null });
}

async function say(content: string, as: Role = "member") {
  const body = { thread_id: "t", messages: [{ role: "user", content }] };
  return (await server.call(invoke, { as, params: { id: "ada" }, body })).json();
}

async function threadId(owner = "member"): Promise<string> {
  return (await server.database.thread.findFirstOrThrow({ where: { clientId: "t", ownerId: owner } })).id;
}

async function ask(as: Role = "member", owner = as, search = ""): Promise<Response> {
  return server.call(getContext, {
    as,
    params: { threadId: await threadId(owner) },
    path: `/api/threads/t/context${search}`,
  });
}

async function contextOf(as: Role = "member", search = ""): Promise<ThreadContext> {
  const reply = await ask(as, as, search);
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
}

const tokensIn = ({ sections }: ThreadContext) =>
  Object.fromEntries(sections.map(({ name, tokens }) => [name, tokens]));

test("what the model gets next is what the next call then sends", async () => {
  await start({ prompt: { mode: "full" }, backend: { type: "state" } });
  await say("a".repeat(400), "admin");
  const context = await contextOf("admin");
  await say("next", "admin");
  const sent = server.provider.requests.at(-1)?.body.messages ?? [];
  const system = sent.filter(({ role }) => role === "system").map(textOf);
  expect(context.prompt).toBe(system.join("\n\n"));
  expect(tokensIn(context)).toMatchObject({ messages: 100, identity: expect.any(Number), tooling: expect.any(Number) });
  expect(context.used).toBe(context.sections.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(context).toMatchObject({ window: 1_000, windowFrom: "agent", conversation: 100, compactions: 0 });
});

test("the text of the prompt is for admins, unless the agent shows it to everyone", async () => {
  await start();
  await say("hi");
  expect(await contextOf()).not.toHaveProperty("prompt");
  await server.close();
  await start({ trace: { show_prompt: "everyone" } });
  await say("hi");
  expect((await contextOf()).prompt).toBe(TEXT);
});

test("the whole request is what the next call then sends, and only for whom may read the prompt", async () => {
  await start({ backend: { type: "state" }, tools: ["write_file"] }, [writes("a.txt"), { text: "done" }]);
  await say("first", "admin");
  const { request, showsPrompt } = await contextOf("admin", "?request=true");
  expect(showsPrompt).toBe(true);
  await say("next", "admin");
  const sent = server.provider.requests.at(-1)?.body.messages ?? [];
  expect(request?.sections.map(({ text }) => text).join("\n\n")).toBe(sent.slice(0, 1).map(textOf).join(""));
  expect(request?.messages.map(({ role, name }) => name ?? role)).toEqual([
    "user",
    "assistant",
    "write_file",
    "assistant",
  ]);
  expect(request?.messages.map(({ content }) => content)).toEqual(
    sent.slice(1, -1).map(({ content }) => content ?? ""),
  );
  expect(request?.messages[1]?.calls).toMatchObject([{ name: "write_file" }]);
  expect(request?.tools.map(({ name }) => name)).toContain("write_file");
  await say("mine");
  const others = await contextOf("member", "?request=true");
  expect(others).toMatchObject({ showsPrompt: false });
  expect(others).not.toHaveProperty("request");
});

test("a model that is picked for the next message decides the window, and its text is left out where asked", async () => {
  await start({ context_window: null, trace: { show_prompt: "everyone" } });
  await say("hi");
  expect(await contextOf()).toMatchObject({ windowFrom: "assumed" });
  const picked = await contextOf("member", "?model=demo:demo&prompt=false");
  expect(picked.window).toBeGreaterThan(0);
  expect(picked).not.toHaveProperty("prompt");
  expect(picked.showsPrompt).toBe(true);
});

test("the context of another person's thread is not found, for admins too", async () => {
  await start();
  await say("hi");
  expect((await ask("admin", "member")).status).toBe(404);
});

/** The names of the tools that the last model call was given. */
const toolsSent = () =>
  server.provider.requests
    .at(-1)
    ?.body.tools?.map((tool) => tool.function.name)
    .sort();
const toolsShown = ({ request }: ThreadContext) => request?.tools.map(({ name }) => name).sort();

test("tools that act for the run's owner are shown as they are sent", async () => {
  await start({ backend: { type: "state" }, tools: ["schedule", "message"] });
  await say("hi", "admin");
  const context = await contextOf("admin", "?request=true");
  expect(toolsShown(context)).toEqual(expect.arrayContaining(["message", "schedule"]));
  expect(toolsShown(context)).toEqual(toolsSent());
  expect(context.counts.tools).toBe(toolsSent()?.length);
});

test("the lead of a board reads its team, and is shown with it", async () => {
  await start();
  const member = { name: "Writer", ...QUIET_AGENT, description: "Writes." };
  await createAgent(server.services, { agentId: "writer", raw: member, createdById: null });
  const body = { name: "Notes", goal: "Write the notes.", lead: "ada", members: ["writer"] };
  const board = await (await server.call(addBoard, { as: "admin", body })).json();
  await expect.poll(() => server.provider.requests.length).toBe(1);
  await expect.poll(() => server.database.run.count({ where: { status: "completed" } })).toBe(1);
  const thread = await server.database.thread.findFirstOrThrow({ where: { boardId: board.id } });
  const params = { threadId: thread.id };
  const reply = await server.call(getContext, { as: "admin", params, path: "/api/threads/t/context?request=true" });
  const context: ThreadContext = await reply.json();
  expect(toolsShown(context)).toContain("team_tasks");
  expect(toolsShown(context)).toEqual(toolsSent());
  const sent = server.provider.requests.at(-1)?.body.messages ?? [];
  expect(context.prompt).toBe(
    sent
      .filter(({ role }) => role === "system")
      .map(textOf)
      .join("\n\n"),
  );
  expect(context.prompt).toContain("Write the notes.");
});

test("after a handoff it is the context of the agent that answers", async () => {
  await start({ system_prompt: "You are Ada." });
  const other = { name: "Bob", ...QUIET_AGENT, system_prompt: "You are Bob." };
  await createAgent(server.services, { agentId: "bob", raw: other, createdById: null });
  await say("hi", "admin");
  await server.database.thread.update({ where: { id: await threadId("admin") }, data: { activeAgentId: "bob" } });
  expect(await contextOf("admin")).toMatchObject({ agentName: "Bob", prompt: "You are Bob." });
});

test("a subagent that the owner may not reach is neither named nor counted", async () => {
  await start({ prompt: { mode: "full" }, trace: { show_prompt: "everyone" }, subagents: ["hidden-worker"] });
  const worker = { name: "Worker", ...QUIET_AGENT, description: "Works in hiding." };
  await createAgent(server.services, { agentId: "hidden-worker", raw: worker, createdById: null });
  await say("hi");
  const open = await contextOf();
  expect(open.prompt).toContain("## Subagents");
  await server.call(addGroup, { as: "admin", body: { name: "Builders", agents: ["hidden-worker"] } });
  const limited = await contextOf();
  expect(limited.prompt).not.toContain("## Subagents");
  expect(tokensIn(limited).tools ?? 0).toBeLessThan(tokensIn(open).tools ?? 0);
});

test("rules say from where they act, and whether they would now", async () => {
  const rules = { pruning: { enabled: true }, compaction: { enabled: true, absolute_tokens: 5_000 } };
  await start({ ...rules, summarization: { enabled: true } });
  await say("a".repeat(1_600));
  expect((await contextOf()).rules).toEqual([
    { name: "pruning_soft", at: 300, fires: true },
    { name: "pruning_hard", at: 500, fires: false },
    { name: "compaction", at: 750, fires: false },
    { name: "summarization", at: 850, fires: false },
  ]);
});

test("a compacted thread has its summary in place of what it replaced", async () => {
  await start({ compaction: { enabled: true, keep_last: 1 } });
  for (const content of ["a".repeat(400), "b".repeat(40)]) await say(content);
  const before = await contextOf();
  await server.call(compact, { as: "member", params: { threadId: await threadId() }, body: {} });
  const after = await contextOf();
  expect(before).toMatchObject({ compactions: 0, summary: null });
  expect(tokensIn(before)).not.toHaveProperty("summary");
  expect(after).toMatchObject({ compactions: 1, summary: { text: "ok", replaced: 3, tokens: expect.any(Number) } });
  const last = await server.database.transcriptMessage.findUniqueOrThrow({
    where: { id: after.summary?.lastMessageId ?? "" },
  });
  expect(last).toMatchObject({ role: "user", text: "b".repeat(40) });
  expect(tokensIn(after).summary).toBeGreaterThan(0);
  expect(after.used).toBeLessThan(before.used);
});

test("a run that waits counts with what it was asked and has called so far", async () => {
  const permissions = { enabled: true, ask: ["write_file"] };
  await start({ backend: { type: "state" }, permissions }, [writes("a.txt")]);
  expect(await say("w".repeat(400))).toMatchObject({ status: "waiting" });
  expect(tokensIn(await contextOf()).messages).toBeGreaterThan(100);
});

test("a preview has the window and the rules of what is sent, and only the caller's threads by name", async () => {
  await start();
  await say("a".repeat(400));
  await say("b".repeat(800), "admin");
  await server.database.thread.updateMany({ data: { title: "Secret" } });
  const look = async (body: object) =>
    (await server.call(previewContext, { as: "admin", params: { agentId: "ada" }, body })).json();
  const live: ContextPreview = await look({});
  expect(live).toMatchObject({ window: 1_000, windowFrom: "agent", rules: [] });
  expect(live.threads.map(({ conversation, title, isOwn }) => ({ conversation, title, isOwn }))).toEqual([
    { conversation: 200, title: "Secret", isOwn: true },
    { conversation: 100, title: null, isOwn: false },
  ]);
  const config = { name: "A", model: "scripted:m", chars_per_token: 8 };
  const draft: ContextPreview = await look({ config });
  expect(draft).toMatchObject({ windowFrom: "assumed", window: 128_000 });
  expect(draft.threads.map(({ conversation }) => conversation)).toEqual([100, 50]);
  expect((await server.call(previewContext, { as: "member", params: { agentId: "ada" }, body: {} })).status).toBe(403);
});

test("a section of the request names the agent's own text in it, with its lines", async () => {
  const system_prompt = "\nYou are Ada.\n\nAnswer briefly.\n";
  await start({ system_prompt, prompt: { mode: "full" } }, [{ text: "ok" }]);
  await say("first", "admin");
  const sections = (await contextOf("admin", "?request=true")).request?.sections ?? [];
  const named = sections
    .filter(({ sources = [] }) => sources.length > 0)
    .map(({ name, sources }) => ({ name, sources }));
  expect(named).toEqual([{ name: "identity", sources: [{ name: "system_prompt", firstLine: 2, lastLine: 4 }] }]);
});

test("the request says which lines of the prompt the agent's version has added, and the last call what was cached", async () => {
  await start({}, [{ text: "ok" }, { text: "ok" }]);
  await say("first", "admin");
  expect((await contextOf("admin", "?request=true")).request?.sections[0]).not.toHaveProperty("newLines");
  const config = { name: "Ada", ...QUIET_AGENT, system_prompt: `${TEXT}\n\nAnswer briefly.`, context_window: 1_000 };
  await publishChange(server.services, "ada", () => config, { createdById: null });
  const { request } = await contextOf("admin", "?request=true");
  expect(request?.sections[0]).toMatchObject({ newLines: [3], newIn: 2 });
  expect(request?.cachedTokens).toBe(0);
});

async function askLast(as: Role, owner = as): Promise<Response> {
  const params = { threadId: await threadId(owner) };
  return server.call(getLast, { as, params, path: "/api/threads/t/context/last" });
}

test("what the last call sent can be compared with the next one, by whom may read the prompt", async () => {
  await start();
  await say("first", "admin");
  const { step, request }: LastRequest = await (await askLast("admin")).json();
  expect(step).toBe(1);
  expect(request?.sections.map(({ text }) => text)).toEqual([TEXT]);
  expect(request?.messages.map(({ content }) => content)).toEqual(["first"]);
  const context = await contextOf("admin");
  expect(context).toMatchObject({ agentName: "Ada", version: 1, lastStep: 1, nextStep: null });
  await say("mine");
  expect((await askLast("member")).status).toBe(403);
  expect((await askLast("admin", "member")).status).toBe(404);
});

test("a run that waits says which step comes next, and the message that waits behind it has its size", async () => {
  const permissions = { enabled: true, ask: ["write_file"] };
  await start({ backend: { type: "state" }, permissions, trace: { show_prompt: "everyone" } }, [writes("a.txt")]);
  await say("write");
  expect(await contextOf()).toMatchObject({ lastStep: 1, nextStep: 2 });
});

const SKILL = "---\nname: slides\ndescription: Makes slides\n---\n# Body";

test("the prompt's skills and documents are counted: those it names, of those that were found", async () => {
  await start({
    backend: { type: "state" },
    skills: { paths: ["skills"], enabled: ["slides"] },
    memory: { paths: ["AGENTS.md"] },
  });
  await say("hi");
  expect((await contextOf()).counts).toMatchObject({ skills: null, documents: 0 });
  const id = await threadId();
  for (const [path, text] of Object.entries({
    "skills/slides/SKILL.md": SKILL,
    "skills/other/SKILL.md": SKILL.replace("slides", "other"),
    "AGENTS.md": "Remember this.",
  })) {
    const reply = await server.call(putFile, {
      as: "member",
      params: { threadId: id },
      path: "/api/threads/t/files",
      method: "PUT",
      body: { path, content: text },
    });
    expect(reply.status, await reply.clone().text()).toBeLessThan(300);
  }
  expect((await contextOf()).counts).toMatchObject({ skills: { named: 1, all: 2 }, documents: 1 });
});
