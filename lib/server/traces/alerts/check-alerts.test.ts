import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { PATCH as changeRoute } from "@/app/api/alerts/[alertId]/route";
import { POST as createRoute } from "@/app/api/alerts/route";
import { PATCH as chooseRoute } from "@/app/api/notifications/route";
import { PATCH as settingsRoute } from "@/app/api/settings/route";
import type { AlertMetric, CreateAlertBody } from "@/lib/schema/traces/alert";
import { runProblemKey } from "@/lib/schema/traces/problem-key";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { maskTexts } from "@/lib/server/platform/db/queries/search/mask-texts";
import { setMasks } from "@/lib/server/platform/masking";
import { loadSettings } from "@/lib/server/settings/settings";
import { changeProblem, collectProblems, listProblems } from "@/lib/server/traces/problems/problems";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { checkAlerts } from "./check-alerts";
import { measureAlert } from "./measure-alert";

let server: TestServer;
let made = 0;
beforeEach(async () => {
  made = 0;
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

const NOW = Date.now();
const MINUTE_MS = 60_000;
const after = (minutes: number) => new Date(NOW + minutes * MINUTE_MS);

/** A run with a trace that began then and took a second, with these columns. */
async function ran(minutes: number, columns: object = {}, owner = "member"): Promise<string> {
  const name = `a${++made}`;
  await addTrace(server, name, { owner });
  const startedAt = after(minutes);
  const data = { startedAt, endedAt: startedAt, workedMs: 1_000, costUsd: 0.5, ...columns };
  await server.database.trace.update({ where: { id: `tr_${name}` }, data });
  return name;
}

async function alert(body: Partial<CreateAlertBody> = {}, as: Role = "member"): Promise<string> {
  const reply = await server.call(createRoute, {
    as,
    body: { name: "Failing", metric: "error_rate", threshold: 30, ...body },
  });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return (await reply.json()).id;
}
const check = (minutes: number) => checkAlerts(server.services, after(minutes));
const row = (id: string) => server.database.alert.findUniqueOrThrow({ where: { id } });
const told = async (userId = "member") => {
  const notes = await server.database.inboxNote.findMany({ where: { userId }, orderBy: { createdAt: "asc" } });
  return notes.map(({ title }) => title);
};

test("one message says that it fires, and one that it has recovered", async () => {
  const id = await alert({ query: "agent=writer&period=7d&sort=cost" });
  await ran(0);
  await check(1);
  expect(await told()).toEqual([]);
  await ran(1, { status: "failed" });
  for (const minutes of [2, 3, 4]) await check(minutes);
  expect(await row(id)).toMatchObject({ state: "firing", value: 50, query: "agent=writer" });
  expect(await told()).toEqual(["Failing: 50 %"]);
  for (let run = 0; run < 3; run++) await ran(5);
  for (const minutes of [6, 7]) await check(minutes);
  expect(await told()).toEqual(["Failing: 50 %", "Failing has recovered: 20 %"]);
  expect(await row(id)).toMatchObject({ state: "ok", value: 20, unsent: null });
  const note = await server.database.inboxNote.findFirstOrThrow();
  expect(note).toMatchObject({ kind: "alert", source: "alert Failing", path: "/traces?agent=writer" });
  expect(note.detail).toBe("Error rate over 30 % in the last hour.");
});

test("while new masking rules are being applied, an alert on words stays as it is", async () => {
  const id = await alert({ query: "q=nightly", threshold: 0 });
  const failed = await ran(0, { status: "failed", title: "Nightly import" });
  await check(1);
  expect(await row(id)).toMatchObject({ state: "firing", value: 100 });
  const message = { threadId: `th_${failed}`, runId: `run_${failed}`, role: "user", parts: "[]", text: "Import" };
  const data = Array.from({ length: 1_100 }, (_, at) => ({ ...message, id: `m${at}`, position: at + 1 }));
  await server.database.transcriptMessage.createMany({ data });
  const body = { masking: { rules: [{ name: "numbers", pattern: "[0-9]{8}", replacement: "#" }] } };
  await server.call(settingsRoute, { as: "admin", method: "PATCH", body });
  onTestFinished(() => setMasks([]));
  // Another process has not heard of the rules yet, so it applies none.
  setMasks([], 0);
  await check(2);
  expect(await row(id)).toMatchObject({ state: "firing", value: 100, checkedAt: after(1) });
  await loadSettings(server.services);
  while ((await maskTexts(server.database, 50)) > 0);
  await check(3);
  expect(await row(id)).toMatchObject({ state: "firing", value: 100, checkedAt: after(3) });
});

test("one that fires again within an hour says so once the hour is over, and is not taken back before", async () => {
  await alert({ windowMinutes: 5, threshold: 0 });
  const fails = (minutes: number) => ran(minutes, { status: "failed" });
  await fails(0);
  await check(1);
  await check(10);
  expect(await told()).toHaveLength(2);
  await fails(20);
  await check(21);
  await check(30);
  expect(await told()).toHaveLength(2);
  await fails(60);
  await check(60.5);
  expect(await told()).toHaveLength(2);
  await check(61);
  expect(await told()).toHaveLength(3);
});

test("two processes that check at once send one message", async () => {
  await alert();
  await ran(0, { status: "failed" });
  await Promise.all([check(1), check(1)]);
  expect(await told()).toEqual(["Failing: 100 %"]);
  expect((await server.database.alert.findFirstOrThrow()).messages).toBe(1);
});

test("a message that a process decided on and died before it was sent is sent by the next", async () => {
  const id = await alert({ targets: [{ email: true }] });
  const unsent = JSON.stringify({ isFiring: true, value: 80, at: after(0).toISOString() });
  await server.database.alert.update({
    where: { id },
    data: { unsent, messages: 1, isTold: true, state: "firing", lastSentAt: after(0) },
  });
  await check(1);
  await check(2);
  expect(await told()).toEqual(["Failing: 80 %", "Failing has recovered: no runs"]);
  expect(await server.database.delivery.count()).toBe(2);
});

test("a member's alert measures their own runs, an administrator's everybody's, also after a change of role", async () => {
  await ran(0, { status: "failed" }, "admin");
  await ran(0);
  const own = await alert();
  const all = await alert({}, "admin");
  await check(1);
  expect([(await row(own)).value, (await row(all)).value]).toEqual([0, 50]);
  await server.database.user.update({ where: { id: "admin" }, data: { role: "member" } });
  await check(2);
  expect((await row(all)).value).toBe(100);
  await server.database.user.update({ where: { id: "admin" }, data: { deactivatedAt: new Date() } });
  await ran(3, {}, "admin");
  await check(4);
  expect(await row(all)).toMatchObject({ value: 100, checkedAt: after(2) });
});

test("a key of an administrator that is none makes and changes alerts on their own runs alone", async () => {
  await ran(0, { status: "failed" });
  const key = await server.addKey("admin", ["read", "chat"]);
  const body = { name: "Mine", metric: "error_rate", threshold: 10 };
  const { id, value } = await (await server.call(createRoute, { key, body })).json();
  await check(1);
  expect([value, (await row(id)).value]).toEqual([null, null]);
  const all = await alert({}, "admin");
  const change = { key, method: "PATCH", params: { alertId: all } };
  expect(await (await server.call(changeRoute, { ...change, body: { name: "All" } })).json()).toMatchObject({
    ...{ name: "All", value: null, state: "ok", checkedAt: null },
  });
  await check(2);
  expect((await row(all)).value).toBe(100);
  await server.call(changeRoute, { ...change, body: { threshold: 5 } });
  await check(3);
  expect((await row(all)).value).toBeNull();
});

test("what goes besides to a mail and a webhook is queued once, the webhook only for an administrator", async () => {
  const webhook = { id: "wh", name: "Desk", url: "https://desk.example/x", events: "[]", createdById: "admin" };
  await server.database.webhook.create({ data: webhook });
  await server.call(chooseRoute, { as: "admin", method: "PATCH", body: { ways: { alert: { page: true } } } });
  const id = await alert({ targets: [{ email: true }, { webhook: "wh" }] }, "admin");
  await ran(0, { status: "failed" });
  await check(1);
  await check(2);
  const queued = await server.database.delivery.findMany();
  const kinds = queued.map(({ target }) => Object.keys(JSON.parse(target))[0]).toSorted();
  expect(kinds).toEqual(["mail", "page", "webhook"]);
  const sent = queued.find(({ webhookId }) => webhookId === "wh");
  expect(sent).toMatchObject({ runId: "", ownerId: "admin", event: "alert.firing", state: "pending" });
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    type: "alert.firing",
    timestamp: after(1).toISOString(),
    data: {
      ...{ alert_id: id, name: "Failing", metric: "error_rate", query: "" },
      ...{ threshold: 30, window_minutes: 60, value: 100 },
    },
  });
  await server.database.user.update({ where: { id: "admin" }, data: { role: "member" } });
  await check(3);
  expect(await server.database.delivery.count({ where: { webhookId: "wh" } })).toBe(1);
});

const measure = (metric: AlertMetric, over: { query?: string; armed?: number; role?: Role } = {}, minutes = 10) =>
  measureAlert(
    server.services,
    testViewer(over.role ?? "member", over.role ?? "member"),
    { metric, query: over.query ?? "", windowMinutes: 120, armedAt: after(over.armed ?? -60) },
    after(minutes),
  );

test("the 95th percentile and the cost a day are of the runs that began in the window", async () => {
  expect([await measure("p95_worked"), await measure("cost_per_day")]).toEqual([null, null]);
  await ran(-200, { costUsd: 9, workedMs: 900_000 });
  for (let run = 0; run < 4; run++) await ran(run, { workedMs: 60_000 });
  expect(await measure("cost_per_day")).toBe(24);
  expect(await measure("p95_worked")).toBeGreaterThan(30);
  expect(await measure("p95_worked")).toBeLessThan(70);
  expect(await measure("cost_per_day", { query: "agent=other" })).toBeNull();
});

test("replays count neither as failures nor as slow runs, unless the alert is about them; what they cost is spent", async () => {
  await ran(0);
  await ran(0, { origin: "replay", status: "failed", workedMs: 60_000, costUsd: 2 });
  expect(await measure("error_rate")).toBe(0);
  expect(await measure("p95_worked")).toBeLessThan(2);
  expect(await measure("error_rate", { query: "origin=replay" })).toBe(100);
  expect(await measure("cost_per_day")).toBe(30);
});

test("what waits is measured from the oldest open ask of the runs that one sees", async () => {
  const asks = async (minutes: number, owner: string, status = "pending") => {
    const name = await ran(-300, { status: "waiting", endedAt: null }, owner);
    const ask = { id: `ap_${name}`, runId: `run_${name}`, threadId: `th_${name}`, toolCallId: "c", tool: "write_file" };
    const kept = { ownerId: owner, args: "{}", kind: "approval", status, createdAt: after(minutes) };
    await server.database.approval.create({ data: { ...ask, ...kept } });
  };
  expect(await measure("waiting")).toBeNull();
  await asks(-80, "member");
  await asks(-500, "member", "approved");
  await asks(-200, "admin");
  expect(await measure("waiting")).toBe(90);
  expect(await measure("waiting", { role: "admin" })).toBe(210);
  expect(await measure("waiting", { role: "admin", query: "mine=true" })).toBe(210);
  expect(await measure("waiting", { query: "agent=other" })).toBeNull();
});

test("a problem is back with a run after the alert was made, and once resolved only in a later version", async () => {
  const failure = {
    status: "failed",
    errorCode: "model_failed",
    problemKey: runProblemKey({ errorCode: "model_failed", model: null, message: "Gone." }),
  };
  await ran(-90, failure);
  await collectProblems(server.database);
  const [problem] = (await listProblems(server.services, testViewer("admin", "admin"), {})).problems;
  const query = `problemId=${problem?.id}`;
  expect(await measure("problem_back", { query })).toBe(0);
  await ran(-10, failure);
  expect(await measure("problem_back", { query })).toBe(1);
  expect(await measure("problem_back", { query, armed: 0 })).toBe(0);
  await changeProblem(server.services, testViewer("admin", "admin"), problem?.id ?? "", "resolved");
  expect(await measure("problem_back", { query })).toBe(0);
  await ran(-5, { ...failure, agentVersion: 2 });
  expect(await measure("problem_back", { query })).toBe(1);
  await ran(-5, { ...failure, agentVersion: 2 }, "admin");
  expect(await measure("problem_back", { query })).toBe(1);
  expect(await measure("problem_back", { query, role: "admin" })).toBe(2);
});

test("missed due times are those of one's own schedules, an administrator's of all", async () => {
  const schedule = async (id: string, ownerId: string | null) => {
    const data = { id, ownerId, agentId: "writer", kind: "cron", name: id, config: "{}" };
    await server.database.trigger.create({ data });
  };
  await schedule("mine", "member");
  await schedule("theirs", "admin");
  const fire = (triggerId: string, key: string, more: object) =>
    server.database.firing.create({
      data: { id: key, triggerId, key, dueAt: after(-300), createdAt: after(0), ...more } as never,
    });
  await fire("mine", "f1", { state: "missed", count: 3 });
  await fire("mine", "f2", { state: "started", reason: "Missed, then run 20 min late." });
  await fire("mine", "f3", { state: "started" });
  await fire("mine", "f4", { state: "missed", createdAt: after(-200) });
  await fire("theirs", "f5", { state: "missed" });
  expect(await measure("schedule_missed")).toBe(4);
  expect(await measure("schedule_missed", { role: "admin" })).toBe(5);
  expect(await measure("schedule_missed", { role: "admin", query: "mine=true" })).toBe(1);
  expect(await measure("schedule_missed", { query: "agent=other" })).toBe(0);
});
