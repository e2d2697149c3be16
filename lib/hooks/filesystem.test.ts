import { expect, test } from "vitest";
import type { FileHistory, Workspace } from "@/lib/agent/workspace/workspace";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { EvictionConfig } from "@/lib/schema/agents/agent-config-context";
import { createTestHistory, createTestWorkspace } from "@/lib/testing/files/test-workspace";
import { runWith } from "@/lib/testing/scripted/run-with";
import { actionTool } from "@/lib/testing/scripted/test-tools";
import { createTestTrace } from "@/lib/testing/scripted/test-trace";
import { OutputCollector } from "@/lib/workspaces/sandbox/output-collector";
import { evictionHook } from "./eviction";
import { filesystemHook } from "./filesystem";
import { tracingHook } from "./tracing";

const backend = BackendConfig.parse({ type: "state" });
const eviction = EvictionConfig.parse({});
const marker = (count: number) => `\n\n... (truncated ${count} characters) ...\n\n`;

function filesystem(options: Partial<Parameters<typeof filesystemHook>[0]> = {}) {
  return filesystemHook({ workspace: createTestWorkspace(), fileHistory: null, backend, eviction, ...options });
}

test("a write is a version in the history, an event, and points at its tool span", async () => {
  const fileHistory = createTestHistory();
  const write = { calls: [{ name: "write_file", id: "c1", args: { path: "/workspace/a.txt", content: "hi" } }] };
  const { events } = await runWith([write, "ok"], {
    hooks: [tracingHook({ isVerbose: false }), filesystem({ fileHistory })],
    trace: createTestTrace(),
  });
  expect(fileHistory.changes).toMatchObject([{ path: "a.txt", before: null, toolCallId: "c1", spanId: "span_2" }]);
  expect(events.find((event) => event.type === "file.changed")).toEqual({
    type: "file.changed",
    path: "a.txt",
    operation: "created",
    version: 1,
    addedLines: 1,
    removedLines: 0,
    toolCallId: "c1",
  });
});

test("what a command writes is a version of its call and an event; nothing of it fails the call", async () => {
  const files = createTestWorkspace();
  const bytes = new TextEncoder().encode("made\n");
  const ended = { exitCode: 0, output: "", truncated: false, durationMs: 1 };
  const workspace: Workspace = {
    ...files,
    execute: async () => files.write("made.txt", bytes).then(() => ended),
    changedSince: async () => ({ changed: ["made.txt", "gone-again.txt"], present: null }),
  };
  const change = { operation: "created", version: 1, addedLines: 1, removedLines: 0 } as const;
  const recordFound: FileHistory["recordFound"] = async (found) => {
    expect(found).toMatchObject({ toolCallId: "c1", spanId: "span_2", files: [{ path: "made.txt", bytes }] });
    return [{ path: "made.txt", ...change }];
  };
  const run = { calls: [{ name: "execute", id: "c1", args: { command: "make" } }] };
  const tracing = tracingHook({ isVerbose: false });
  const hooks = [tracing, filesystem({ workspace, fileHistory: { ...createTestHistory(), recordFound } })];
  const { events } = await runWith([run, "ok"], { hooks, trace: createTestTrace() });
  const told = { type: "file.changed", path: "made.txt", ...change, toolCallId: "c1" };
  expect(events.filter(({ type }) => type === "file.changed")).toEqual([told]);

  const broken = { ...createTestHistory(), recordFound: () => Promise.reject(new Error("database is locked")) };
  const second = await runWith([run, "ok"], { hooks: [filesystem({ workspace, fileHistory: broken })] });
  expect(second.outcome.added[2]).not.toHaveProperty("isError");
  expect(second.logLines).toEqual(["error the files that a command changed were not recorded: database is locked"]);
});

test("a version that can't be kept is logged and the write succeeds", async () => {
  const fileHistory = { record: () => Promise.reject(new Error("database is locked")) };
  const write = { calls: [{ name: "write_file", args: { path: "a.txt", content: "hi" } }] };
  const { outcome, logLines } = await runWith([write, "ok"], { hooks: [filesystem({ fileHistory })] });
  expect(outcome.added[2]).not.toHaveProperty("isError");
  expect(logLines).toEqual(["error the version of a written file was not kept: database is locked"]);
});

test("the model's aliases of tools and arguments work", async () => {
  const write = { calls: [{ name: "Write", args: { file_path: "a.txt", content: "one" } }] };
  const edit = { calls: [{ name: "Edit", args: { file_path: "a.txt", old_string: "one", new_string: "two" } }] };
  const read = { calls: [{ name: "Read", args: { file_path: "a.txt" } }] };
  const { outcome } = await runWith([write, edit, read, "ok"], { hooks: [filesystem()] });
  expect(outcome.added[6]).toMatchObject({ name: "read_file", content: "two" });
});

const long = "a".repeat(2_000) + "b".repeat(80_000) + "c".repeat(2_000);
const talk = actionTool("talk", async () => ({ output: long, display: { whole: long } }));

test.each([
  ["with a workspace", filesystem()],
  ["without one", evictionHook(eviction)],
])("a result over 80,000 characters is cut %s and its display is not", async (_, hook) => {
  const { outcome, events } = await runWith([{ calls: [{ name: "talk" }] }, "ok"], { tools: [talk], hooks: [hook] });
  expect(outcome.added[2]?.content).toBe(`${"a".repeat(2_000)}${marker(80_000)}${"c".repeat(2_000)}`);
  expect(events.find((event) => event.type === "tool.result")).toMatchObject({
    result: { truncatedChars: 80_000, display: { whole: long } },
  });
});

test("a result of exactly 80,000 characters stays whole", async () => {
  const exact = actionTool("exact", async () => "x".repeat(80_000));
  const { outcome } = await runWith([{ calls: [{ name: "exact" }] }, "ok"], { tools: [exact], hooks: [filesystem()] });
  expect(outcome.added[2]?.content).toHaveLength(80_000);
});

test("the file tools' own results are never cut", async () => {
  const workspace = createTestWorkspace({ "a.txt": long });
  const read = { calls: [{ name: "read_file", args: { path: "a.txt" } }] };
  const { outcome } = await runWith([read, "ok"], { hooks: [filesystem({ workspace })] });
  expect(outcome.added[2]?.content).toBe(long);
});

test("the output of execute is cut", async () => {
  const workspace = createTestWorkspace({}, () => ({ output: long }));
  const run = { calls: [{ name: "execute", args: { command: "yes" } }] };
  const { outcome } = await runWith([run, "ok"], { hooks: [filesystem({ workspace })] });
  expect(outcome.added[2]?.content).toContain("... (truncated ");
});

test.each([
  ["79,000 characters of Chinese stay whole", 79_000, {}, [79_000, 79_000]],
  ["more of them are cut to their beginning and end", 100_000, {}, [3_900, 4_000]],
  ["a limit that is meant stays", 79_000, { max_output_bytes: 9_000 }, [3_000, 3_000]],
])("of the output of a command %s", async (_, length, changes, [least = 0, most = 0]) => {
  const files = createTestWorkspace({}, () => ({}));
  const workspace: Workspace = {
    ...files,
    async execute(_command, { maxOutputBytes }) {
      const half = Math.floor(maxOutputBytes / 2);
      const collector = new OutputCollector({ head: maxOutputBytes - half, tail: half });
      collector.add(Buffer.from("语".repeat(length)));
      return { exitCode: 0, output: collector.text(), truncated: collector.truncated, durationMs: 1 };
    },
  };
  const run = { calls: [{ name: "execute", args: { command: "cat" } }] };
  const settings = { ...backend, ...changes };
  const { outcome } = await runWith([run, "ok"], { hooks: [filesystem({ workspace, backend: settings })] });
  const kept = outcome.added[2]?.content.match(/语/g)?.length ?? 0;
  expect([kept >= least, kept <= most]).toEqual([true, true]);
});

test("eviction can be disabled", async () => {
  const hook = evictionHook({ ...eviction, enabled: false });
  const { outcome } = await runWith([{ calls: [{ name: "talk" }] }, "ok"], { tools: [talk], hooks: [hook] });
  expect(outcome.added[2]?.content).toBe(long);
});

test("a write over most of a memory document says what is gone; other files get no warning", async () => {
  const text = Array.from({ length: 20 }, (_, at) => `- rule number ${at}`).join("\n");
  const workspace = createTestWorkspace({ "AGENTS.md": text, "notes.txt": text });
  const write = (path: string) => ({ name: "write_file", args: { path, content: "- rule number 0\n" } });
  const calls = [write("/workspace/AGENTS.md"), write("notes.txt")];
  const hooks = [filesystem({ workspace, memoryPaths: ["/workspace/AGENTS.md"] })];
  const { events } = await runWith([{ calls }, "done"], { hooks });
  const outputs = events.flatMap((event) => (event.type === "tool.result" ? [event.result.output] : [])).toSorted();
  expect(JSON.parse(outputs[0] ?? "").message).toMatch(
    /Warning: 9\d% of the former document is gone.*\n- rule number 1\n/s,
  );
  expect(outputs[1]).not.toContain("Warning");
});
