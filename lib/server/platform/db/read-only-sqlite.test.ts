import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as newThread } from "@/app/api/threads/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "plain", raw: { name: "Plain" }, createdById: null });
});
afterEach(() => server.close());

const begin = () => server.call(newThread, { as: "member", body: { agentId: "plain" } });

test("a read-only database refuses writes and says what to do, and works again once it is writable", async () => {
  await server.database.raw("pragma query_only = on");
  const refused = await begin();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await refused.json()).error.message).toContain("is not allowed to write to its database");
  await server.database.raw("pragma query_only = off");
  expect((await begin()).status).toBe(201);
});
