import { afterEach, expect, test } from "vitest";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { GET as flow } from "./[id]/flow/route";
import { GET as info } from "./[id]/route";
import { POST as create } from "./route";

let server: TestServer;
afterEach(() => server.close());

test.each([0, -1])("%i for the window and the iterations means the default", async (given) => {
  server = await startTestServer();
  const body = { agent_id: "a", name: "A", model: "demo:demo", context_window: given, max_iterations: given };
  expect((await server.call(create, { as: "admin", body })).status).toBe(201);
  const call = { as: "member", params: { id: "a" } } as const;
  expect(await (await server.call(info, call)).json()).toMatchObject({ context_window: 128_000 });
  expect(await (await server.call(flow, call)).json()).toMatchObject({ limits: { max_iterations: 25 } });
});
