import { expect, test } from "vitest";
import { listHooks, moveEntry, switchHook, whyForbidden, writeHooks } from "./hook-list";
import type { KnownHook } from "./hook-queries";
import { hookRows } from "./hook-rows";

function hook(name: string, phases: string[], standard = true): KnownHook {
  const extension = standard ? null : { file: `${name}.ts`, hash: "8c1f20aa" };
  return { name, description: `Does ${name}.`, phases, config_schema: {}, standard, extension };
}
const KNOWN = [
  hook("tracing", ["wrap_model_call", "wrap_tool_call"]),
  hook("permissions", ["wrap_tool_call"]),
  hook("todolist", ["before_agent"]),
  hook("summarization", ["wrap_model_call"]),
  hook("prompt", ["before_agent", "modify_request"]),
  hook("gate", ["pre_tool_use"], false),
];
const namesOf = (config: Record<string, unknown>) => listHooks(config, KNOWN).map(({ name }) => name);

test("the standard order is shown where the draft lists nothing, extensions below it as off", () => {
  const rows = hookRows({}, KNOWN, []);
  expect(rows.map(({ name, state, place }) => [name, state, place])).toEqual([
    ["tracing", "on", 0],
    ["permissions", "off", 1],
    ["todolist", "on", 2],
    ["summarization", "on", 3],
    ["prompt", "off", 4],
    ["gate", "off", null],
  ]);
});

test("a phase is numbered by the hooks that take part in it; what is off has no number", () => {
  const rows = hookRows({ permissions: { enabled: true }, hooks: ["tracing", "gate"] }, KNOWN, []);
  expect(rows.flatMap(({ name, numbers }) => (numbers.wrap_tool_call ? [[name, numbers.wrap_tool_call]] : []))).toEqual(
    [
      ["tracing", 1],
      ["permissions", 2],
      ["gate", 3],
    ],
  );
});

test("a list without them has permissions inside tracing and prompt last, as the engine has", () => {
  expect(namesOf({ hooks: ["tracing", "prompt", "todolist"] })).toEqual([
    "tracing",
    "permissions",
    "todolist",
    "prompt",
  ]);
});

test("a hook that did not load keeps its place with what is wrong", () => {
  const problem = { path: "hooks.1", message: "The extension x.ts could not be loaded.", severity: "error" as const };
  const rows = hookRows({ hooks: ["tracing", "x", "todolist"] }, KNOWN, [problem]);
  expect(rows.find(({ name }) => name === "x")).toMatchObject({ state: "failed", words: problem.message, place: 2 });
});

test("a wrong setting is a problem of its field, whether the entry or the section sets it", () => {
  const problems = [
    { path: "hooks.1.config.word", message: "settings of gate: too short", severity: "error" as const },
    { path: "summarization.ratio", message: "must be at most 1", severity: "error" as const },
  ];
  const rows = hookRows({ hooks: ["tracing", { name: "gate" }, "summarization"] }, KNOWN, problems);
  const problemsOf = (name: string) => rows.find((row) => row.name === name)?.problems;
  expect(problemsOf("gate")).toEqual([{ path: "word", message: "too short" }]);
  expect(problemsOf("summarization")).toEqual([{ path: "ratio", message: "must be at most 1" }]);
});

test.each([
  [2, 0, "tracing stays first: it must see every call."],
  [2, 5, "prompt stays last: it must see what all others add."],
  [4, 1, "permissions stays outside gate: no other ring around tools may run a call before it is allowed."],
  [3, 2, null],
])("moving %d to %d: %s", (from, to, why) => {
  const entries = listHooks({ hooks: ["tracing", "permissions", "todolist", "summarization", "gate"] }, KNOWN);
  const names = moveEntry(entries, from, to).map(({ name }) => name);
  expect(whyForbidden(names, KNOWN)).toBe(why);
});

test("switching a hook writes the shortest list, and the standard order none", () => {
  const [[, off] = []] = switchHook({}, KNOWN, { name: "todolist", isOn: false });
  expect(off).toContainEqual({ name: "todolist", enabled: false });
  expect(switchHook({ hooks: off }, KNOWN, { name: "todolist", isOn: true })).toEqual([[["hooks"], undefined]]);
  expect(writeHooks(listHooks({}, KNOWN), KNOWN)).toBeUndefined();
});

test("an extension that is switched on stands before prompt", () => {
  const [[, hooks] = []] = switchHook({}, KNOWN, { name: "gate", isOn: true });
  expect(hooks).toEqual(["tracing", "permissions", "todolist", "summarization", "gate", "prompt"]);
});

test("permissions and summarization have a switch of their own in the config", () => {
  expect(switchHook({}, KNOWN, { name: "permissions", isOn: true })).toEqual([
    [["permissions", "enabled"], true],
    [["hooks"], undefined],
  ]);
  expect(switchHook({}, KNOWN, { name: "summarization", isOn: false })[0]).toEqual([
    ["summarization", "enabled"],
    false,
  ]);
});
