import { expect, test } from "vitest";
import { guardHook } from "@/lib/agent/hooks/guard";
import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createTestWorkspace } from "@/lib/testing/files/test-workspace";
import { runWith, testConfig } from "@/lib/testing/scripted/run-with";
import { availableHooks } from "./available-hooks";
import { findOrderProblems, standardHooks } from "./standard-hooks";

function hooksOf(config: Partial<AgentConfigInput>) {
  const parsed = testConfig(config);
  const workspace = parsed.backend ? createTestWorkspace() : null;
  return standardHooks({ config: parsed, workspace, fileHistory: null, verboseTrace: false });
}
const namesOf = (config: Partial<AgentConfigInput>) => hooksOf(config).map((hook) => hook.name);

const backend = { type: "state" as const };
const everything = { backend, skills: { paths: ["skills"] }, memory: { paths: ["AGENTS.md"] } };

test("with everything configured, the six hooks are in S0's order", () => {
  expect(namesOf(everything)).toEqual(["tracing", "todolist", "filesystem", "skills", "memory", "summarization"]);
});

test("without a backend there are no file tools, skills or memory, but results are still cut", () => {
  expect(namesOf({ skills: { paths: ["skills"] }, memory: { paths: ["AGENTS.md"] } })).toEqual([
    "tracing",
    "todolist",
    "eviction",
    "summarization",
  ]);
});

test("skills and memory need paths", () => {
  expect(namesOf({ backend })).toEqual(["tracing", "todolist", "filesystem", "summarization"]);
});

test("an explicit list is the order, and its entries can be disabled", () => {
  const hooks = ["summarization", { name: "tracing", enabled: false }, "todolist"];
  expect(namesOf({ ...everything, hooks })).toEqual(["summarization", "todolist"]);
});

test.each([
  ['there is no hook "traicing"', ["traicing"]],
  ["todolist is listed twice", ["todolist", "todolist"]],
  ["settings of summarization", [{ name: "summarization", config: { ratio: 2 } }]],
  ["settings of todolist", [{ name: "todolist", config: { colour: "red" } }]],
])("a wrong list is refused: %s", (problem, hooks) => {
  expect(() => hooksOf({ hooks })).toThrow(problem);
});

test("tracing is outermost and permissions are outside every other tool ring, whatever an older list says", () => {
  const hooks = ["filesystem", "permissions", "todolist", "tracing"];
  const permissions = { enabled: true };
  expect(namesOf({ backend, hooks, permissions })).toEqual(["tracing", "permissions", "filesystem", "todolist"]);
});

test("an order that lets calls escape tracing or permissions is refused with its place", () => {
  const refused = (hooks: string[]) => findOrderProblems(testConfig({ hooks }));
  expect(refused(["todolist", "tracing"])).toEqual([
    { path: "hooks.1", message: "tracing stays first: it must see every call." },
  ]);
  expect(refused(["tracing", "filesystem", "permissions"])).toEqual([
    {
      path: "hooks.2",
      message: "permissions stays outside filesystem: no other ring around tools may run a call before it is allowed.",
    },
  ]);
  expect(refused(["tracing", "memory", "permissions", "filesystem"])).toEqual([]);
});

test("settings of an entry override the agent's own section", () => {
  const hooks = [{ name: "skills", config: { paths: ["other"] } }];
  expect(namesOf({ backend, hooks })).toEqual(["skills"]);
});

test("the phases of a hook are the methods that it defines", () => {
  const phases = Object.fromEntries(hooksOf(everything).map((hook) => [hook.name, hookPhases(hook)]));
  expect(phases).toEqual({
    tracing: ["wrap_model_call", "wrap_tool_call"],
    todolist: ["before_agent"],
    filesystem: ["before_agent", "wrap_tool_call"],
    skills: ["before_agent", "modify_request"],
    memory: ["before_agent", "modify_request"],
    summarization: ["wrap_model_call"],
  });
});

test("tools.deny also keeps a hook's tools from being offered", async () => {
  const config = { ...everything, tools: { allow: [], deny: ["edit_*", "write_todos"] } };
  const { requests } = await runWith(["ok"], { config, hooks: hooksOf(config) });
  expect(requests[0]?.tools.map((tool) => tool.name)).toEqual(["ls", "read_file", "write_file", "glob", "grep"]);
});

test("a plain agent sends only its own text, the thread and write_todos", async () => {
  const { requests } = await runWith(["ok"], { hooks: hooksOf({}) });
  expect(requests[0]?.system).toEqual([{ name: "identity", text: "You are a test." }]);
  expect(requests[0]?.messages).toEqual([{ role: "user", content: "go" }]);
  expect(requests[0]?.tools.map((tool) => tool.name)).toEqual(["write_todos"]);
});

test("the usage log writes a line for each ended run", async () => {
  const hooks = hooksOf({ hooks: ["usage-log"] });
  const { logLines } = await runWith(["ok"], { hooks });
  expect(logLines).toEqual(["info run usage"]);
});

test("a guard shows its own phases", () => {
  const guard = guardHook("rules", { preToolUse: async () => ({ verdict: "allow" }), postGeneration: async () => {} });
  expect(hookPhases(guard)).toEqual(["pre_tool_use", "after_agent"]);
});

test("every hook that may be listed is described with its phases", () => {
  const hooks = availableHooks();
  expect(hooks.map((hook) => hook.name)).toContain("eviction");
  for (const { description, phases } of hooks)
    expect([description, phases[0]]).toEqual([expect.any(String), expect.any(String)]);
});
