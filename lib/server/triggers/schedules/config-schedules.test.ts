import { afterEach, beforeEach, expect, test } from "vitest";
import type { ScheduleConfig } from "@/lib/schema/triggers/schedule-config";
import { importAgents } from "@/lib/server/agents/import-agents";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const BRIEF = { name: "Brief", cron: "0 9 * * 1-5", timezone: "Europe/Berlin", prompt: "Brief me." };
const WATCH = { name: "Watch", every: "30m", prompt: "Look at the page." };
const configOf = (...schedules: Partial<ScheduleConfig>[]) => ({ name: "Coder", model: "scripted:m", schedules });

const create = (...schedules: Partial<ScheduleConfig>[]) =>
  createAgent(server.services, { agentId: "coder", raw: configOf(...schedules), createdById: "admin" });
const publish = (createdById: string, ...schedules: Partial<ScheduleConfig>[]) =>
  publishChange(server.services, "coder", () => configOf(...schedules), { createdById });
const rows = () => server.database.trigger.findMany({ orderBy: { name: "asc" } });

test("schedules of a config become rows of whoever publishes, and are due", async () => {
  await create(BRIEF, WATCH);
  expect(await rows()).toMatchObject([
    { name: "Brief", kind: "cron", ownerId: "admin", agentId: "coder", enabled: true, fromConfig: true },
    { name: "Watch", kind: "every", ownerId: "admin", nextDueAt: expect.any(Date) },
  ]);
});

test("one that says the same stays as it is; one that is taken out is switched off, and comes back", async () => {
  await create(BRIEF, WATCH);
  const [brief] = await rows();
  await server.database.trigger.update({ where: { id: brief?.id ?? "" }, data: { enabled: false, nextDueAt: null } });
  await publish("admin", BRIEF);
  expect(await rows()).toMatchObject([
    { id: brief?.id, enabled: false, pausedReason: null },
    { enabled: false, nextDueAt: null, pausedReason: "removed_from_config" },
  ]);
  await publish("admin", BRIEF, WATCH);
  expect((await rows())[1]).toMatchObject({ enabled: true, pausedReason: null, nextDueAt: expect.any(Date) });
});

test("one that is changed belongs to who changed it, without what the other had allowed", async () => {
  await create(BRIEF);
  const [row] = await rows();
  const config = { ...JSON.parse(row?.config ?? "{}"), allow: [{ tool: "execute", args: { command: "ls" } }] };
  await server.database.trigger.updateMany({ data: { config: JSON.stringify(config) } });
  await publish("member", { ...BRIEF, prompt: "Be brief." });
  const [changed] = await rows();
  expect(changed).toMatchObject({ id: row?.id, ownerId: "member", enabled: true });
  expect(JSON.parse(changed?.config ?? "{}")).toMatchObject({ prompt: "Be brief.", allow: [] });
});

test("imported ones arrive switched off, and those of the server's own file belong to nobody", async () => {
  const yaml = (id: string) =>
    `agents:\n  ${id}:\n    name: ${id}\n    model: scripted:m\n    schedules:\n      - {name: Brief, cron: "0 9 * * *", prompt: Go}\n`;
  await importAgents(server.services, yaml("mine"), "admin");
  await importAgents(server.services, yaml("ours"), null);
  const found = await server.database.trigger.findMany({ orderBy: { agentId: "asc" } });
  expect(found).toMatchObject([
    { agentId: "mine", ownerId: "admin", enabled: false, pausedReason: "imported", nextDueAt: null },
    { agentId: "ours", ownerId: null, enabled: false, pausedReason: "imported" },
  ]);
});

test.each([
  [{ ...BRIEF, cron: "0 9 * *" }, "schedules.0.cron"],
  [{ ...BRIEF, timezone: "Berlin" }, "schedules.0.timezone"],
  [{ name: "Watch", every: "10s", prompt: "x" }, "schedules.0.every"],
  [{ ...BRIEF, allow: [] } as object, "schedules.0.allow"],
])("%o is refused where it stands", async (schedule, path) => {
  await expect(create(schedule)).rejects.toMatchObject({ options: { details: [{ path }] } });
});

test("two schedules of one name are refused", async () => {
  await expect(create(BRIEF, BRIEF)).rejects.toThrow(/another schedule of this agent has this name/);
});
