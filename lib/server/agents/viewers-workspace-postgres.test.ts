import { afterEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { listAvailableSkills } from "./list-available";

let server: TestServer;
afterEach(() => server.close());

test("a process that only serves lists skills although no folder of an agent is here", async () => {
  server = await startTestServer({ RINGMASTER_ROLE: "web" });
  await createAgent(server.services, {
    agentId: "writer",
    raw: { name: "Writer", backend: { type: "local" }, skills: { paths: ["skills"] } },
    createdById: null,
  });
  expect(await listAvailableSkills(server.services, { id: "admin", scopes: ["read", "chat", "admin"] })).toEqual({
    skills: [],
    invalid: [],
  });
});
