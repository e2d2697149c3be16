import type { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setShuttingDown } from "@/lib/server/engine/log/signals";
import { processState } from "@/lib/server/platform/process-state";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { startProcessHost, stopProcessHost } from "./process-host";

let server: TestServer;
beforeEach(async () => {
  setShuttingDown(false);
  server = await startTestServer();
});
afterEach(async () => {
  setShuttingDown(false);
  await server.close();
});

/** How many listeners each kind of announcement has in this process. */
function listeners(): Record<string, number> {
  const signals = processState("run-signals", (): EventEmitter => {
    throw new Error("No module announces anything.");
  });
  return Object.fromEntries(signals.eventNames().map((name) => [String(name), signals.listenerCount(name)]));
}

test("a host that has stopped hears nothing any more, and the next one hears everything once", async () => {
  const before = listeners();
  await startProcessHost(server.services);
  const during = listeners();
  expect(during.notification).toBeGreaterThan(before.notification ?? 0);
  await stopProcessHost(server.services);
  expect(listeners()).toEqual(before);
  server.services.states.delete("run-host");
  setShuttingDown(false);
  await startProcessHost(server.services);
  expect(listeners()).toEqual(during);
  await stopProcessHost(server.services);
});
