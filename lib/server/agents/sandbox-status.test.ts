import { afterEach, expect, test } from "vitest";
import { GET as getAgent } from "@/app/api/agents/[agentId]/route";
import { closeContainers } from "@/lib/server/files/docker-backend";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { startScriptedEngine } from "@/lib/testing/engines/scripted-engine";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { createAgent } from "./publish-version";

let server: TestServer;
afterEach(async () => {
  await closeContainers();
  for (const name of ["docker-backend", "docker-probes"]) forgetProcessState(name);
  await server.close();
});

test("the page of an agent whose commands run in containers says at once that the engine has gone", async () => {
  const engine = await startScriptedEngine({ images: new Set() });
  server = await startTestServer({ RINGMASTER_DOCKER_SOCKET: engine.socketPath });
  const raw = { name: "Boxed", model: "demo:demo", backend: { type: "local", sandbox: "docker" } };
  await createAgent(server.services, { agentId: "boxed", raw, createdById: null });
  const page = async () => (await server.call(getAgent, { as: "admin", params: { agentId: "boxed" } })).json();
  expect(await page()).toMatchObject({ sandbox: { available: true }, warnings: [] });
  await engine.die();
  const reason = expect.stringContaining(engine.socketPath);
  expect(await page()).toMatchObject({
    sandbox: { available: false, reason },
    warnings: [{ path: "backend", message: reason }],
  });
  await engine.close();
});
