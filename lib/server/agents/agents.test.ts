import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as flow } from "@/app/agents/[id]/flow/route";
import { PATCH as patchHooks } from "@/app/agents/[id]/hooks/route";
import { GET as getOne, PATCH as patch, DELETE as remove } from "@/app/agents/[id]/route";
import { POST as create, GET as list } from "@/app/agents/route";
import { GET as availableTools } from "@/app/agents/tools/available/route";
import { GET as delegates } from "@/app/api/agents/[agentId]/delegates/route";
import { POST as duplicate } from "@/app/api/agents/[agentId]/duplicate/route";
import { GET as exportYaml } from "@/app/api/agents/[agentId]/export/route";
import { GET as listFiles, PUT as saveFiles } from "@/app/api/agents/[agentId]/prompt-files/route";
import { GET as detail, PATCH as save } from "@/app/api/agents/[agentId]/route";
import { GET as versions } from "@/app/api/agents/[agentId]/versions/route";
import { POST as importYaml } from "@/app/api/agents/import/route";
import { POST as validate } from "@/app/api/agents/validate/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { importAgentsFile } from "./import-agents";
import { seedAgents } from "./seed-agents";

describe("agents", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const add = (config: Record<string, unknown> = {}) =>
    server.call(create, {
      as: "admin",
      body: { agent_id: "coder", name: "Coder", system_prompt: "Secret plan", ...config },
    });
  const one = async (as: "admin" | "member" = "admin", id = "coder") =>
    (await server.call(getOne, { as, params: { id } })).json();
  const change = (body: unknown, id = "coder") =>
    server.call(patch, { as: "admin", method: "PATCH", params: { id }, body });
  const problemOf = async (reply: Response) => ({ status: reply.status, ...(await reply.json()).error });

  test("a new agent is described by the hooks and tools that its runs have", async () => {
    expect((await add({ tools: ["calculate"], backend: { type: "state" } })).status).toBe(201);
    const info = await one();
    expect(info.tools).toEqual([
      "calculate",
      "write_todos",
      "ls",
      "read_file",
      "write_file",
      "edit_file",
      "glob",
      "grep",
    ]);
    expect(info.hooks.map(({ name }: { name: string }) => name)).toEqual([
      "tracing",
      "todolist",
      "filesystem",
      "summarization",
    ]);
  });

  test("the system prompt is for admins only", async () => {
    await add();
    expect([(await one("admin")).system_prompt, (await one("member")).system_prompt]).toEqual(["Secret plan", null]);
  });

  test("whom it may hand over to is told by name, without agents that are gone", async () => {
    await add({ agent_id: "billing", name: "Billing", description: "Books refunds." });
    await add({ agent_id: "legal", name: "Legal" });
    await add({ delegates: ["billing", "legal"] });
    await server.call(remove, { as: "admin", method: "DELETE", params: { id: "legal" } });
    const reply = await server.call(delegates, { as: "member", params: { agentId: "coder" } });
    expect(await reply.json()).toEqual({
      delegates: [{ id: "billing", name: "Billing", description: "Books refunds." }],
    });
    expect((await server.call(delegates, { as: "member", params: { agentId: "nobody" } })).status).toBe(404);
  });

  test("an existing id is a conflict and a reserved one is refused", async () => {
    await add();
    expect((await add()).status).toBe(409);
    expect((await add({ agent_id: "traces" })).status).toBe(400);
  });

  test("reports an unknown field with the nearest known name", async () => {
    expect(await problemOf(await add({ sytem_prompt: "x" }))).toMatchObject({
      status: 400,
      code: "invalid_input",
      details: [{ path: "sytem_prompt", message: expect.stringContaining('"system_prompt"') }],
    });
  });

  test("a setting that does not exist yet is not_available", async () => {
    expect(await problemOf(await add({ backend: { type: "local", sandbox: "ssh" } }))).toMatchObject({
      status: 400,
      code: "not_available",
    });
  });

  test("a change creates a new version and keeps the others unchanged", async () => {
    await add({ temperature: 0.5 });
    await change({ description: "New" });
    expect(await one()).toMatchObject({ version: 2, description: "New" });
    const rows = await server.database.agentVersion.findMany({ orderBy: { number: "asc" } });
    expect(rows.map(({ config }) => JSON.parse(config).description)).toEqual([undefined, "New"]);
  });

  test("neither of two simultaneous changes is lost", async () => {
    await add();
    const replies = await Promise.all([
      change({ description: "D" }),
      change({ max_tokens: 7 }),
      change({ retries: 1 }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { config } = await (await server.call(detail, { as: "admin", params: { agentId: "coder" } })).json();
    expect(config).toMatchObject({ description: "D", max_tokens: 7, retries: 1 });
  });

  test("a deleted agent is gone, and its id can be used again", async () => {
    await add();
    expect((await server.call(remove, { as: "admin", method: "DELETE", params: { id: "coder" } })).status).toBe(204);
    expect((await server.call(getOne, { as: "member", params: { id: "coder" } })).status).toBe(404);
    expect((await add()).status).toBe(201);
    expect((await one()).version).toBe(2);
  });

  test("hooks are added, removed and configured in order", async () => {
    await add();
    const call = (body: unknown) =>
      server.call(patchHooks, { as: "admin", method: "PATCH", params: { id: "coder" }, body });
    const reply = await call({
      remove: ["todolist", "filesystem"],
      add: ["eviction"],
      config: { eviction: { max_chars: 9 } },
    });
    const { hooks } = await reply.json();
    expect(hooks.map(({ name }: { name: string }) => name)).toEqual(["tracing", "summarization", "eviction"]);
    expect((await problemOf(await call({ add: ["nonsense"] }))).status).toBe(400);
    expect((await problemOf(await call({ config: { eviction: { max_char: 1 } } }))).message).toContain("eviction");
  });

  test("the flow lists each phase with its hooks", async () => {
    await add();
    const reply = await (await server.call(flow, { as: "member", params: { id: "coder" } })).json();
    const { hooks } = reply.phases.find(({ phase }: { phase: string }) => phase === "wrap_tool_call");
    expect(hooks).toContain("tracing");
    expect(reply.limits.max_iterations).toBe(25);
  });

  test("the list shows what can be named", async () => {
    const { tools } = await (await server.call(availableTools, { as: "viewer" })).json();
    expect(tools.find(({ name }: { name: string }) => name === "calculate")).toMatchObject({ source: "builtin" });
  });

  test("the editor saves YAML, and a stale base version is a conflict", async () => {
    await add();
    const put = (yaml: string, baseVersion: number) =>
      server.call(save, {
        as: "admin",
        method: "PATCH",
        params: { agentId: "coder" },
        body: { yaml, baseVersion, note: "n" },
      });
    expect((await put("name: Renamed\n", 1)).status).toBe(200);
    expect((await put("name: Again\n", 1)).status).toBe(409);
    const reply = await (await server.call(versions, { as: "admin", params: { agentId: "coder" } })).json();
    expect(reply.versions.map(({ number, note, current }: Record<string, unknown>) => [number, note, current])).toEqual(
      [
        [2, "n", true],
        [1, null, false],
      ],
    );
  });

  test("validation finds errors with lines and warns about missing tools", async () => {
    const call = async (yaml: string) => (await server.call(validate, { as: "admin", body: { yaml } })).json();
    expect(await call("name: A\nmax_token: 5\n")).toMatchObject({ valid: false, problems: [{ line: 2 }] });
    expect(await call("name: A\ntools: [weather]\n")).toMatchObject({
      valid: true,
      problems: [{ severity: "warning" }],
    });
  });

  test("an exported agent comes back by import, unchanged", async () => {
    await add({ tools: ["calculate"] });
    const yaml = await (await server.call(exportYaml, { as: "admin", params: { agentId: "coder" } })).text();
    const again = await (await server.call(importYaml, { as: "admin", body: { yaml } })).json();
    expect(again.agents).toEqual([{ id: "coder", outcome: "unchanged", warnings: [] }]);
  });

  test("prompt files go with the agent: exported, imported elsewhere, and compared", async () => {
    const files = { "IDENTITY.md": "You are Ada.", "SOUL.md": "Calm: yes\n- always" };
    await add();
    const params = { agentId: "coder" };
    await server.call(saveFiles, { as: "admin", method: "PUT", params, body: { files } });
    const yaml = await (await server.call(exportYaml, { as: "admin", params })).text();
    const outcome = async (text: string) =>
      (await (await server.call(importYaml, { as: "admin", body: { yaml: text } })).json()).agents[0].outcome;
    expect(await outcome(yaml)).toBe("unchanged");
    expect(await outcome(yaml.replace("You are Ada.", "You are Eve."))).toBe("updated");
    expect(await outcome(yaml.replaceAll("coder:", "other:"))).toBe("created");
    const copied = await server.call(listFiles, { as: "admin", params: { agentId: "other" } });
    expect((await copied.json()).files).toEqual(Object.entries(files).map(([name, content]) => ({ name, content })));
  });

  test("an import with one bad agent writes none", async () => {
    const yaml = "agents:\n  good: {name: Good}\n  bad: {name: Bad, nmae: x}\n";
    expect((await problemOf(await server.call(importYaml, { as: "admin", body: { yaml } }))).message).toContain(
      '"bad"',
    );
    expect(await server.database.agent.count()).toBe(0);
  });

  test("a duplicate has the same config under another name", async () => {
    await add();
    const reply = await server.call(duplicate, { as: "admin", params: { agentId: "coder" }, body: { id: "coder-2" } });
    expect(await reply.json()).toMatchObject({ id: "coder-2", name: "Coder (copy)", system_prompt: "Secret plan" });
  });

  test("agents.yaml is imported when it changed, and a mistake in it stops nothing", async () => {
    const file = path.join(server.dataDirectory, "agents.yaml");
    await writeFile(file, "agents:\n  helper: {name: One}\n");
    await importAgentsFile(server.services);
    await change({ name: "Edited in the app" }, "helper");
    await importAgentsFile(server.services);
    expect((await one("admin", "helper")).name).toBe("Edited in the app");
    await writeFile(file, "agents:\n  helper: {name: Two}\n");
    await importAgentsFile(server.services);
    await writeFile(file, "agents: [");
    await importAgentsFile(server.services);
    expect((await one("admin", "helper")).name).toBe("Two");
  });

  test("the two agents are seeded once, and a deleted one stays deleted", async () => {
    await seedAgents(server.services);
    const { agents } = await (await server.call(list, { as: "viewer" })).json();
    expect(agents.map(({ id, name }: Record<string, unknown>) => [id, name])).toEqual([
      ["default", "Assistant"],
      ["researcher", "Researcher"],
    ]);
    await server.database.agent.deleteMany({});
    await seedAgents(server.services);
    expect(await server.database.agent.count()).toBe(0);
  });
});
