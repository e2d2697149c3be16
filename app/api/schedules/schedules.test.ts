import { afterEach, beforeEach, expect, test } from "vitest";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import type { Viewer } from "@/lib/schema/users/user";
import { setUserTimeZones } from "@/lib/server/platform/time/user-time-zones";
import { updateUser } from "@/lib/server/users/update-user";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { POST as resend } from "../deliveries/[deliveryId]/resend/route";
import { DELETE as removeDelivery } from "../deliveries/[deliveryId]/route";
import { GET as listDeliveries } from "../deliveries/route";
import { PATCH as changeMe } from "../me/route";
import { GET as listFirings } from "./[scheduleId]/firings/route";
import { PATCH as change, GET as getOne, DELETE as remove } from "./[scheduleId]/route";
import { POST as runNow } from "./[scheduleId]/run/route";
import { GET as log } from "./firings/route";
import { POST as preflight } from "./preflight/route";
import { POST as create, GET as list } from "./route";
import { POST as askTimes } from "./times/route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "coder", { name: "Coder", model: "scripted:m" });
});
afterEach(() => server.close());

const BRIEF = {
  agentId: "coder",
  name: "Morning brief",
  cron: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  prompt: "Brief me.",
};
type As = "member" | "viewer" | "admin";

async function make(body: object = {}, as: As = "member"): Promise<Schedule> {
  const reply = await server.call(create, { as, body: { ...BRIEF, ...body } });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return reply.json();
}
const refused = async (body: object, as: As = "member") => {
  const reply = await server.call(create, { as, body: { ...BRIEF, ...body } });
  return [reply.status, (await reply.json()).error?.details?.[0]?.path];
};
const on = (route: typeof getOne, { id }: Schedule, as: As = "member", body?: object) =>
  server.call(route, { as, params: { scheduleId: id }, ...(body ? { body } : {}) });

test("a schedule is made with everything the YAML has, and says when it is due", async () => {
  const made = await make();
  expect(made).toMatchObject({
    ...BRIEF,
    kind: "cron",
    enabled: true,
    failures: 0,
    pausedReason: null,
    thread: "new",
    overlap: "skip",
    missed: "run_once",
    grace: "6h",
    on_ask: "wait",
    budget: { run_usd: null, day_usd: null },
    deliver: [{ thread: true }],
    firings: [],
  });
  expect(new Date(made.nextDueAt ?? "").getUTCMinutes()).toBe(0);
  expect(await (await on(getOne, made)).json()).toEqual(made);
  expect((await (await server.call(list, { as: "member" })).json()).schedules).toEqual([made]);
});

test("what can't be is refused beside its field", async () => {
  expect(await refused({ every: "30m" })).toEqual([400, "cron"]);
  expect(await refused({ cron: undefined })).toEqual([400, "at"]);
  expect(await refused({ cron: undefined, at: "2020-01-01T09:00" })).toEqual([400, "at"]);
  expect(await refused({ cron: undefined, every: "10s" })).toEqual([400, "every"]);
  expect(await refused({ timezone: "Berlin" })).toEqual([400, "timezone"]);
  expect(await refused({ thread: "th_of_another" })).toEqual([400, "thread"]);
  expect(await refused({ deliver: [{ pigeon: "home" }] })).toEqual([400, "deliver.0.pigeon"]);
  expect((await refused({ agentId: "nobody" }))[0]).toBe(404);
  expect((await refused({}, "viewer"))[0]).toBe(403);
});

test("others do not find it; administrators read it, and change nothing that has an owner", async () => {
  const made = await make();
  expect((await on(getOne, made, "viewer")).status).toBe(404);
  expect((await on(getOne, made, "admin")).status).toBe(200);
  expect((await on(change, made, "admin", { name: "Mine" })).status).toBe(403);
  expect((await on(runNow, made, "admin")).status).toBe(403);
  expect((await on(change, made, "admin", { ownerId: "me" })).status).toBe(409);
  expect((await on(change, made, "member", { ownerId: "me" })).status).toBe(403);
});

test("a change keeps what it leaves out; a new time replaces the old one, and off is not due", async () => {
  const made = await make({ budget: { day_usd: 1 }, overlap: "queue" });
  const changed: Schedule = await (await on(change, made, "member", { every: "30m" })).json();
  expect(changed).toMatchObject({ kind: "every", every: "30m", overlap: "queue", budget: { day_usd: 1 } });
  expect(changed.cron).toBeUndefined();
  const off = await (await on(change, made, "member", { enabled: false })).json();
  expect(off).toMatchObject({ enabled: false, nextDueAt: null, pausedReason: null });
  await server.database.trigger.update({ where: { id: made.id }, data: { failures: 3, pausedReason: "failures" } });
  const back = await (await on(change, made, "member", { enabled: true })).json();
  expect(back).toMatchObject({ enabled: true, failures: 0, pausedReason: null, nextDueAt: expect.any(String) });
  const entries = await server.database.auditEntry.findMany({ where: { target: `schedule:${made.id}` } });
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    "schedule.changed",
    "schedule.changed",
    "schedule.changed",
    "schedule.created",
  ]);
});

test("Run now starts a run at once, also of one that is off, and it stands among the firings", async () => {
  const made = await make({ enabled: false });
  const reply = await on(runNow, made);
  expect(reply.status).toBe(201);
  const firing = await reply.json();
  expect(firing).toMatchObject({ state: "started", runId: expect.any(String), count: 1 });
  const { firings } = await (await on(listFirings, made)).json();
  expect(firings.map(({ id }: { id: string }) => id)).toEqual([firing.id]);
  expect((await on(remove, made)).status).toBe(204);
  expect((await on(getOne, made)).status).toBe(404);
  expect(await server.database.run.count({ where: { id: firing.runId } })).toBe(1);
});

test("a schedule's past runs say what they answered, or why they failed, and what it costs in a month", async () => {
  const made = await make();
  const run = async (costUsd: number, errorMessage: string | null, text: string) => {
    const { runId } = await (await on(runNow, made)).json();
    const columns = { status: errorMessage === null ? "completed" : "failed", errorMessage, costUsd, waitedMs: 5 };
    const { threadId, assistantMessageId: id } = await server.database.run.update({
      where: { id: runId },
      data: { ...columns, endedAt: new Date() },
    });
    if (text === "") return;
    await server.database.transcriptMessage.create({
      data: { id, threadId, runId, position: 9, role: "assistant", parts: "[]", text },
    });
  };
  await run(0.25, null, `\nTwo pull requests wait.\n${"x".repeat(600)}`);
  await run(0.5, "The provider refused the key.", "");
  const { firings } = await (await on(listFirings, made)).json();
  const byError = firings.toSorted((one: { error: string | null }) => (one.error === null ? -1 : 1));
  expect(byError).toMatchObject([
    { answer: expect.stringMatching(/^Two pull requests wait\.\nx+$/), error: null, costUsd: 0.25, waitedMs: 5 },
    { answer: null, error: "The provider refused the key.", costUsd: 0.5 },
  ]);
  expect(byError[0].answer.length).toBe(500);
  expect(await (await on(getOne, made)).json()).toMatchObject({ monthUsd: 0.75 });
});

test("a firing whose run waits for the one before it says that it is claimed, and has no run", async () => {
  const made = await make({ overlap: "queue" });
  const first = await (await on(runNow, made)).json();
  await server.database.run.update({ where: { id: first.runId }, data: { status: "waiting" } });
  const second = await (await on(runNow, made)).json();
  expect(second).toMatchObject({ state: "claimed", reason: null, runId: null, status: null });
  const { firings } = await (await on(listFirings, made)).json();
  expect(firings.map(({ state }: { state: string }) => state).toSorted()).toEqual(["claimed", "started"]);
});

test("an owner who is deactivated pauses theirs at once; an administrator takes it over, without what was allowed", async () => {
  const made = await make({ allow: [{ tool: "execute", args: { command: "ls" } }] });
  const admin: Viewer = {
    id: "admin",
    name: "The admin",
    email: "admin@example.test",
    role: "admin",
    scopes: ["admin"],
  };
  await updateUser(server.services, made.ownerId ?? "", { deactivated: true }, admin);
  const paused = await (await on(getOne, made, "admin")).json();
  expect(paused).toMatchObject({ enabled: false, pausedReason: "owner_deactivated", nextDueAt: null });
  const taken = await (await on(change, made, "admin", { ownerId: "me", enabled: true })).json();
  expect(taken).toMatchObject({ ownerId: admin.id, enabled: true, allow: [], pausedReason: null });
});

test("a preflight names the tools that would ask and the next due times, and stores nothing", async () => {
  const reply = await server.call(preflight, { as: "member", body: { agentId: "coder", every: "30m" } });
  expect(reply.status).toBe(200);
  const { asks, next, pastRuns } = await reply.json();
  expect([asks, next.length, pastRuns]).toEqual([[], 5, 0]);
  expect(await server.database.trigger.count()).toBe(0);
});

test("the next due times of a schedule to be are those of its maker's zone, or a sentence about why there are none", async () => {
  const ask = async (body: object) => (await server.call(askTimes, { as: "member", body })).json();
  setUserTimeZones([{ id: "member", timeZone: "Asia/Tokyo" }]);
  const { next, timezone } = await ask({ cron: "0 8 * * *" });
  setUserTimeZones([]);
  expect([timezone, next.length]).toEqual(["Asia/Tokyo", 5]);
  expect(next.map((due: string) => due.slice(11))).toEqual(Array(5).fill("23:00:00.000Z"));
  expect(await ask({ at: "2020-01-01T09:00" })).toMatchObject({
    error: { message: expect.stringContaining("in the past") },
  });
  expect(await ask({})).toMatchObject({ error: { message: expect.stringContaining("say when") } });
});

test("a delivery is listed for its owner by its state, and resent with the same key; others do not find it", async () => {
  const target = '{"thread":true}';
  const failed = { state: "failed", attempts: 7, error: "down" };
  await server.database.delivery.create({
    data: { id: "dlv_1", runId: "run_1", ownerId: "member", target, body: "x", ...failed },
  });
  const list = async (as: As) =>
    (await (await server.call(listDeliveries, { as, path: "/api/deliveries?state=failed" })).json()).deliveries;
  expect(await list("member")).toMatchObject([{ id: "dlv_1", target: { thread: true }, ...failed }]);
  expect(await list("viewer")).toEqual([]);
  expect((await server.call(resend, { as: "viewer", params: { deliveryId: "dlv_1" } })).status).not.toBe(200);
  const again = await (await server.call(resend, { as: "member", params: { deliveryId: "dlv_1" } })).json();
  expect(again).toMatchObject({ id: "dlv_1", state: "pending", attempts: 0, error: null, nextAt: expect.any(String) });
  expect(await list("member")).toEqual([]);
  const params = { deliveryId: "dlv_1" };
  expect((await server.call(removeDelivery, { as: "viewer", method: "DELETE", params })).status).not.toBe(204);
  expect((await server.call(removeDelivery, { as: "member", method: "DELETE", params })).status).toBe(204);
  expect(await server.database.delivery.count()).toBe(0);
  expect(await server.database.auditEntry.count({ where: { action: "delivery.deleted" } })).toBe(1);
});

test("a schedule without a time zone goes by its owner's, and takes notify and email as targets", async () => {
  const body = { timeZone: "Asia/Tokyo" };
  expect((await server.call(changeMe, { as: "member", method: "PATCH", body })).status).toBe(200);
  const deliver = [{ notify: true }, { email: true }];
  const own = await make({ timezone: undefined, cron: "0 9 * * *", deliver });
  expect(own).toMatchObject({ timezone: "Asia/Tokyo", deliver });
  expect(own.nextDueAt).toMatch(/T00:00:00/);
  expect((await make({ name: "Other", timezone: undefined }, "admin")).timezone).not.toBe("Asia/Tokyo");
  expect((await refused({ name: "Direct", deliver: [{ push: { kind: "failed", device: "psh_1" } }] }))[0]).toBe(400);
});

test("the log has what became of all one's due times, newest first, also only what did not go well", async () => {
  const { id: scheduleId } = await make();
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 2, hour));
  const row = (id: string, hour: number) => ({ id, triggerId: scheduleId, key: id, dueAt: at(hour) });
  await server.database.firing.createMany({
    data: [
      { ...row("fir_1", 9), state: "started", runId: "run_1", outcome: "completed" },
      { ...row("fir_2", 10), state: "started", runId: "run_2", outcome: "completed", failedCalls: 1 },
      { ...row("fir_3", 11), state: "missed", count: 2, reason: "The server was away." },
    ],
  });
  const read = async (as: As, query: string) =>
    (await (await server.call(log, { as, path: `/api/schedules/firings${query}` })).json()).firings;
  const known = { scheduleId, scheduleName: "Morning brief", agentName: "Coder", timezone: "Europe/Berlin" };
  expect(await read("member", "")).toMatchObject(["fir_3", "fir_2", "fir_1"].map((id) => ({ id, ...known })));
  expect(await read("admin", "?state=problems")).toMatchObject([{ id: "fir_3", count: 2 }, { id: "fir_2" }]);
  expect(await read("viewer", "")).toEqual([]);
});
