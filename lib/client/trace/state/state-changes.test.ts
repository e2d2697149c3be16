import { expect, test } from "vitest";
import type { RunState, StateFile } from "@/lib/schema/traces/run-state";
import { stateChanges } from "./state-changes";

const file = (path: string, sha256: string | null, changedAtStep: number | null = null): StateFile => ({
  path,
  sha256,
  sizeBytes: 1,
  changedAtStep,
  isKept: sha256 !== null,
});

const state = (more: Partial<RunState> = {}): RunState => ({
  runId: "run",
  step: 2,
  steps: 3,
  todos: [],
  files: [],
  hasMoreFiles: false,
  memory: [],
  summary: null,
  promptHash: "p",
  toolNames: [],
  rules: { mode: "default" },
  grants: [],
  missing: [],
  ...more,
});

const changesOf = (items: readonly { readonly item: unknown; readonly change: string | null }[]) =>
  items.map(({ item, change }) => [
    typeof item === "object" && item !== null && "path" in item ? item.path : item,
    change,
  ]);

test("files are added, changed, deleted or the same, by path", () => {
  const before = state({ files: [file("b", "1"), file("c", "1"), file("d", "1")] });
  const now = state({ files: [file("a", "1"), file("b", "2"), file("c", "1")] });
  const { files, counts } = stateChanges(now, before);
  expect(changesOf(files)).toEqual([
    ["a", "added"],
    ["b", "changed"],
    ["c", null],
    ["d", "removed"],
  ]);
  expect(counts.files).toBe(3);
});

test("a cleaned up file differs only where another step wrote it", () => {
  const then = state({ files: [file("a", null, 1), file("b", null, 1)] });
  const now = state({ files: [file("a", null, 1), file("b", "2", 2)] });
  expect(changesOf(stateChanges(now, then).files)).toEqual([
    ["a", null],
    ["b", "changed"],
  ]);
});

test("plan, tools, summary, prompt, rules and grants count what differs", () => {
  const before = state({ todos: [{ id: "1", title: "a", status: "pending" }], toolNames: ["ls"], grants: ["g1"] });
  const now = state({
    todos: [{ id: "1", title: "a", status: "done" }],
    toolNames: ["ls", "grep"],
    summary: "Earlier: tea.",
    promptHash: "q",
    rules: { mode: "plan" },
    grants: ["g1", "g2"],
  });
  const { counts } = stateChanges(now, before);
  expect(counts).toEqual({ files: 0, plan: 1, memory: 0, summary: 1, prompt: 1, tools: 1, rules: 2 });
});

test("without another step, or where a part is unknown, nothing is said to differ", () => {
  const now = state({ files: [file("a", "1")], promptHash: null, rules: null, grants: null, todos: null });
  const none = { files: 0, plan: 0, memory: 0, summary: 0, prompt: 0, tools: 0, rules: 0 };
  expect(stateChanges(now, null).counts).toEqual(none);
  const other = state({ files: null, todos: [{ id: "1", title: "a", status: "done" }] });
  expect(stateChanges(now, other).counts).toEqual(none);
});
