import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as listAgents } from "@/app/api/agents/route";
import type { ToolExecution } from "@/lib/agent/tools/tool";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { listHttpTools } from "./list-http-tools";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  const row = {
    description: "",
    parameters: "{}",
    readOnly: true,
    callbackUrl: "https://example.org/",
    createdById: "admin",
  };
  const foreign = "v1.07a30d085161.8S4WbykB_-P5R3gDb9Ea3_EtOiq3rUEQFLcX";
  await server.database.httpTool.createMany({
    data: [
      { ...row, name: "a_whole" },
      { ...row, name: "b_foreign", secretEncrypted: foreign },
      { ...row, name: "c_odd", secretEncrypted: "no seal" },
      { ...row, name: "d_cut", parameters: '{"type":' },
    ],
  });
});
afterEach(() => server.close());

test("tools whose secret or row can't be read keep neither the other tools nor an agent from being there", async () => {
  expect((await listHttpTools(server.services)).map(({ name }) => name)).toEqual(["a_whole", "b_foreign", "c_odd"]);
  await createAgent(server.services, {
    agentId: "clerk",
    raw: { name: "Clerk", tools: ["a_whole", "b_foreign", "d_cut"] },
    createdById: null,
  });
  const { agents } = await (await server.call(listAgents, { as: "admin" })).json();
  expect(agents).toMatchObject([{ id: "clerk", tools: expect.arrayContaining(["a_whole", "b_foreign"]) }]);
});

test.each(["b_foreign", "c_odd"])("a call of %s says that its secret can't be read, and what to do", async (name) => {
  const [tool] = await listHttpTools(server.services, [name]);
  const execution = {
    call: { id: "call_1", name, args: {}, rawArgs: "{}" },
    signal: new AbortController().signal,
    context: { runId: "run_1", threadId: "th_1", now: () => 0 },
  } as unknown as ToolExecution;
  await expect(tool?.execute({}, execution)).rejects.toThrow(
    `The secret of ${name} can't be read with this server's secret. Enter it again under Admin, Tools.`,
  );
});
