import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { FlowPreview } from "@/lib/schema/agents/flow-preview";
import type { PromptPreview } from "@/lib/schema/agents/prompt";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { PUT as saveDraft } from "./draft/route";
import { POST as previewFlow } from "./preview-flow/route";
import { POST as previewPrompt } from "./preview-prompt/route";

let server: RunServer;
afterEach(() => server.close());

const params = { agentId: "ada" };
const ANSWER = [{ text: "ok" }];

async function start(config: Partial<AgentConfigInput> = {}, script: Parameters<typeof startRunServer>[0] = ANSWER) {
  server = await startRunServer(script);
  const raw = { name: "Ada", model: "scripted:m", system_prompt: "Live text.", context_window: 9_000, ...config };
  await createAgent(server.services, { agentId: "ada", raw, createdById: null });
}

async function look<Reply>(route: typeof previewFlow, body: object): Promise<Reply> {
  const reply = await server.call(route, { as: "admin", method: "POST", params, body });
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
}

const keepDraft = (yaml: string) =>
  server.call(saveDraft, { as: "admin", method: "PUT", params, body: { yaml, revision: 0 } });

test("a preview is of the draft or of a version, whichever is named", async () => {
  await start();
  await keepDraft("name: Ada\nmodel: scripted:m\nsystem_prompt: Draft text.\ncontext_window: 5000\n");
  const live = await look<PromptPreview>(previewPrompt, {});
  const first = await look<PromptPreview>(previewPrompt, { version: "1" });
  const draft = await look<PromptPreview>(previewPrompt, { version: "draft" });
  expect(live).toMatchObject({ text: "Live text.", window: 9_000, windowFrom: "agent" });
  expect(first).toEqual(live);
  expect(draft).toMatchObject({ text: "Draft text.", window: 5_000 });
  const unknown = await server.call(previewPrompt, { as: "admin", method: "POST", params, body: { version: "7" } });
  expect(unknown.status).toBe(404);
});

test("a draft that is not a config yet is refused by its problem", async () => {
  await start();
  await keepDraft("name: Ada\nmax_iterations: many\n");
  const reply = await server.call(previewFlow, { as: "admin", method: "POST", params, body: { version: "draft" } });
  expect(reply.status).toBe(400);
  expect(await reply.text()).toContain("max_iterations");
});

test("a preview says which hook added a section, what brings a tool along, and tries another mode", async () => {
  await start({ tools: ["calculate"], backend: { type: "state" } });
  const plain = await look<PromptPreview>(previewPrompt, {});
  expect(plain.sections.map(({ name, from }) => [name, from])).toEqual([["identity", "agent"]]);
  const origins = Object.fromEntries(plain.tools.map(({ name, from }) => [name, from]));
  expect(origins).toMatchObject({ calculate: "agent", read_file: "hook", write_todos: "hook" });
  expect(plain.tools.find(({ name }) => name === "calculate")?.parameters).toMatchObject({ type: "object" });
  const full = await look<PromptPreview>(previewPrompt, { mode: "full" });
  expect(full.mode).toBe("full");
  expect(full.sections.map(({ name, from }) => [name, from])).toContainEqual(["tooling", "prompt"]);
});

test("the flow has the verdict on each tool, and how many rules look at arguments", async () => {
  const permissions = {
    enabled: true,
    ask: ["write_file", { tool: "read_file", args: { path: "secrets/**" } }],
    deny: ["calculate"],
  };
  await start({ tools: ["calculate"], backend: { type: "state" }, permissions, fallback_models: ["scripted:second"] });
  const flow = await look<FlowPreview>(previewFlow, {});
  const tool = (name: string) => flow.tools.find((known) => known.name === name);
  expect(tool("write_file")).toMatchObject({ verdict: "ask", rules: 0, offered: true });
  expect(tool("read_file")).toMatchObject({ verdict: "allow", rules: 1, readOnly: true });
  expect(tool("calculate")).toMatchObject({ verdict: "deny", offered: false });
  expect(flow.models).toEqual(["scripted:m", "scripted:second"]);
  expect(flow.hooks[0]?.name).toBe("tracing");
});

test("the flow of a plain agent has its limits and no verdict but allow", async () => {
  await start({ max_iterations: 7, budget: { run_usd: 0.5 }, loop_guard: { enabled: false } });
  const flow = await look<FlowPreview>(previewFlow, {});
  expect(flow.ending).toMatchObject({ maxIterations: 7, runUsd: 0.5, onReach: "wait", stopAtRepeats: null });
  expect(new Set(flow.tools.map(({ verdict }) => verdict))).toEqual(new Set(["allow"]));
});

test("the flow names the models that are not offered a tool, because their provider refused it", async () => {
  const message = "Invalid schema for function 'calculate': 'object' is not valid under any of the given schemas";
  await start({ tools: ["calculate"] }, ({ tools = [] }) =>
    tools.some((tool) => tool.function.name === "calculate") ? { fault: { status: 400, message } } : { text: "ok" },
  );
  const refusers = async () =>
    (await look<FlowPreview>(previewFlow, {})).tools.map((tool) => [tool.name, tool.refusedBy]);
  expect(await refusers()).toContainEqual(["calculate", []]);
  const messages = [{ role: "user" as const, content: "hi" }];
  const answered = await server.call(invoke, { as: "admin", params: { id: "ada" }, body: { messages } });
  expect(answered.status).toBe(200);
  expect(await refusers()).toContainEqual(["calculate", ["scripted:m"]]);
});
