import { afterEach, beforeEach, expect, test } from "vitest";
import { DELETE as remove } from "@/app/api/schedules/[scheduleId]/route";
import { POST as create } from "@/app/api/schedules/route";
import { PATCH as changeSettings } from "@/app/api/settings/route";
import { createOwned } from "@/lib/server/triggers/schedules/owned-schedules";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "coder", { name: "Coder", model: "scripted:m" });
});
afterEach(() => server.close());

const make = (as: "member" | "admin" = "member") =>
  server.call(create, { as, body: { agentId: "coder", name: "Brief", prompt: "Go.", every: "1h" } });
const setMost = async (schedulesPerPerson: number) => {
  const reply = await server.call(changeSettings, { as: "admin", method: "PATCH", body: { schedulesPerPerson } });
  expect(reply.status, await reply.clone().text()).toBe(200);
};
const count = (ownerId = "member") => server.database.trigger.count({ where: { ownerId } });

test("a member has at most as many schedules as the setting says, however many are made at once", async () => {
  await setMost(3);
  const replies = await Promise.all(Array.from({ length: 8 }, () => make()));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  expect(await count()).toBe(3);
  expect(await replies.find(({ status }) => status === 409)?.json()).toMatchObject({
    error: { message: "You have 3 schedules, the most a person may have here. Delete one first." },
  });
  expect(await server.database.auditEntry.count({ where: { action: "schedule.created" } })).toBe(3);
});

test("one that is deleted makes room; heartbeats, an agent's own and other people's don't count", async () => {
  await setMost(1);
  const other = { agentId: "coder", name: "x", config: "{}" };
  await server.database.trigger.create({ data: { ...other, id: "hb", ownerId: "member", kind: "heartbeat" } });
  await server.database.trigger.create({
    data: { ...other, id: "cf", ownerId: "member", kind: "every", fromConfig: true },
  });
  await server.database.trigger.create({ data: { ...other, id: "ot", ownerId: "viewer", kind: "every" } });
  const { id } = await (await make()).json();
  expect((await make()).status).toBe(409);
  expect((await server.call(remove, { as: "member", params: { scheduleId: id } })).status).toBe(204);
  expect((await make()).status).toBe(201);
});

test("the limit is 50 by default, also for what runs make, and not for administrators", async () => {
  const row = { ownerId: "member", agentId: "coder", kind: "every", name: "x", config: "{}" };
  await server.database.trigger.createMany({
    data: Array.from({ length: 50 }, (_, index) => ({ ...row, id: `trg_${index}` })),
  });
  expect((await make()).status).toBe(409);
  const fields = { name: "Mine", prompt: "Go.", every: "1h", deliver: [{ thread: true }] as const };
  const owner = { ownerId: "member", agentId: "coder", apiKeyId: null };
  await expect(createOwned(server.services, owner, fields)).rejects.toThrow("You have 50 schedules");
  await setMost(1);
  await make("admin");
  expect((await make("admin")).status).toBe(201);
});

test.each([0, 1.5, 10_001, "many"])("a limit of %s is refused", async (schedulesPerPerson) => {
  const reply = await server.call(changeSettings, { as: "admin", method: "PATCH", body: { schedulesPerPerson } });
  expect(reply.status).toBe(400);
});
