import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as getAgent, PATCH as patchAgent } from "@/app/agents/[id]/route";
import { POST as createAgent } from "@/app/agents/route";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { importAgentsFile } from "@/lib/server/agents/import-agents";
import { env } from "@/lib/server/platform/env";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as importAgents } from "./import/route";
import { POST as validate } from "./validate/route";

const SAMPLES = path.resolve("lib/testing/document-samples");
const ANTHROPIC = expect.stringContaining("Set ANTHROPIC_API_KEY");
const FILE_TOOLS = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer(() => ({ text: "fine" }));
});
afterEach(() => server.close());

async function load(file: string) {
  const yaml = readFileSync(path.join(SAMPLES, file), "utf8");
  const reply = await server.call(importAgents, { as: "admin", method: "POST", body: { yaml, file } });
  return { status: reply.status, body: await reply.json() };
}

async function info(id: string): Promise<AgentInfo> {
  return (await (await server.call(getAgent, { as: "admin", params: { id } })).json()) as AgentInfo;
}

async function add(config: Record<string, unknown>) {
  const body = { agent_id: "a", name: "A", ...config };
  return await server.call(createAgent, { as: "admin", method: "POST", body });
}

const ask = (id: string) => {
  const body = { messages: [{ role: "user", content: "hi" }] };
  return server.call(invoke, { as: "member", method: "POST", params: { id }, body });
};

test("a file agents.yaml with one agent is the agent default, its docker backend local, without commands where no engine is", async () => {
  const { status, body } = await load("agents.yaml");
  const warnings = [
    { path: "model", message: ANTHROPIC },
    { path: "backend", message: expect.stringContaining("no Docker engine at") },
  ];
  expect([status, body]).toEqual([200, { agents: [{ id: "default", outcome: "created", warnings }], problems: [] }]);
  const agent = await info("default");
  expect(agent).toMatchObject({
    name: "code-assistant",
    model: "anthropic:claude-sonnet-4-20250514",
    context_window: 128_000,
    backend: { type: "local", sandbox: "docker", image: "python:3.12-slim", workdir: "/workspace" },
    skills: { paths: ["/workspace/skills"] },
    memory: { paths: ["/workspace/AGENTS.md"] },
    sandbox: { available: false, reason: expect.stringContaining("no Docker engine at") },
    warnings,
  });
  expect(agent.tools).toEqual(expect.arrayContaining(FILE_TOOLS));
  expect(agent.tools).not.toContain("execute");
  expect(agent.hooks.map(({ name }) => name)).toEqual(
    ["tracing", "todolist", "filesystem", "skills", "memory", "summarization"].map((name) =>
      expect.stringContaining(name),
    ),
  );
});

test("agents.yaml of the data directory is imported at start", async () => {
  cpSync(path.join(SAMPLES, "agents.yaml"), path.join(env().dataDirectory, "agents.yaml"));
  await importAgentsFile(server.services);
  expect((await info("default")).name).toBe("code-assistant");
});

test("another file gives its name to the agent, and a relative workdir is below the root", async () => {
  const { body } = await load("ollama-local.json");
  expect(body.agents).toMatchObject([{ id: "ollama-local", outcome: "created" }]);
  expect(await info("ollama-local")).toMatchObject({
    name: "Ollama Local",
    model: "ollama:llama3.1:8b",
    tools: expect.arrayContaining(["calculate", ...FILE_TOOLS]),
    backend: { type: "local", sandbox: "bubblewrap", workdir: "/workspace" },
    warnings: [{ path: "model", message: expect.stringContaining("OLLAMA_BASE_URL") }],
  });
});

test("the complete agent loads with its subagent, whose short model name means the vendor's model", async () => {
  const { body } = await load("complete-agent.yaml");
  const problem = expect.stringContaining("The provider anthropic is not configured");
  expect(body.agents).toEqual([
    {
      id: "complete-agent",
      outcome: "created",
      warnings: ["model", "subagents.0.model"].map((path) => ({ path, message: problem })),
    },
  ]);
  expect((await info("complete-agent")).tools).toContain("task");
});

test.each(["../up", "./a b", "/"])("a workdir %j is refused", async (workdir) => {
  const reply = await add({ backend: { type: "state", workdir } });
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, "backend.workdir"]);
});

test("a model of no known vendor is requested from the first provider", async () => {
  const made = await (await add({ model: "some-model" })).json();
  expect([made.model, made.warnings]).toEqual(["scripted:some-model", []]);
  expect((await ask("a")).status).toBe(200);
  expect(server.provider.requests.map(({ body }) => body.model)).toEqual(["some-model"]);
});

test("a missing provider is reported when the agent is saved, and its runs fail with the variable that fixes it", async () => {
  const made = await add({ model: "claude-haiku-4-5", fallback_models: ["google:gemini-2.5-pro"] });
  expect([made.status, (await made.json()).warnings]).toEqual([
    201,
    [
      { path: "model", message: ANTHROPIC },
      { path: "fallback_models.0", message: expect.stringContaining("Set GOOGLE_GENERATIVE_AI_API_KEY") },
    ],
  ]);
  const params = { id: "a" };
  const patched = await server.call(patchAgent, {
    as: "admin",
    method: "PATCH",
    params,
    body: { fallback_models: [] },
  });
  expect((await patched.json()).warnings).toEqual([{ path: "model", message: ANTHROPIC }]);
  const failed = await (await ask("a")).json();
  expect(failed.error.message).toEqual(ANTHROPIC);
  expect(server.provider.requests).toEqual([]);
});

test("with on_missing_provider: first the model's name goes to the first provider, and the warning says so", async () => {
  const made = await (await add({ model: "anthropic:claude-haiku-4-5", on_missing_provider: "first" })).json();
  expect(made).toMatchObject({
    model: "scripted:claude-haiku-4-5",
    warnings: [{ path: "model", message: expect.stringContaining("Until then scripted:claude-haiku-4-5 is asked") }],
  });
  expect((await ask("a")).status).toBe(200);
  expect(server.provider.requests.map(({ body }) => body.model)).toEqual(["claude-haiku-4-5"]);
});

test("the editor shows the warnings at their lines", async () => {
  const yaml = readFileSync(path.join(SAMPLES, "agents.yaml"), "utf8");
  const reply = await (await server.call(validate, { as: "admin", method: "POST", body: { yaml } })).json();
  expect(reply).toMatchObject({
    valid: true,
    problems: [
      { path: "model", severity: "warning", line: 2 },
      { path: "backend", severity: "warning", line: 5 },
    ],
  });
});
