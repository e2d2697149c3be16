import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as listExtensions } from "@/app/api/extensions/route";
import { GET as listMemory } from "@/app/api/memory/route";
import { GET as listSkills } from "@/app/api/skills/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { listProviderAgents } from "./list-provider-agents";
import { createAgent } from "./publish-version";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  for (const agentId of ["gone", "whole"]) {
    const raw = { name: agentId, model: "demo:demo", backend: { type: "state" }, memory: { paths: ["AGENTS.md"] } };
    await createAgent(server.services, { agentId, raw, createdById: null });
  }
  await server.database.agent.update({ where: { id: "gone" }, data: { currentVersionId: "av_gone" } });
});
afterEach(() => server.close());

test.each([
  ["skills", listSkills],
  ["extensions", listExtensions],
  ["memory", listMemory],
])("the list of %s is there although the version of an agent is gone", async (_, list) => {
  expect((await server.call(list, { as: "admin" })).status).toBe(200);
});

test("the agents of a provider are those whose version is there", async () => {
  expect((await listProviderAgents(server.services, "demo")).map(({ id }) => id)).toEqual(["whole"]);
});
