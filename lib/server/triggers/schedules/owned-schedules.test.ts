import { afterEach, beforeEach, expect, test } from "vitest";
import { createOwned, deleteOwned, listOwned, pauseOwned } from "@/lib/server/triggers/schedules/owned-schedules";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "coder", { name: "Coder", model: "scripted:m" });
});
afterEach(() => server.close());

const MINE = { ownerId: "member", agentId: "coder" };
const MAKING = { ...MINE, apiKeyId: null };
const deliver = [{ thread: true }] as const;

test("a run makes, lists, pauses and deletes schedules of its owner for its agent, and finds no others", async () => {
  const made = await createOwned(server.services, MAKING, {
    name: "Brief",
    prompt: "Brief me.",
    cron: "0 9 * * 1-5",
    timezone: "UTC",
    deliver,
  });
  expect(made).toMatchObject({ ownerId: "member", agentId: "coder", on_ask: "wait", allow: [], enabled: true });
  expect((await listOwned(server.services, MINE)).map(({ id }) => id)).toEqual([made.id]);
  const other = { ownerId: "admin", agentId: "coder" };
  expect(await listOwned(server.services, other)).toEqual([]);
  for (const stranger of [other, { ownerId: "member", agentId: "plain" }]) {
    await expect(pauseOwned(server.services, stranger, made.id)).rejects.toThrow(/no such schedule/);
    await expect(deleteOwned(server.services, stranger, made.id)).rejects.toThrow(/no such schedule/);
  }
  expect(await pauseOwned(server.services, MINE, made.id)).toMatchObject({ enabled: false, nextDueAt: null });
  await deleteOwned(server.services, MINE, made.id);
  expect(await server.database.trigger.count()).toBe(0);
});

test("a time that is never due is refused in words that say what is wrong", async () => {
  const never = { name: "Never", prompt: "x", at: "2020-01-01T00:00", deliver };
  await expect(createOwned(server.services, MAKING, never)).rejects.toThrow(/in the past/);
});
