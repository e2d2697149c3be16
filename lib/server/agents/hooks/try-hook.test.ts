import { expect, onTestFinished, test } from "vitest";
import { POST as tryHookRoute } from "@/app/api/agents/[agentId]/try-hook/route";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { TryHookReply } from "@/lib/schema/agents/try-hook";
import { saveDraft } from "@/lib/server/agents/drafts/agent-draft";
import { createAgent } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { startRunServer } from "@/lib/testing/servers/run-server";
import { tryHook } from "./try-hook";

const REDACT = `import { ask, defineHook, deny, guardHook, proceed, z } from "ringmaster";
const redact = defineHook({
  name: "redact",
  config: z.object({ by: z.string() }),
  create: ({ by }) => ({
    modifyRequest(request) {
      const messages = request.messages.map((message) => ({ ...message, content: message.content.replace(/SUP-[0-9]+/g, by) }));
      return { ...request, messages };
    },
    async wrapToolCall(call, next) {
      return next({ ...call, args: { ...call.args, checked: true } });
    },
    async wrapModelCall(request, next) {
      return next({ ...request, maxTokens: 1 });
    },
  }),
});
const gate = defineHook({
  name: "gate",
  create: () => guardHook({
    preToolUse: ({ call }) => call.args.path === "a" ? deny("Not a.") : call.args.path === "b" ? ask("Really b?") : proceed(),
  }),
});
const broken = defineHook({
  name: "broken",
  create: () => ({
    modifyRequest() {
      throw new Error("no such table");
    },
  }),
});
const slow = defineHook({ name: "slow", create: () => ({ modifyRequest: () => new Promise(() => {}) }) });
const asking = defineHook({
  name: "asking",
  create: () => ({
    async modifyRequest(request, context) {
      await context.model.call(request, { signal: context.signal }).catch(() => null);
      return request;
    },
  }),
});
const endless = defineHook({ name: "endless", create: () => ({ modifyRequest() { for (;;); } }) });
const late = defineHook({
  name: "late",
  create: () => ({
    async modifyRequest(request) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      for (;;);
    },
  }),
});
const strict = defineHook({
  name: "strict",
  create: () => guardHook({
    preToolUse: ({ call }) => {
      if (call.args.path === "loop") for (;;);
      throw new Error("no such rule");
    },
  }),
});
export default [redact, gate, broken, slow, asking, endless, late, strict];
`;
const HOOKS = [
  "tracing",
  { name: "redact", config: { by: "[ticket]" } },
  "gate",
  "broken",
  "slow",
  "asking",
  "endless",
  "late",
  "strict",
];
const TICKET = [
  { role: "user" as const, content: "Hello" },
  { role: "assistant" as const, content: "Hi", toolCalls: [] },
  { role: "user" as const, content: "See SUP-48213" },
];

async function start(config: RawConfig = {}) {
  const folder = await extensionFolder({ "redact.ts": REDACT });
  const server = await startRunServer([]);
  onTestFinished(async () => {
    await server.close();
    folder.close();
  });
  const raw = { name: "A", model: "scripted:m", hooks: HOOKS, ...config };
  await createAgent(server.services, { agentId: "a", raw, createdById: null });
  const ask = (body: unknown, as: "admin" | "member" = "admin") =>
    server.call(tryHookRoute, { as, params: { agentId: "a" }, body });
  const tried = async (body: unknown) => {
    const response = await ask(body);
    const json = await response.json();
    expect(response.status, JSON.stringify(json)).toBe(200);
    return TryHookReply.parse(json);
  };
  return { server, ask, tried };
}

test("one hook changes the messages of a request, and nothing else does", async () => {
  const { server, tried } = await start();
  const { before, after, error } = await tried({ hook: "redact", phase: "modify_request", messages: TICKET });
  expect(error).toBeUndefined();
  expect(before).toMatchObject({ messages: TICKET });
  expect(after).toMatchObject({ messages: [TICKET[0], TICKET[1], { content: "See [ticket]" }] });
  expect(await server.database.run.count()).toBe(0);
  expect(await server.database.message.count()).toBe(0);
});

test("the draft's settings count, not the published ones", async () => {
  const { tried } = await start();
  const hooks = HOOKS.map((entry) => (typeof entry === "string" ? entry : { ...entry, config: { by: "***" } }));
  const viewer = { id: "admin", role: "admin", name: "admin" } as const;
  await saveDraft(
    processServices(),
    "a",
    { config: { name: "A", model: "scripted:m", hooks }, revision: 0 },
    viewer as never,
  );
  const { after } = await tried({ hook: "redact", phase: "modify_request", messages: TICKET });
  expect(after).toMatchObject({ messages: [{}, {}, { content: "See ***" }] });
});

test("the rings around a model call and a tool call show what they pass on; neither model nor tool runs", async () => {
  const { tried } = await start({ tools: ["calculate"] });
  const model = await tried({ hook: "redact", phase: "wrap_model_call", messages: TICKET });
  expect(model).toMatchObject({ after: { messages: TICKET }, verdict: { verdict: "continue" } });
  const call = { name: "calculate", args: { expression: "1+1" }, result: "2" };
  const tool = await tried({ hook: "redact", phase: "wrap_tool_call", call });
  expect(tool.after).toEqual({
    call: { name: "calculate", args: { expression: "1+1", checked: true } },
    result: "2",
  });
});

test.each([
  ["a", { verdict: "deny", message: "Not a." }, null],
  ["b", { verdict: "ask", message: "Really b?" }, null],
  ["c", { verdict: "continue" }, { name: "calculate", args: { path: "c" } }],
])("a guard's verdict on %s", async (path, verdict, call) => {
  const { tried } = await start({ tools: ["calculate"] });
  const found = await tried({ hook: "gate", phase: "pre_tool_use", call: { name: "calculate", args: { path } } });
  expect(found.verdict).toEqual(verdict);
  expect(found.after).toMatchObject({ call });
});

test("a hook that throws names itself, its file and its line, and what a run would do", async () => {
  const { tried } = await start();
  const { before, after, error } = await tried({ hook: "broken", phase: "modify_request", messages: TICKET });
  expect(error).toEqual({
    kind: "threw",
    message: "this run would fail: hook broken modify_request: no such table",
    file: "redact.ts",
    line: REDACT.split("\n").findIndex((line) => line.includes("no such table")) + 1,
  });
  expect(after).toEqual(before);
});

test("a hook that asks the model says so", async () => {
  const { tried } = await start();
  const { error } = await tried({ hook: "asking", phase: "modify_request", messages: TICKET });
  expect(error).toMatchObject({ kind: "needs_model", message: expect.stringContaining("A try calls no model") });
});

test("a hook that hangs is cut off", async () => {
  await start();
  const body = { hook: "slow", phase: "modify_request" as const, messages: TICKET };
  const viewer = { id: "admin", role: "admin", name: "admin" } as never;
  const { error } = await tryHook(processServices(), { agentId: "a", body, limitMs: 20 }, viewer);
  expect(error).toMatchObject({ kind: "timeout", message: expect.stringContaining("did not finish within 0.02 s") });
});

test.each([
  { hook: "endless", phase: "modify_request", messages: TICKET },
  { hook: "late", phase: "modify_request", messages: TICKET },
  { hook: "strict", phase: "pre_tool_use", call: { name: "calculate", args: { path: "loop" } } },
])("a hook that never stops computing is ended, and the server keeps serving: $hook", async (body) => {
  const { tried } = await start({ tools: ["calculate"] });
  const { error } = await tried(body);
  expect(error).toMatchObject({
    kind: "timeout",
    message: expect.stringContaining("without a pause"),
    file: "redact.ts",
  });
});

test("a guard that throws denies the call, with the line where it threw", async () => {
  const { tried } = await start({ tools: ["calculate"] });
  const call = { name: "calculate", args: { path: "a" } };
  const { verdict, error } = await tried({ hook: "strict", phase: "pre_tool_use", call });
  expect(verdict).toMatchObject({ verdict: "deny", message: "hook strict pre_tool_use: no such rule" });
  expect(error).toMatchObject({
    kind: "threw",
    message: "this call would be denied: no such rule",
    file: "redact.ts",
    line: REDACT.split("\n").findIndex((line) => line.includes("no such rule")) + 1,
  });
});

test("a built-in hook is tried with the viewer's files, and writes none", async () => {
  const { server, tried } = await start({ backend: { type: "state" }, memory: { paths: ["AGENTS.md"] }, hooks: null });
  const { after } = await tried({ hook: "memory", phase: "modify_request", messages: TICKET });
  expect(after).toMatchObject({ system: [{ name: "memory", text: expect.stringContaining("<agent_memory>") }] });
  expect(await server.database.workspaceFile.count()).toBe(0);
});

test("permissions are tried with the agent's tools", async () => {
  const permissions = { enabled: true, deny: ["calculate"] };
  const { tried } = await start({ tools: ["calculate"], permissions, hooks: null });
  const call = { name: "calculate", args: { expression: "1" } };
  const { verdict } = await tried({ hook: "permissions", phase: "wrap_tool_call", call });
  expect(verdict).toMatchObject({ verdict: "deny" });
});

test.each([
  [{ hook: "redcat", phase: "modify_request", messages: TICKET }, 'there is no hook "redcat"'],
  [{ hook: "redact", phase: "after_agent", messages: TICKET }, "redact has no after_agent"],
  [{ hook: "redact", phase: "modify_request" }, "Send messages"],
  [{ hook: "skills", phase: "modify_request", messages: TICKET }, "skills does nothing"],
])("what can't be tried is refused in words: %o", async (body, words) => {
  const { ask } = await start();
  const response = await ask(body);
  expect(response.status).toBe(400);
  expect(JSON.stringify(await response.json()).replaceAll("\\", "")).toContain(words);
});

test("only administrators try hooks", async () => {
  const { ask } = await start();
  const response = await ask({ hook: "redact", phase: "modify_request", messages: TICKET }, "member");
  expect(response.status).toBe(403);
});
