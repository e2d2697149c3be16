import { describe, expect, it } from "vitest";
import { summaryPrompt } from "@/lib/context/summary-prompt";
import type { ScriptedStep } from "@/lib/models/scripted-model";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import { standardHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { createMemoryFileStore } from "@/lib/testing/files/memory-file-store";
import { runWith, testConfig } from "@/lib/testing/scripted/run-with";
import { builtinTools } from "@/lib/tools/builtin-tools";
import { createStateWorkspace } from "@/lib/workspaces/state-workspace";
import { decide } from "./brain";

const thinks: ScriptedStep = (request) => {
  const { thought, say, calls } = decide(request);
  return { reasoning: thought, text: say, calls: calls.map(({ tool, args }) => ({ name: tool, args })) };
};

/** A complete run of the demo model with the real loop, hooks, tools and an in-memory workspace. */
async function run(text: string, files: Record<string, string> = {}, more: Partial<AgentConfigInput> = {}) {
  const workspace = createStateWorkspace(createMemoryFileStore(files));
  const config = { backend: { type: "state" as const }, ...more };
  const hooks = standardHooks({ config: testConfig(config), workspace, fileHistory: null, verboseTrace: false });
  const result = await runWith(Array<ScriptedStep>(25).fill(thinks), {
    config,
    hooks,
    tools: builtinTools(),
    input: [{ role: "user", content: text }],
  });
  const read = async (path: string) => new TextDecoder().decode((await workspace.read(path, 100_000)).bytes);
  const { status, response } = result.outcome;
  const toolCalls = result.events.filter(({ type }) => type === "tool.result");
  return { status, response, read, toolCalls, todos: result.environment.state.todos };
}

describe("the demo model running", () => {
  it("builds a website, keeps its todos and sums up", async () => {
    const { status, response, read, todos } = await run("Plan and create a small website about bees");
    expect(status).toBe("completed");
    expect(await read("bees/index.html")).toContain("<h1>Bees</h1>");
    expect(await read("bees/style.css")).toContain("font-family");
    expect(todos.map((todo) => todo.status)).toEqual(["done", "done", "done", "done"]);
    expect(response).toMatch(/\| `bees\/index\.html` \| \d+ \|/);
  });

  it("writes, changes, finds and lists a file in one request", async () => {
    const { response, read, todos } = await run(
      "Create hello.py that prints Hi; replace Hi with Bye in hello.py; search for Bye; list files",
    );
    expect(await read("hello.py")).toBe('print("Bye")\n');
    expect(response).toContain("1 line has");
    expect(response).toContain("| `hello.py` | file | 13 |");
    expect(todos.every((todo) => todo.status === "done")).toBe(true);
  });

  it("remembers what it learned in an earlier conversation", async () => {
    const { read } = await run("Remember that I like tea", { "AGENTS.md": "# Notes\n\n- be brief\n" });
    expect(await read("AGENTS.md")).toBe("# Notes\n\n- be brief\n- I like tea\n");
    expect(await (await run("remember that I like tea")).read("AGENTS.md")).toBe("# Notes\n\n- I like tea\n");
  });

  it("calculates and tells the time", async () => {
    const { response } = await run("calculate sqrt(16) * (2 + 3) then what time is it in Berlin?");
    expect(response).toContain("**20**");
    expect(response).toContain("1970-01-01T01:00:00+01:00");
  });

  it("reads the skill that a message asks for, then does the rest of the message", async () => {
    const files = { "skills/bees/SKILL.md": "---\nname: bees\ndescription: All about bees\n---\n# Be kind to bees" };
    const skills = { paths: ["skills"] };
    const { status, response, read } = await run("/bees create a.txt with hum", files, { skills });
    expect(status).toBe("completed");
    expect(response).toContain("I read the skill **bees**");
    expect(response).toContain("# Be kind to bees");
    expect(await read("a.txt")).toContain("hum");
    expect((await run("/bees", files, { skills })).response).toContain("# Be kind to bees");
  });

  it.each([
    ["notes.txt", "Read notes.txt", 1],
    ["notes-2.txt", "Open the file notes.txt.", 1],
    ["notes.txt", "search for bees in notes.txt", 2],
  ])("finds the attached file %s where it was put when it is asked to %s", async (name, words, calls) => {
    const path = `uploads/${name}`;
    const message = `${words}\n\nAttached files, in the workspace:\n- ${path} (12 B)`;
    const { status, response, toolCalls } = await run(message, { [path]: "All of bees\n" });
    expect(status).toBe("completed");
    expect(response).toContain("All of bees");
    expect(response).not.toMatch(/failed|no file/iu);
    expect(toolCalls).toHaveLength(calls);
  });

  it("is honest when a tool refuses", async () => {
    const { status, response } = await run("replace a with b in missing.txt");
    expect(status).toBe("completed");
    expect(response).toContain("`edit_file` failed");
  });

  it("says that commands need a sandbox when there is none", async () => {
    const { response } = await run("run ls");
    expect(response).toContain("bubblewrap");
  });

  it("summarises what the summarization hook gives it", () => {
    const call = { id: "1", name: "write_file", args: { path: "a.txt" }, rawArgs: "{}" };
    const messages: Message[] = [
      { role: "user", content: "create a.txt\n\nwith two lines" },
      { role: "assistant", content: "I write it.", toolCalls: [call] },
      { role: "tool", toolCallId: "1", name: "write_file", content: "ok" },
    ];
    const content = summaryPrompt(messages, {
      truncateChars: 100,
      budgetTokens: 2_500,
      charsPerToken: 4,
      maxWords: 100,
    });
    const request = {
      system: [],
      messages: [{ role: "user" as const, content }],
      tools: [],
      maxTokens: 10,
      temperature: null,
    };
    const { say } = decide(request);
    expect(say).toContain("- create a.txt with two lines");
    expect(say).toContain("- I write it.");
    expect(say).toContain("`write_file`");
  });
});
