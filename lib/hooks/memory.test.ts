import { expect, test } from "vitest";
import { runWith } from "@/lib/testing/run-with";
import { createTestWorkspace } from "@/lib/testing/test-workspace";
import { memoryHook } from "./memory";

async function memoryOf(files: Record<string, string>, paths: string[]) {
  const hook = memoryHook({ workspace: createTestWorkspace(files), workdir: "/workspace", paths });
  const { requests, logLines } = await runWith(["ok"], { hooks: [hook] });
  return { system: requests[0]?.system ?? [], logLines };
}

test("documents are joined and stand in a block at the end of the system prompt", async () => {
  const files = { "AGENTS.md": "# Notes", "team/AGENTS.md": "# Team" };
  const { system } = await memoryOf(files, ["/workspace/AGENTS.md", "team/AGENTS.md"]);
  expect(system.map((section) => section.name)).toEqual(["identity", "memory"]);
  expect(system[1]?.text.startsWith("<agent_memory>\n# Notes\n\n---\n\n# Team\n</agent_memory>\n")).toBe(true);
});

test("four bullets say how to use it", async () => {
  const { system } = await memoryOf({ "AGENTS.md": "x" }, ["AGENTS.md"]);
  const bullets = system[1]?.text.split("\n").filter((line) => line.startsWith("- "));
  expect(bullets).toHaveLength(4);
  expect(bullets?.join(" ")).toMatch(/later conversations.*edit_file on AGENTS\.md.*decisions.*short/);
});

test("a missing document is skipped silently", async () => {
  const { system, logLines } = await memoryOf({ "b.md": "B" }, ["a.md", "b.md"]);
  expect(system[1]?.text).toContain("<agent_memory>\nB\n</agent_memory>");
  expect(logLines).toEqual([]);
});

test("memory that the agent changes is there in its next run", async () => {
  const workspace = createTestWorkspace({ "AGENTS.md": "old" });
  const hook = () => memoryHook({ workspace, workdir: "/workspace", paths: ["AGENTS.md"] });
  await runWith(["ok"], { hooks: [hook()] });
  await workspace.write("AGENTS.md", new TextEncoder().encode("new"));
  const { requests } = await runWith(["ok"], { hooks: [hook()] });
  expect(requests[0]?.system[1]?.text).toContain("<agent_memory>\nnew\n");
});
