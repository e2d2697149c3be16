import { afterEach, beforeEach, expect, test } from "vitest";
import type { Alert } from "@/lib/schema/traces/alert";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as change, DELETE as remove } from "./[alertId]/route";
import { POST as create, GET as list } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const FAILING = { name: "Failing", query: "agent=writer", metric: "error_rate", threshold: 10, windowMinutes: 60 };
const make = async (body: object = {}, as: Role = "member") => {
  const reply = await server.call(create, { as, body: { ...FAILING, ...body } });
  const read = (await reply.json()) as Alert & { error?: { details?: { path: string }[] } };
  return { status: reply.status, alert: read as Alert, path: read.error?.details?.[0]?.path };
};
const alerts = async (as: Role = "member") =>
  ((await (await server.call(list, { as })).json()) as { alerts: Alert[] }).alerts;
const on = (route: typeof change, alertId: string, as: Role, body?: object) =>
  server.call(route, { as, params: { alertId }, ...(body ? { body } : {}) });

test("an alert is made, changed, paused and deleted by its owner, audited, and hidden from others", async () => {
  const { status, alert } = await make();
  expect([status, alert]).toEqual([
    201,
    {
      ...{ id: alert.id, ...FAILING, targets: [{ notify: true }], enabled: true, state: "ok", value: null },
      ...{ checkedAt: alert.checkedAt, lastSentAt: null },
    },
  ]);
  for (const as of ["viewer", "admin"] as const) expect(await alerts(as)).toEqual([]);
  expect((await on(change, alert.id, "admin", { enabled: false })).status).toBe(404);
  expect((await on(remove, alert.id, "admin")).status).toBe(404);
  expect(await (await on(change, alert.id, "member", { threshold: 20 })).json()).toMatchObject({ threshold: 20 });
  expect(await (await on(change, alert.id, "member", { enabled: false })).json()).toMatchObject({
    ...{ enabled: false, value: null, checkedAt: null },
  });
  expect(await alerts()).toMatchObject([{ id: alert.id, threshold: 20, enabled: false }]);
  expect((await on(remove, alert.id, "member")).status).toBe(204);
  expect((await on(remove, alert.id, "member")).status).toBe(404);
  const audited = await server.database.auditEntry.findMany({ where: { target: `alert:${alert.id}` } });
  expect(audited.map(({ action }) => action).toSorted()).toEqual([
    ...["alert.changed", "alert.changed", "alert.created", "alert.deleted"],
  ]);
});

test("a new alert says at once what it measures", async () => {
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  await addTrace(server, "one", { status: "failed" });
  await server.database.trace.updateMany({ data: { startedAt: new Date() } });
  expect((await make()).alert).toMatchObject({ value: 100, state: "firing" });
});

test("the names of the page and of the route filter alike, and times and order are left out", async () => {
  const query = "agentId=writer&minCostUsd=0.5&status=failed,limit&since=2026-11-01T00:00:00Z&columns=cost&live=false";
  expect((await make({ query })).alert.query).toBe("agent=writer&minCost=0.5&status=failed%2Climit");
});

test("what can't be measured or sent is refused, and where it is wrong", async () => {
  const refusals: [object, string][] = [
    [{ query: "colour=red" }, "query"],
    [{ query: "status=unheard" }, "status"],
    [{ query: "?agent=writer" }, "query"],
    [{ metric: "problem_back" }, "query"],
    [{ metric: "problem_back", query: "problemId=prb_none" }, "query"],
    [{ metric: "schedule_missed", query: "status=failed" }, "query"],
    [{ targets: [{ webhook: "wh" }] }, "targets"],
    [{ windowMinutes: 1 }, "windowMinutes"],
    [{ threshold: -1 }, "threshold"],
  ];
  for (const [body, path] of refusals) {
    const refused = await make(body);
    expect([body, refused.status, refused.path]).toEqual([body, 400, path]);
  }
  expect((await make({ targets: [{ webhook: "wh" }] }, "admin")).path).toBe("targets");
});

test("somebody who may not choose a webhook any more can still pause what sends there", async () => {
  const webhook = { id: "wh", name: "Desk", url: "https://desk.example/x", events: "[]", createdById: "admin" };
  await server.database.webhook.create({ data: webhook });
  const { alert } = await make({ targets: [{ webhook: "wh" }] }, "admin");
  await server.database.user.update({ where: { id: "admin" }, data: { role: "member" } });
  expect((await on(change, alert.id, "admin", { enabled: false })).status).toBe(200);
  expect((await on(change, alert.id, "admin", { targets: [{ webhook: "wh" }] })).status).toBe(400);
});

test("what was measured of everybody's runs is hidden from somebody who may not see them any more", async () => {
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  await addTrace(server, "one", { status: "failed" });
  await server.database.trace.updateMany({ data: { startedAt: new Date() } });
  const { alert } = await make({}, "admin");
  expect(alert.value).toBe(100);
  await server.database.user.update({ where: { id: "admin" }, data: { role: "member" } });
  expect(await alerts("admin")).toMatchObject([{ value: null, checkedAt: null }]);
});

test("more than 50 alerts are refused", async () => {
  for (let index = 0; index < 50; index++) await make({ name: `Alert ${index}` });
  expect((await make()).status).toBe(409);
});
