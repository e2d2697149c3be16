import { afterAll, beforeEach, expect, test } from "vitest";
import * as promptRoutes from "@/app/api/agents/[agentId]/mcp-prompts/route";
import * as resourceRoutes from "@/app/api/agents/[agentId]/mcp-resources/route";
import { mcpInstallation } from "@/lib/testing/fixtures/mcp-fixture";
import { startOddMcpServer } from "@/lib/testing/servers/mcp/odd-mcp-server";

const odd = await startOddMcpServer();
const own = mcpInstallation({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: odd.host });
afterAll(() => odd.close());

type Route = typeof promptRoutes.GET;

async function ask(route: Route, agentId: string, body?: object) {
  const call = { as: "member" as const, params: { agentId }, ...(body ? { method: "POST", body } : {}) };
  return (await own.server().call(route, call)).json();
}

const result = (method: string, value: unknown) => odd.replies.set(method, () => ({ result: value }));

let agent = "";
beforeEach(async () => {
  odd.reset();
  result("initialize", { protocolVersion: "2025-06-18", capabilities: { tools: {}, prompts: {}, resources: {} } });
  await own.addServer({ url: odd.url });
  agent = await own.addAgent();
});

test("odd prompts hide no other, and one is written out with whatever it holds", async () => {
  const listed = [
    null,
    { name: 5 },
    { name: "ask", description: null, arguments: ["city", { name: null }, { name: "day", required: "no" }] },
  ];
  result("prompts/list", { prompts: listed, nextCursor: "" });
  expect((await ask(promptRoutes.GET, agent)).prompts).toEqual([
    {
      serverId: "own",
      name: "ask",
      description: "",
      arguments: [
        { name: "city", description: "", required: false },
        { name: "day", description: "", required: false },
      ],
    },
  ]);
  const messages = [
    "First.",
    {
      role: "user",
      content: [
        { type: "text", text: "Second." },
        { type: "chart", bars: 2 },
      ],
    },
  ];
  result("prompts/get", { messages, description: 3 });
  const { text } = await ask(promptRoutes.POST, agent, { serverId: "own", name: "ask" });
  expect(text).toBe('First.\n\nSecond.\n\n{"type":"chart","bars":2}');
});

test("odd resources and templates hide no other, and one is read", async () => {
  result("resources/list", {
    resources: [{ name: "lost" }, { uri: "memo:1", name: null, mimeType: 4 }, "memo:2"],
    nextCursor: 0,
  });
  odd.replies.set("resources/templates/list", () => ({ error: { code: -32_601, message: "Method not found" } }));
  const { resources, templates, away } = await ask(resourceRoutes.GET, agent);
  const names = resources.map(({ uri, name }: { uri: string; name: string }) => [uri, name]);
  expect([names, templates, away]).toEqual([
    [
      ["memo:1", "memo:1"],
      ["memo:2", "memo:2"],
    ],
    [],
    [],
  ]);
  result("resources/read", { contents: { text: "Remember the milk.", mimeType: null } });
  const { text } = await ask(resourceRoutes.POST, agent, { serverId: "own", uri: "memo:1" });
  expect(text).toContain("Remember the milk.");
});

test("a session that was forgotten meanwhile goes unnoticed", async () => {
  result("prompts/list", { prompts: [{ name: "ask" }] });
  await ask(promptRoutes.GET, agent);
  odd.sessions.clear();
  expect(await ask(promptRoutes.GET, agent)).toMatchObject({ prompts: [{ name: "ask" }], away: [] });
});

test("a server that refuses says why in a sentence", async () => {
  const issues = [{ code: "invalid_type", path: ["cursor"], message: "Required" }];
  odd.replies.set("prompts/list", () => ({ error: { code: -32_602, message: JSON.stringify(issues) } }));
  const { away } = await ask(promptRoutes.GET, agent);
  expect(away).toEqual([{ serverId: "own", message: "The MCP server own did not answer: cursor: Required" }]);
});
