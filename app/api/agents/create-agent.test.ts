import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { POST as create } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

test("an agent without an id is refused, and the field is named", async () => {
  const reply = await server.call(create, { as: "admin", body: { yaml: "name: A" } });
  expect(reply.status).toBe(400);
  const { error } = await reply.json();
  expect(error).toMatchObject({ code: "invalid_input", details: [{ path: "id", message: expect.any(String) }] });
});
