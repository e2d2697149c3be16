import { expect, test } from "vitest";
import { encodeText } from "@/lib/agent/workspace/file-text";
import { memoryHook } from "@/lib/hooks/memory";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createTestHistory, createTestWorkspace, readText } from "@/lib/testing/files/test-workspace";
import { runWith } from "@/lib/testing/scripted/run-with";
import { lossWarning } from "@/lib/tools/files/loss-warning";
import { MEMORY_TOOL_NAMES } from "./memory-tools";

const NOTE = "memory/197001/19700101.md";

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

async function callAll(files: Record<string, string>, calls: readonly Call[], tools = MEMORY_TOOL_NAMES) {
  const workspace = createTestWorkspace(files);
  const fileHistory = createTestHistory();
  const hook = memoryHook({ workspace, workdir: "/workspace", paths: ["AGENTS.md"], fileHistory });
  const config: Partial<AgentConfigInput> = { tools };
  const scripted = calls.map((call, at) => ({ id: `c${at}`, ...call }));
  const { requests, events } = await runWith([{ calls: scripted }, "done"], { hooks: [hook], config });
  const results = events
    .flatMap((event) => (event.type === "tool.result" ? [event.result] : []))
    .toSorted((left, right) => left.toolCallId.localeCompare(right.toolCallId));
  return { workspace, requests, results, fileHistory };
}

test("only the memory tools that the agent names are offered", async () => {
  const { requests } = await callAll({}, [], ["memory_read", "memory_s*"]);
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(["memory_read", "memory_search"]);
});

test("notes are appended to today's page, however many at once", async () => {
  const notes = Array.from({ length: 8 }, (_, at) => ({ name: "memory_append", args: { text: `note ${at}` } }));
  const { workspace, fileHistory, results } = await callAll({ [NOTE]: "# 1970-01-01\n\nbefore" }, notes);
  const text = await readText(workspace, NOTE);
  expect(text.startsWith("# 1970-01-01\n\nbefore\n\nnote 0\n\nnote 1\n")).toBe(true);
  for (const at of notes.keys()) expect(text).toContain(`note ${at}\n`);
  expect(fileHistory.changes).toHaveLength(8);
  expect(JSON.parse(results[0]?.output ?? "")).toEqual({ path: NOTE, message: `Note added to ${NOTE}` });
});

test("the first note of a day begins its page", async () => {
  const { workspace } = await callAll({}, [{ name: "memory_append", args: { text: " one \n" } }]);
  expect(await readText(workspace, NOTE)).toBe("# 1970-01-01\n\none\n");
});

test("documents are read by kind and date, and a missing one is not an error", async () => {
  const files = { "MEMORY.md": "long", "memory/202610/20261031.md": "october", "AGENTS.md": "agent" };
  const read = (args: Record<string, unknown>) => ({ name: "memory_read", args });
  const { results } = await callAll(files, [
    read({ kind: "long_term" }),
    read({ kind: "daily", date: "2026-10-31" }),
    read({ kind: "agent" }),
    read({ kind: "daily" }),
    read({ kind: "daily", date: "2026-13-31" }),
    read({ kind: "daily", date: "2026-02-31" }),
  ]);
  expect(results.slice(0, 3).map(({ output }) => output)).toEqual(["long", "october", "agent"]);
  expect(results[3]?.output).toBe(`Nothing is there yet: ${NOTE}.`);
  expect(results[4]?.error).toContain("There is no day 2026-13-31");
  expect(results[5]?.error).toContain("There is no day 2026-02-31");
});

test("a rewrite that drops most of the long-term memory says what is gone", async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `- fact number ${at} about the project`);
  const { results, workspace } = await callAll({ "MEMORY.md": lines.join("\n") }, [
    { name: "memory_write", args: { text: lines[0] } },
  ]);
  expect(await readText(workspace, "MEMORY.md")).toBe(`${lines[0]}\n`);
  expect(JSON.parse(results[0]?.output ?? "").message).toMatch(
    /Warning: 9\d% of the former document is gone.*\n- fact number 1 /s,
  );
});

test("a rewrite that keeps half, or replaces a line or two, does not cause a warning", () => {
  const lines = Array.from({ length: 10 }, (_, at) => `- fact number ${at} about the project`);
  const loss = (before: string, after: string) => lossWarning({ before: encodeText(before), after: encodeText(after) });
  expect(loss(lines.join("\n"), lines.slice(5).join("\n"))).toBe("");
  expect(loss(lines.join("\n"), lines.slice(6).join("\n"))).toContain("Warning");
  expect(loss("short", "other")).toBe("");
});

test("a search finds snippets in old notes, with the line where they begin, and what was written just now", async () => {
  const files = {
    "memory/202401/20240105.md": `# 2024-01-05\n\n${"filler text. ".repeat(70)}\n\nThe harbour gate code is 4711.`,
    "AGENTS.md": "Nothing about ports.",
  };
  const { results } = await callAll(files, [
    { name: "memory_search", args: { query: "What is the code of the harbour gate?" } },
  ]);
  const { snippets } = JSON.parse(results[0]?.output ?? "");
  expect(snippets).toEqual([{ path: "memory/202401/20240105.md", line: 5, text: "The harbour gate code is 4711." }]);
});
