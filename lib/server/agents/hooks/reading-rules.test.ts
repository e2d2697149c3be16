import { describe, expect, test } from "vitest";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import { permissionSubject } from "@/lib/hooks/tool-subject";
import { explainPermission } from "@/lib/permissions/explain-permission";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { localWorkspaceTests } from "@/lib/testing/contracts/local-workspace-tests";
import { makePng } from "@/lib/testing/files/make-png";
import { createTestWorkspace } from "@/lib/testing/files/test-workspace";
import { runWith, testConfig } from "@/lib/testing/scripted/run-with";
import { listBuiltinTools } from "@/lib/tools/builtin-tools";
import { standardHooks } from "./standard-hooks";

const FILES = {
  "secrets/key.txt": "needle of the key",
  "secrets/deep/er.txt": "needle below",
  "notes/plan.txt": "needle of the plan",
  "memory/202611/20261101.md": "The needle lies in the hay.",
  "memory/202611/20261102.md": "The needle is hidden.",
};

type Rule = string | { readonly tool: string; readonly args: Readonly<Record<string, string>> };

function configOf(rules: { readonly deny?: Rule[]; readonly ask?: Rule[] }): Partial<AgentConfigInput> {
  const permissions = { enabled: true, mode: "bypass" as const, deny: [], ask: [], ...rules };
  return { backend: { type: "state" }, tools: ["memory_*", "view_image"], permissions };
}

/** The results of the calls, in their order. */
async function resultsOf(
  workspace: Workspace,
  config: Partial<AgentConfigInput>,
  calls: readonly (readonly [string, Record<string, unknown>])[],
) {
  const keepImage = async () => "hash";
  const shared = { workspace, fileHistory: null, verboseTrace: false, keepImage };
  const hooks = standardHooks({ config: testConfig(config), ...shared });
  const scripted = calls.map(([name, args], at) => ({ id: `c${at}`, name, args }));
  const { events } = await runWith([{ calls: scripted }, "done"], { hooks, config, canAsk: false });
  const results = events.flatMap((event) => (event.type === "tool.result" ? [event.result] : []));
  return calls.map((_, at) => {
    const { output = "", error = "" } = results.find(({ toolCallId }) => toolCallId === `c${at}`) ?? {};
    return output + error;
  });
}

const SEARCHES = [
  ["ls", { path: "secrets" }],
  ["ls", { path: "." }],
  ["glob", { pattern: "**/*.txt" }],
  ["glob", { pattern: "*.txt", path: "secrets" }],
  ["glob", { pattern: "secrets/**" }],
  ["grep", { pattern: "needle" }],
  ["grep", { pattern: "needle", path: "secrets" }],
  ["grep", { pattern: "needle", path: "secrets/key.txt" }],
  ["grep", { pattern: "needle", path: "/workspace/secrets/key.txt" }],
  ["grep", { pattern: "needle", glob: "secrets/*.txt" }],
  ["Read", { file_path: "secrets/key.txt" }],
  ["read_file", { path: "/workspace/secrets/./key.txt" }],
] as const;

const local = localWorkspaceTests();
const places: [string, () => Promise<Workspace>][] = [
  ["a workspace in the database", async () => createTestWorkspace(FILES)],
  [
    "a workspace on disk",
    async () => {
      for (const [path, text] of Object.entries(FILES)) await local.write(path, text);
      return local.workspace;
    },
  ],
];

describe.each(places)("a file that may not be read, in %s", (_, create) => {
  test.each<[string, Rule]>([
    ["its path", { tool: "read_file", args: { path: "secrets/**" } }],
    ["the alias of the argument", { tool: "read_file", args: { file_path: "secrets/**" } }],
    ["the alias of the tool", { tool: "Read", args: { path: "/workspace/secrets/**" } }],
    ["a glob of tools", { tool: "*", args: { path: "secrets/**" } }],
  ])("is neither listed nor quoted by another tool, where a rule names it by %s", async (_name, rule) => {
    const found = await resultsOf(await create(), configOf({ deny: [rule] }), SEARCHES);
    for (const [at, output] of found.entries())
      expect(output, JSON.stringify(SEARCHES[at])).not.toMatch(/of the key|below/);
    for (const output of found.slice(0, 10)) expect(output).not.toMatch(/key\.txt"|er\.txt/);
    expect(found[2]).toContain("notes/plan.txt");
    expect(found[5]).toContain("needle of the plan");
    expect(found[5]).toContain("Files that your rules keep from you are left out.");
  });

  test("does not use up what a search returns", async () => {
    const workspace = await create();
    const many = new TextEncoder().encode("needle\n".repeat(500));
    await workspace.write("aaa/secret.txt", many);
    const config = configOf({ deny: [{ tool: "read_file", args: { path: "aaa/**" } }] });
    const [found = ""] = await resultsOf(workspace, config, [["grep", { pattern: "needle of" }]]);
    const [all = ""] = await resultsOf(workspace, config, [["grep", { pattern: "needle" }]]);
    expect(JSON.parse(found)).toMatchObject({ truncated: false, matches: [{ file: "notes/plan.txt" }, {}] });
    expect(JSON.parse(all)).toMatchObject({ truncated: false });
    expect(JSON.parse(all).matches).toHaveLength(5);
  });

  test("is named but not quoted where its rule asks", async () => {
    const config = configOf({ ask: [{ tool: "read_file", args: { path: "secrets/**" } }] });
    const found = await resultsOf(await create(), config, SEARCHES.slice(0, 6));
    expect(found[2]).toContain("secrets/key.txt");
    expect(found[5]).not.toContain("of the key");
    expect(found[5]).toContain("of the plan");
  });

  test("is not in a search of the memory", async () => {
    const config = configOf({ deny: [{ tool: "read_file", args: { path: "memory/**/20261102.md" } }] });
    const [found] = await resultsOf(await create(), config, [["memory_search", { query: "needle" }]]);
    expect(found).toContain("in the hay");
    expect(found).not.toContain("is hidden");
  });

  test("may still be written, and its rule stays one of the search where only that is named", async () => {
    const workspace = await create();
    const written = [["write_file", { path: "secrets/key.txt", content: "new" }]] as const;
    const rule = { tool: "read_file", args: { path: "secrets/**" } };
    expect((await resultsOf(workspace, configOf({ deny: [rule] }), written))[0]).toContain("secrets/key.txt");
    const config = configOf({ deny: [{ tool: "grep", args: { path: "notes/**" } }] });
    const [quoted, read] = await resultsOf(workspace, config, [
      ["grep", { pattern: "needle" }],
      ["read_file", { path: "notes/plan.txt" }],
    ]);
    expect(quoted).not.toContain("of the plan");
    expect(read).toContain("of the plan");
  });

  test("is not looked at as a picture", async () => {
    const workspace = await create();
    await workspace.write("secrets/face.png", new Uint8Array(makePng(3, 2)));
    const config = configOf({ deny: [{ tool: "read_file", args: { path: "secrets/**" } }] });
    const [seen] = await resultsOf(workspace, config, [["view_image", { path: "secrets/face.png" }]]);
    expect(seen).toContain("do not allow this view_image call");
    const [free] = await resultsOf(workspace, configOf({}), [["view_image", { path: "secrets/face.png" }]]);
    expect(free).toContain("3 × 2");
  });
});

test.each([
  ["view_image", "ask"],
  ["grep", "ask"],
  ["ls", "ask"],
  ["glob", "ask"],
  ["write_file", "allow"],
  ["edit_file", "allow"],
])("%s on a file whose reading asks: %s", (name, verdict) => {
  const tool = listBuiltinTools().find(([known]) => known.name === name)?.[0];
  if (!tool) throw new Error("no such tool");
  const ask = [{ tool: "read_file", args: { path: "secrets/**" } }];
  const { permissions } = AgentConfig.parse({ name: "A", permissions: { enabled: true, mode: "bypass", ask } });
  const subject = permissionSubject(tool, "/workspace", () => false);
  const call = { tool: name, args: { path: "/workspace/secrets/a.png" } };
  expect(explainPermission(call, subject, permissions).verdict).toBe(verdict);
});

const TOLD = {
  "AGENTS.md": "The needle of AGENTS.",
  "MEMORY.md": "The needle of MEMORY.",
  "TOOLS.md": "The needle of TOOLS.",
  "skills/sew/SKILL.md": "---\nname: sew\ndescription: The needle of a skill.\n---\nThe needle of its text.",
};

describe("what is put into the prompt without a call", () => {
  const told = async (rules: { readonly deny?: Rule[]; readonly ask?: Rule[] }, mode: "catalog" | "inline") => {
    const config: Partial<AgentConfigInput> = {
      ...configOf(rules),
      type: "open",
      prompt: { mode: "full" },
      memory: { paths: ["AGENTS.md"] },
      skills: { paths: ["skills"], mode },
    };
    const shared = { workspace: createTestWorkspace(TOLD), fileHistory: null, verboseTrace: false };
    const hooks = standardHooks({ config: testConfig(config), ...shared });
    const { requests } = await runWith(["done"], { hooks, config, canAsk: false });
    return (requests[0]?.system ?? []).map(({ text }) => text).join("\n");
  };

  test.each([
    ["a memory document", "AGENTS.md", "needle of AGENTS"],
    ["the long-term memory", "MEMORY.md", "needle of MEMORY"],
    ["a file of the prompt", "TOOLS.md", "needle of TOOLS"],
    ["a skill's description", "skills/**", "needle of a skill"],
    ["a skill's text", "skills/sew/SKILL.md", "needle of its text"],
  ])("is not %s that the rules deny or would ask about", async (_, file, text) => {
    const mode = text.endsWith("its text") ? "inline" : "catalog";
    const rule = { tool: "read_file", args: { path: file } };
    expect(await told({}, mode)).toContain(text);
    expect(await told({ deny: [rule] }, mode)).not.toContain(text);
    expect(await told({ ask: [rule] }, mode)).not.toContain(text);
    expect(await told({ deny: [{ tool: "read_file", args: { path: "other/**" } }] }, mode)).toContain(text);
  });
});
