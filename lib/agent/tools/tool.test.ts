import { expect, test } from "vitest";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { describeCall } from "./tool";

function describeBuiltin(name: string, args: Record<string, unknown>) {
  const [tool] = listBuiltinTools().find(([known]) => known.name === name) ?? [];
  return describeCall(tool, args);
}

test("a built-in tool describes its calls and has its own question for the person", () => {
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

test("unexpected arguments produce neither a gist nor an error", () => {
  for (const name of listBuiltinTools().map(([tool]) => tool.name)) {
    expect(describeBuiltin(name, { todos: "x", pattern: 1, path: {}, command: null }).gist).toBeTypeOf("string");
  }
});

test("without a gist of the tool's own, the most telling argument is used, at most 200 characters of it", () => {
  expect(describeCall(undefined, { city: "Bern" })).toEqual({ kind: "other", gist: "city: Bern" });
  expect(describeCall(undefined, { path: "a".repeat(300) }).gist).toBe(`${"a".repeat(200)}…`);
});
