import { afterEach, beforeEach, expect, test } from "vitest";
import type { InboxOutlook } from "@/lib/schema/inbox/inbox-outlook";
import { addAgent, addThread, say } from "@/lib/testing/fixtures/run-fixture";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { GET as show } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Brief", model: "scripted:approval" });
});
afterEach(() => server.close());

const outlook = async (as: "member" | "admin" = "member"): Promise<InboxOutlook> =>
  (await server.call(show, { as })).json();

test("says which of the viewer's schedules is due next, without heartbeats, paused ones or other people's", async () => {
  expect(await outlook()).toEqual({ runningThreads: 0, nextSchedule: null });
  const at = (hours: number) => new Date(Date.UTC(2099, 0, 1, hours));
  const own = { ownerId: "member" };
  await addSchedule(server.database, { name: "Later" }, { ...own, id: "later", nextDueAt: at(5) });
  await addSchedule(server.database, { name: "Brief" }, { ...own, id: "brief", nextDueAt: at(4) });
  await addSchedule(server.database, { name: "Off" }, { ...own, id: "off", nextDueAt: at(3), enabled: false });
  await addSchedule(server.database, { name: "HeartbeatRun" }, { ...own, id: "beat", nextDueAt: at(2) });
  await server.database.trigger.update({ where: { id: "beat" }, data: { kind: "heartbeat" } });
  await addSchedule(server.database, { name: "Theirs" }, { ownerId: "admin", id: "theirs", nextDueAt: at(1) });
  const nextSchedule = { id: "brief", name: "Brief", dueAt: at(4).toISOString() };
  expect(await outlook()).toEqual({ runningThreads: 0, nextSchedule });
  expect((await outlook("admin")).nextSchedule?.name).toBe("Theirs");
});

test("counts each of the viewer's listed threads in which something runs once, also while only a subagent works", async () => {
  for (const id of ["busy", "asking", "delegating", "hidden"]) {
    await addThread(server.database, id, { ownerId: "member", agentId: "agent" });
    await say(server.database, "Go", { threadId: id, ownerId: "member", agentId: "agent" });
  }
  await say(server.database, "And then", { threadId: "busy", ownerId: "member", agentId: "agent" });
  const set = (threadId: string, waitingFor: string) =>
    server.database.run.updateMany({ where: { threadId }, data: { status: "waiting", waitingFor } });
  await set("asking", "approval");
  await set("delegating", "child");
  await server.database.thread.update({ where: { id: "hidden" }, data: { ephemeral: true } });
  expect((await outlook()).runningThreads).toBe(2);
  expect((await outlook("admin")).runningThreads).toBe(0);
});
