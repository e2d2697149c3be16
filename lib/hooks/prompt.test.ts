import { expect, test } from "vitest";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { PromptFile } from "@/lib/schema/agents/prompt";
import { standardHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { createTestHistory, createTestWorkspace, readText } from "@/lib/testing/files/test-workspace";
import { runWith, testConfig } from "@/lib/testing/scripted/run-with";

interface Setting {
  readonly config: Partial<AgentConfigInput>;
  readonly files?: Record<string, string>;
  readonly agentFiles?: readonly PromptFile[];
  readonly isFirst?: boolean;
}

async function promptOf({ config, files = {}, agentFiles = [], isFirst = false }: Setting) {
  const backend = { type: "state" as const };
  const parsed = testConfig({ backend, ...config });
  const workspace = createTestWorkspace(files);
  const fileHistory = createTestHistory();
  const prompt = {
    agentFiles,
    threadName: async () => null,
    userName: async () => "Grace",
    isFirst: async () => isFirst,
  };
  const hooks = standardHooks({ config: parsed, workspace, fileHistory, verboseTrace: false, prompt });
  const { requests } = await runWith(["ok"], { hooks, config: { backend, ...config } });
  const sections = new Map(requests[0]?.system.map(({ name, text }) => [name, text]));
  return { sections, workspace, names: [...sections.keys()], fileHistory };
}

const full = { mode: "full" as const };

test("a plain agent sends only its own text, plus extra_context when that is set", async () => {
  expect((await promptOf({ config: {} })).names).toEqual(["identity"]);
  const { names, sections } = await promptOf({ config: { extra_context: "Be quick." } });
  expect(names).toEqual(["identity", "extra_context"]);
  expect(sections.get("extra_context")).toBe("<extra_context>\nBe quick.\n</extra_context>");
});

test("an open agent's first run writes the seven templates beside existing files, and shows them", async () => {
  const files = { "USER.md": "I am Grace." };
  const { sections, workspace, fileHistory } = await promptOf({
    config: { type: "open", prompt: full },
    files,
    isFirst: true,
  });
  expect((await workspace.list("")).map(({ name }) => name).toSorted()).toEqual([
    "AGENTS.md",
    "BOOTSTRAP.md",
    "HEARTBEAT.md",
    "IDENTITY.md",
    "SOUL.md",
    "TOOLS.md",
    "USER.md",
  ]);
  expect(await readText(workspace, "USER.md")).toBe("I am Grace.");
  expect(fileHistory.changes).toHaveLength(6);
  expect(sections.get("identity")).toMatch(/^You are a test\.\n\n# Identity[\s\S]*# Soul/);
  expect(sections.get("bootstrap")).toContain("# First conversation");
  expect(sections.get("project_context")).toContain('<context_file name="USER.md">\nI am Grace.\n</context_file>');
});

test("a later run seeds nothing, shows no bootstrap and reads the current files", async () => {
  const files = { "IDENTITY.md": "I am Zed.", "BOOTSTRAP.md": "Ask." };
  const { names, sections, workspace } = await promptOf({ config: { type: "open", prompt: full }, files });
  expect(await workspace.list("")).toHaveLength(2);
  expect(names).not.toContain("bootstrap");
  expect(sections.get("identity")).toContain("I am Zed.");
});

test("a predefined agent has its version's files and the user's own USER.md", async () => {
  const agentFiles = [
    { name: "SOUL.md" as const, content: "Calm." },
    { name: "USER.md" as const, content: "Nothing known yet." },
  ];
  const files = { "SOUL.md": "of the workspace", "IDENTITY.md": "of the workspace" };
  const first = await promptOf({ config: { prompt: full }, files, agentFiles, isFirst: true });
  expect(first.sections.get("identity")).toBe("You are a test.\n\nCalm.");
  expect(await readText(first.workspace, "USER.md")).toBe("Nothing known yet.");
  const later = await promptOf({ config: { prompt: full }, files: { "USER.md": "Grace" }, agentFiles });
  expect(later.sections.get("project_context")).toContain("Grace");
});

test("AGENTS.md is memory where memory.paths names it and project context elsewhere, never both", async () => {
  const files = { "AGENTS.md": "House rules." };
  const open = { type: "open" as const, prompt: full };
  const asMemory = await promptOf({ config: { ...open, memory: { paths: ["/workspace/AGENTS.md"] } }, files });
  expect(asMemory.sections.get("memory")).toContain("House rules.");
  expect(asMemory.names).not.toContain("project_context");
  const asContext = await promptOf({ config: open, files });
  expect(asContext.sections.get("project_context")).toContain("House rules.");
  expect(asContext.names).not.toContain("memory");
});

test("the prompt hook is last wherever an agent lists it, and present when it is not listed", async () => {
  const skill = { "skills/a/SKILL.md": "---\ndescription: A\n---" };
  for (const hooks of [["prompt", "skills"], ["skills"]]) {
    const config = { hooks, prompt: full, skills: { paths: ["skills"] } };
    const { names } = await promptOf({ config, files: skill });
    expect(names.indexOf("skills")).toBeLessThan(names.indexOf("workspace"));
  }
  const off = { hooks: [{ name: "prompt", enabled: false }], prompt: full };
  expect((await promptOf({ config: off })).names).toEqual(["identity"]);
});
