import { expect, test } from "vitest";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { describeCall } from "./tool";

function describeBuiltin(name: string, args: Record<string, unknown>) {
  const [tool] = listBuiltinTools().find(([known]) => known.name === name) ?? [];
  return describeCall(tool, args);
}

test("a built-in tool says what its calls are about and what a person is asked", () => {
  expect(describeBuiltin("execute", { command: "npm test\n  --run" })).toEqual({
    kind: "command",
    gist: "npm test --run",
    question: "Run this command?",
  });
  expect(describeBuiltin("grep", { pattern: "TODO", path: "src" })).toEqual({ kind: "read", gist: "TODO in src" });
  expect(describeBuiltin("write_todos", { todos: [{ status: "done" }, { status: "pending" }] }).gist).toBe(
    "1 of 2 done",
  );
});

test("arguments that are not what the tool expects make no gist and no error", () => {
  for (const name of listBuiltinTools().map(([tool]) => tool.name)) {
    expect(describeBuiltin(name, { todos: "x", pattern: 1, path: {}, command: null }).gist).toBeTypeOf("string");
  }
});

test("of a tool that says nothing the most telling argument is the gist, at most 200 characters of it", () => {
  expect(describeCall(undefined, { city: "Bern" })).toEqual({ kind: "other", gist: "city: Bern" });
  expect(describeCall(undefined, { path: "a".repeat(300) }).gist).toBe(`${"a".repeat(200)}…`);
});
