import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { startChannels, stopChannels } from "./hold-channels";

const TICK_MS = 5_000;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  await stopChannels(server.services);
  vi.useRealTimers();
  await server.close();
});

test("a query that fails once ends no lease: the next look renews it", async () => {
  // Its credentials can't be read, so that it asks no service; its lease is held all the same.
  const facts = { kind: "telegram", name: "Lab", agentId: "a", receives: "polling", createdById: "admin" };
  const row = { id: "ch1", credentials: "{}", ...facts };
  await server.database.channel.create({ data: row });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await startChannels(server.services, { loadCompaction });
  const leaseUntil = async () => (await server.database.channel.findUniqueOrThrow({ where: { id: "ch1" } })).leaseUntil;
  const first = await leaseUntil();
  expect(first).not.toBeNull();
  const look = vi.spyOn(server.database.channel, "findMany").mockRejectedValueOnce(new Error("The database is away."));
  await vi.advanceTimersByTimeAsync(TICK_MS + 1);
  await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1));
  expect(await leaseUntil()).toEqual(first);
  await vi.advanceTimersByTimeAsync(TICK_MS + 1);
  vi.useRealTimers();
  await expect.poll(leaseUntil).not.toEqual(first);
});
