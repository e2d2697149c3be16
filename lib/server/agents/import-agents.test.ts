import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as exportAgent } from "@/app/api/agents/[agentId]/export/route";
import { PUT as savePromptFiles } from "@/app/api/agents/[agentId]/prompt-files/route";
import { GET as detail } from "@/app/api/agents/[agentId]/route";
import { POST as importAgents } from "@/app/api/agents/import/route";
import { POST as create } from "@/app/api/agents/route";
import { GET as audit } from "@/app/api/audit/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { TEMPLATE_TEXTS } from "./templates/template-texts";

const YAML = `# Ours.

name: Coder   # who
system_prompt: |
  One.

    Two, indented.
# Not more.
tools: [ calculate ]
`;

describe("import and export of agents", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const add = (id: string, yaml: string) => server.call(create, { as: "admin", body: { id, yaml } });
  const exported = async (id: string, query = "") =>
    (await server.call(exportAgent, { as: "admin", params: { agentId: id }, path: `/${query}` })).text();
  const post = (body: object) => server.call(importAgents, { as: "admin", body });
  const imported = async (body: object) => (await post(body)).json();
  const outcomes = async (body: object) =>
    (await imported(body)).agents.map(({ id, outcome }: Record<string, string>) => `${id} ${outcome}`);
  const textOf = async (id: string) =>
    (await (await server.call(detail, { as: "admin", params: { agentId: id } })).json()).yaml;

  test.each([
    ["with comments", YAML],
    ...Object.entries(TEMPLATE_TEXTS),
    ["without a last line break", "name: A"],
    ["of lists without indentation", "name: A\ntools:\n- calculate # sums\n\n- ask_user\n"],
    ["in braces", "{name: A, tools: [calculate]} # one\n"],
  ])("an agent %s is the same after both", async (_, yaml) => {
    await add("coder", yaml);
    await server.call(savePromptFiles, {
      as: "admin",
      method: "PUT",
      params: { agentId: "coder" },
      body: { files: { "SOUL.md": "# Calm\n\n- always" } },
    });
    const text = await exported("coder");
    expect(await outcomes({ yaml: text })).toEqual(["coder unchanged"]);
    expect(await outcomes({ yaml: text.replaceAll(/^ {2}coder:/gm, "  other:") })).toEqual(["other created"]);
    expect((await textOf("other")).trimEnd()).toBe(yaml.trimEnd());
    expect((await exported("other")).replaceAll(/^ {2}other:/gm, "  coder:")).toBe(text);
  });

  test("agents that an agent names and that are not there are said, unless they come along", async () => {
    const config = "{name: A, subagents: [beside, gone], delegates: [beside, left]}";
    const warned = async (text: string) =>
      (await imported({ yaml: text })).agents.flatMap(({ warnings }: { warnings: { path: string }[] }) =>
        warnings.map(({ path }) => path),
      );
    const both = `agents:\n  lead: ${config}\n  beside: {name: B}\n`;
    expect(await warned(both)).toEqual(["subagents.1", "delegates.1"]);
    const created = await (await add("alone", "{name: C, subagents: [gone]}")).json();
    expect(created.warnings).toEqual([
      {
        path: "subagents.0",
        message: 'There is no agent "gone". The agent goes without this subagent until there is one.',
      },
    ]);
    expect((await (await add("fine", "{name: D, subagents: [alone]}")).json()).warnings).toEqual([]);
  });

  test("JSON is the same after both too, also indented with tabs", async () => {
    await add("coder", YAML);
    const json = await exported("coder", "?format=json");
    expect(JSON.parse(json).agents.coder.tools).toEqual(["calculate"]);
    expect(await outcomes({ yaml: json })).toEqual(["coder unchanged"]);
    const tabs = JSON.stringify(JSON.parse(json.replace("One.", "1.")), null, "\t");
    expect(await outcomes({ yaml: tabs })).toEqual(["coder updated"]);
    expect(await textOf("coder")).toBe(YAML.replace("One.", "1."));
  });

  test("a changed comment is a new version", async () => {
    await add("coder", YAML);
    const text = (await exported("coder")).replace("Not more", "No more");
    expect(await outcomes({ yaml: text })).toEqual(["coder updated"]);
    expect(await textOf("coder")).toBe(YAML.replace("Not more", "No more"));
    const { entries } = await (await server.call(audit, { as: "admin" })).json();
    expect(entries[0]).toMatchObject({ action: "agent.published", details: { version: 2, imported: true } });
  });

  const FAULTY = `agents:
  good: {name: Good}
  coder:
    name: 7
    max_token: 5
    memory: {paths: [../x]}
  later:
    name: Later
    backend: {type: remote}
prompt_files:
  nobody: {SOUL.md: x}
`;

  test("a dry run says what would be made, and everything that is wrong with its line", async () => {
    await add("coder", YAML);
    const reply = await imported({ yaml: FAULTY, dryRun: true });
    expect(reply.agents.map(({ id, outcome }: Record<string, string>) => `${id} ${outcome}`)).toEqual([
      "good created",
      "coder updated",
      "later created",
    ]);
    const found = reply.problems.map(({ agentId, path, line }: Record<string, unknown>) => [agentId, path, line]);
    expect(found).toEqual([
      [undefined, "prompt_files.nobody", 11],
      ["coder", "name", 4],
      ["coder", "max_token", 5],
      ["coder", "memory.paths.0", 6],
      ["later", "backend.type", 9],
    ]);
    expect(await server.database.agent.count()).toBe(1);
    const refused = await (await post({ yaml: FAULTY })).json();
    expect(refused.error.details).toHaveLength(5);
    expect(await server.database.agent.count()).toBe(1);
  });

  test.each([
    ["agents: [\n", [1, 2]],
    ["agents:\n  Bad Id: {name: A}\n", [2]],
    ["agents:\n  - {id: a, name: A}\n  - {id: a, name: B}\n", [3]],
    ["nmae: A\n", [1]],
    ["- a\n", [1]],
  ])("%j is refused at its line", async (yaml, lines) => {
    const { problems } = await imported({ yaml, dryRun: true });
    expect(lines).toContain(problems[0].line);
    expect((await post({ yaml })).status).toBe(400);
  });

  test("a single agent gets its id from the file's name, and keeps its text", async () => {
    expect(await outcomes({ yaml: YAML, file: "My agent.yaml" })).toEqual(["my-agent created"]);
    expect(await textOf("my-agent")).toBe(YAML);
    expect((await imported({ yaml: YAML, file: "???.yaml", dryRun: true })).problems).toHaveLength(1);
  });
});
