import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChangeNotificationsBody, NotificationSettings, PushMessage } from "@/lib/schema/users/notification";
import { startRun } from "@/lib/server/engine/accept";
import type { RunHost } from "@/lib/server/engine/host";
import { type FeedEvent, onFeedEvent } from "@/lib/server/engine/log/signals";
import { DELIVERY_TASK, DeliveryTask } from "@/lib/server/engine/outgoing/delivery-timer";
import { decideOnRun } from "@/lib/server/inbox/decide-on-run";
import { logger } from "@/lib/server/platform/logger";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { deliver } from "@/lib/server/triggers/deliver";
import { followRuns, notifyOfRun, sweepNotifications } from "@/lib/server/triggers/notify/notify-run";
import { updateUser } from "@/lib/server/users/update-user";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { addAgent, addThread, eventsToEnd, reached, testHost } from "@/lib/testing/fixtures/run-fixture";
import { type PushServer, startPushServer } from "@/lib/testing/servers/push-server";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as changeMe } from "../me/route";
import { PATCH as change, GET as show } from "../notifications/route";
import { DELETE as remove } from "../push-subscriptions/[subscriptionId]/route";
import { POST as tryDevice } from "../push-subscriptions/[subscriptionId]/test/route";
import { POST as subscribe } from "../push-subscriptions/route";
import { POST as decide } from "./route";

let push: PushServer;
let server: TestServer;
let host: RunHost;
let stop: () => void;

beforeEach(async () => {
  push = await startPushServer();
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: push.host });
  const { database } = server;
  await addAgent(database, "sender", { name: "Sender", model: "scripted:approval" });
  await addThread(database, "th1", { ownerId: "member", agentId: "sender" });
  const parts = approvalParts(effects(), () => undefined);
  host = testHost(database, {
    ...parts,
    tools: parts.tools.map((tool) => ({ ...tool, question: "Send this mail?" })),
    tasks: { [DELIVERY_TASK]: (data) => deliver(server.services, DeliveryTask.parse(data).deliveryId) },
  });
  await host.start();
  stop = followRuns(servicesOf(database));
});
afterEach(async () => {
  stop();
  await host.stop();
  await server.close();
  await push.close();
});

const effects = () => `${server.dataDirectory}/effects`;
const choose = async (body: ChangeNotificationsBody): Promise<NotificationSettings> =>
  (await server.call(change, { as: "member", method: "PATCH", body })).json();
const add = async (browser: string) => {
  const reply = await server.call(subscribe, { as: "member", body: push.subscribe(browser) });
  expect(reply.status, await reply.clone().text()).toBe(201);
  return (await reply.json()).id as string;
};
const ask = async () => {
  const messages = [{ role: "user" as const, content: "Send it" }];
  const { runId } = await startRun(server.database, {
    ownerId: "member",
    threadId: "th1",
    agentId: "sender",
    messages,
  });
  await reached(async () => (await server.database.approval.count({ where: { runId } })) === 1);
  return runId;
};
const CAUSE = "LLM call: The provider is overloaded.";
/** A run that nothing works on: its host has stopped. */
const startSilently = async (threadId: string) => {
  const messages = [{ role: "user" as const, content: "Again" }];
  const request = { ownerId: "member", threadId, agentId: "sender", messages };
  return (await startRun(server.database, request)).runId;
};
const fail = async (id: string) => {
  const data = { status: "failed" as const, attended: false, endedAt: new Date(), errorMessage: CAUSE };
  await server.database.run.update({ where: { id }, data });
  await notifyOfRun(server.services, id);
};
const pushed = async (count = 1): Promise<PushMessage[]> => {
  await reached(() => push.received.length >= count);
  return push.received.map(({ message }) => message);
};
const press = async (token: string | undefined, decision = "allow") => {
  const reply = await server.call(decide, { body: { token, decision } });
  return [reply.status, (await reply.json()).error?.message];
};
const settled = () =>
  reached(async () => (await server.database.delivery.count({ where: { nextAt: { not: null } } })) === 0);
const deliveries = () =>
  server.database.delivery.findMany({
    select: { state: true, error: true },
    orderBy: [{ state: "asc" }, { id: "asc" }],
  });

test("a push asks in the tool's own words and shows the whole call, and its button lets the run go on", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await add("phone");
  const runId = await ask();
  const [message] = await pushed();
  expect(message).toMatchObject({
    title: "Send this mail?",
    body: "Sender, in “Send it”\nsend: ada",
    path: "/inbox",
    mayAllow: true,
  });
  expect(await press(message?.token)).toEqual([200, undefined]);
  const last = (await eventsToEnd(server.database, runId)).at(-1);
  expect(last?.event).toMatchObject({ type: "run.completed", status: "completed" });
  expect(readFileSync(effects(), "utf8")).toBe(`${runId} ada\n`);
  const row = await server.database.approval.findFirstOrThrow({ where: { runId } });
  expect(row).toMatchObject({ status: "approved", decidedBy: "member", decidedVia: "push" });
  const stored = JSON.stringify(await server.database.decisionToken.findMany());
  expect(stored).not.toContain(message?.token?.slice(0, 40));
});

test("two devices that press at once make one decision, and the other is told that there is one", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await add("phone");
  await add("laptop");
  const runId = await ask();
  const [first, second] = await pushed(2);
  const answers = await Promise.all([press(first?.token, "allow"), press(second?.token, "deny")]);
  expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(([status]) => status === 409)?.[1];
  expect(refused).toMatch(/^Already decided\. (Allowed|Denied) by The member from a notification\.$/);
  await eventsToEnd(server.database, runId);
  expect(await server.database.runEvent.count({ where: { runId, type: "interrupt.decided" } })).toBe(1);
});

test("on every device the question is replaced once it is decided, by what was decided and without buttons", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await add("phone");
  await add("laptop");
  const runId = await ask();
  const [asked] = await pushed(2);
  await settled();
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "allow" }] });
  const replaced = (await pushed(4)).slice(2);
  const path = "/inbox";
  const decided = { title: "Already decided", body: "Allowed by you in the browser.", path, tag: asked?.tag };
  expect(replaced).toEqual(Array(2).fill({ ...decided, replaces: true }));
  await eventsToEnd(server.database, runId);
  await settled();
  expect(push.received).toHaveLength(4);
});

test("a button works once, for 24 hours, and only with the token that was given out", async () => {
  await choose({ ways: { decision: { push: true } } });
  await add("phone");
  const runId = await ask();
  const [message] = await pushed();
  const token = message?.token ?? "";
  expect((await press(`${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`, "deny"))[0]).toBe(404);
  // Somebody who can write to the database can't point the token at another approval.
  const before = await server.database.decisionToken.findFirstOrThrow();
  await server.database.decisionToken.updateMany({ data: { mayAllow: true } });
  expect((await press(token, "allow"))[0]).toBe(404);
  await server.database.decisionToken.updateMany({ data: { mayAllow: false } });
  await server.database.decisionToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  expect(await press(token, "deny")).toEqual([404, "This button no longer works. Decide in the inbox."]);
  await server.database.decisionToken.updateMany({ data: { expiresAt: before.expiresAt } });
  expect((before.expiresAt.getTime() - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  expect((await press(token, "deny"))[0]).toBe(200);
  expect((await press(token, "deny"))[0]).toBe(409);
  await eventsToEnd(server.database, runId);
});

test("without more words it says that something is there, and can deny but not allow", async () => {
  await choose({ ways: { decision: { push: true } } });
  await add("phone");
  const runId = await ask();
  const [message] = await pushed();
  expect(message).toMatchObject({ title: "Something is waiting for you", body: "", mayAllow: false });
  expect((await press(message?.token, "allow"))[0]).toBe(403);
  expect((await press(message?.token, "deny"))[0]).toBe(200);
  await eventsToEnd(server.database, runId);
});

test("the buttons of a person who was deactivated or may no longer chat decide nothing", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await add("phone");
  const runId = await ask();
  const token = (await pushed())[0]?.token;
  const admin = { id: "admin", name: "A", email: "a@x.test", role: "admin", scopes: ["admin"] } as const;
  await updateUser(server.services, "member", { role: "viewer" }, { ...admin, scopes: ["admin"] });
  expect((await press(token))[0]).toBe(403);
  await updateUser(server.services, "member", { role: "member", deactivated: true }, { ...admin, scopes: ["admin"] });
  expect((await press(token))[0]).toBe(403);
  expect(await server.database.approval.count({ where: { runId, status: "pending" } })).toBe(1);
  await settled();
  // And nothing more is revealed to them.
  push.received.length = 0;
  await server.database.delivery.deleteMany();
  await notifyOfRun(server.services, runId);
  await settled();
  expect([push.received, await deliveries()]).toEqual([
    [],
    [{ state: "failed", error: "Not sent: the person has been deactivated." }],
  ]);
});

test("a browser that takes no more messages is forgotten; a service with a bad day is asked again", async () => {
  await choose({ ways: { decision: { push: true } } });
  await add("gone");
  await add("slow");
  push.statuses.set("gone", 410).set("slow", 503);
  await ask();
  await reached(async () => (await server.database.delivery.count({ where: { attempts: 1, begunAt: null } })) === 2);
  expect(await deliveries()).toEqual([
    { state: "failed", error: "Not sent: the browser takes no more messages and was removed." },
    { state: "pending", error: `${push.host} answered 503: the service has a bad day.` },
  ]);
  const { devices } = await choose({});
  expect(devices.map(({ name }) => name)).toEqual(["slow"]);
  const { nextAt, id } = await server.database.delivery.findFirstOrThrow({ where: { state: "pending" } });
  push.statuses.clear();
  await deliver(server.services, id, nextAt ?? new Date());
  expect(push.received).toMatchObject([{ browser: "slow", message: { title: "Something is waiting for you" } }]);
});

test("what was decided before it was sent is not sent", async () => {
  await choose({ ways: { decision: { push: true } }, quietHours: quietNow(false) });
  await add("phone");
  const runId = await ask();
  await reached(async () => (await server.database.delivery.count()) === 1);
  const held = await server.database.delivery.findFirstOrThrow();
  expect(held.nextAt?.getTime()).toBeGreaterThan(Date.now());
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "deny" }] });
  await deliver(server.services, held.id, held.nextAt ?? new Date());
  expect([push.received, await deliveries()]).toEqual([
    [],
    [{ state: "failed", error: "Not sent: by then it was decided." }],
  ]);
});

test("what comes up in quiet hours is one message when they end, without what was decided by then", async () => {
  const quietHours = { ...quietNow(false), summary: true };
  await choose({ ways: { decision: { push: true }, failed: { push: true } }, words: "who", quietHours });
  await add("phone");
  const runId = await ask();
  const { database } = server;
  await reached(async () => (await database.delivery.count()) === 1);
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "deny" }] });
  await eventsToEnd(database, runId);
  await host.stop();
  for (const id of [runId, await startSilently("th1")]) {
    await fail(id);
    await notifyOfRun(servicesOf(database), id);
  }
  const [held, ...others] = await database.delivery.findMany();
  expect(others).toEqual([]);
  await deliver(server.services, held?.id ?? "", held?.nextAt ?? new Date());
  expect(await pushed()).toMatchObject([{ title: "2 things came up", body: "2 runs have failed", path: "/" }]);
});

test("while everything is paused nothing is sent, and what was kept comes as it is resumed", async () => {
  await choose({ ways: { decision: { push: true } }, quietHours: null, pauseMinutes: 60 });
  await add("phone");
  await ask();
  await reached(async () => (await server.database.delivery.count()) === 1);
  const held = async () => (await server.database.delivery.findFirstOrThrow()).nextAt?.toISOString();
  const { pausedUntil } = await (await server.call(show, { as: "member" })).json();
  expect(await held()).toBe(pausedUntil);
  const longer = await choose({ pauseMinutes: 120 });
  expect(await held()).toBe(longer.pausedUntil);
  expect(push.received).toEqual([]);
  expect((await choose({ pauseMinutes: 0 })).pausedUntil).toBeNull();
  expect(await pushed()).toHaveLength(1);
});

test("a failed run tells why, without the part of the program that noticed", async () => {
  await choose({ ways: { failed: { push: true } }, words: "full" });
  await add("phone");
  await fail(await startSilently("th1"));
  expect(await pushed()).toMatchObject([{ title: "Sender has failed", body: "The provider is overloaded." }]);
});

test("what is wanted once a day waits for the morning, in one message, also when a pause ends before", async () => {
  await choose({ ways: { failed: { push: true } }, how: { failed: "daily" }, words: "who" });
  await add("phone");
  const { database } = server;
  await addThread(database, "th2", { ownerId: "member", agentId: "sender" });
  await host.stop();
  for (const threadId of ["th1", "th2"]) await fail(await startSilently(threadId));
  const [held, ...others] = await database.delivery.findMany();
  expect(others).toEqual([]);
  expect(held?.nextAt?.getTime()).toBeGreaterThan(Date.now());
  await choose({ pauseMinutes: 1 });
  await choose({ pauseMinutes: 0 });
  expect(await database.delivery.findFirst()).toMatchObject({ nextAt: held?.nextAt, attempts: 0 });
  await deliver(server.services, held?.id ?? "", held?.nextAt ?? new Date());
  expect(await pushed()).toMatchObject([{ title: "2 things came up", body: "2 runs have failed" }]);
});

test("a decision passes quiet hours where the person lets it", async () => {
  await choose({ ways: { decision: { push: true } }, quietHours: quietNow(true) });
  await add("phone");
  await ask();
  expect(await pushed()).toHaveLength(1);
});

/** From an hour ago to an hour from now, in the server's zone. */
function quietNow(decisionsPass: boolean) {
  const clock = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return { from: clock(-1), to: clock(1), decisionsPass };
}

test("what a dead process did not queue is queued later, and nothing twice", async () => {
  await choose({ ways: { decision: { push: true, page: true } } });
  await add("phone");
  stop();
  await ask();
  await sweepNotifications(server.services);
  expect(await server.database.delivery.count()).toBe(0);
  const later = new Date(Date.now() + 60_000);
  await Promise.all([sweepNotifications(server.services, later), sweepNotifications(server.services, later)]);
  expect(await server.database.delivery.count()).toBe(2);
  await sweepNotifications(server.services, later);
  expect(await server.database.delivery.count()).toBe(2);
});

test("an open page is told at least who asks, where pushes and mails say nothing", async () => {
  await choose({ ways: { decision: { page: true, push: true } }, words: "short" });
  await add("phone");
  const heard: FeedEvent[] = [];
  const leave = onFeedEvent("member", (event) => {
    if (event?.type === "notification") heard.push(event);
  });
  const runId = await ask();
  const [message] = await pushed();
  await expect.poll(() => heard.length).toBe(1);
  leave();
  expect(message).toMatchObject({ title: "Something is waiting for you", body: "" });
  expect(heard).toMatchObject([{ runId, title: "Sender is waiting for you" }]);
});

test("of a person who has nothing switched on, the moments of a run cost no statement", async () => {
  await choose({ quietHours: null, words: "full" });
  await add("phone");
  stop();
  const untouched = new Proxy(server.database, {
    get(_, name): never {
      throw new Error(`The database was used: ${String(name)}`);
    },
  });
  const failures = vi.spyOn(logger(), "error");
  stop = followRuns({ ...server.services, database: untouched });
  const runId = await ask();
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "deny" }] });
  await eventsToEnd(server.database, runId);
  await new Promise((resolve) => setImmediate(resolve));
  expect([failures.mock.calls, await server.database.delivery.count(), push.received]).toEqual([[], 0, []]);
});

test("a run that ends is told to its owner when it started without them, by mail with a link and no content", async () => {
  const mails: string[] = [];
  const post = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, answer) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        mails.push(Buffer.concat(parts).toString());
        answer(null, "queued");
      });
    },
  });
  await new Promise<void>((resolve) => post.listen(0, "127.0.0.1", () => resolve()));
  const { port } = post.server.address() as AddressInfo;
  currentSettings().smtp = { host: "127.0.0.1", port, security: "none", user: null, from: "r@x.test", sealed: null };
  await choose({ ways: { finished: { email: true }, decision: { email: true } } });
  const messages = [{ role: "user" as const, content: "Send it" }];
  const request = { ownerId: "member", threadId: "th1", agentId: "sender", messages, attended: false } as const;
  const { runId } = await startRun(server.database, { ...request, origin: "schedule", canAsk: true });
  await reached(() => mails.length === 1);
  expect(mails[0]).toMatch(/^To: member@example.test/m);
  expect(mails[0]).toContain("Subject: Ringmaster: Something is waiting for you");
  expect(mails[0]).toContain("/inbox");
  expect(mails[0]).not.toContain("ada");
  expect(mails[0]).not.toContain("Send this mail?");
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "allow" }] });
  await reached(() => mails.length === 2);
  expect(mails[1]).toContain("A run has finished");
  expect(mails[1]).toContain("/threads/th1");
  await new Promise<void>((resolve) => post.close(() => resolve()));
});

test("a run that was stopped at a budget is told as that, with what happened", async () => {
  await choose({ ways: { budget: { push: true }, failed: { email: true } }, words: "full" });
  await add("phone");
  const runId = await ask();
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "deny" }] });
  await eventsToEnd(server.database, runId);
  const notice = "Stopped: the budget of $1.00 for a run of sender is reached. $0.90 is spent.";
  await server.database.run.update({ where: { id: runId }, data: { status: "limit", notice } });
  await notifyOfRun(server.services, runId);
  expect(await pushed()).toMatchObject([{ title: "Sender has reached a budget", body: notice, path: "/threads/th1" }]);
  expect(await server.database.delivery.count()).toBe(1);
});

test("a schedule's notify tells the end in the ways that its owner chose, and never twice", async () => {
  await choose({ ways: { finished: { push: true } }, words: "full" });
  await add("phone");
  const runId = await ask();
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "allow" }] });
  await eventsToEnd(server.database, runId);
  const row = { runId, ownerId: "member", target: '{"notify":true}', body: "Done.", nextAt: new Date() };
  for (const id of ["dlv_a", "dlv_b"]) {
    await server.database.delivery.create({ data: { id, ...row } });
    await deliver(server.services, id);
  }
  expect(await pushed()).toMatchObject([{ title: "Sender has finished", body: "Done.", path: "/threads/th1" }]);
  await settled();
  expect(push.received).toHaveLength(1);
});

test("the end of a beat is told as its heartbeat wants, not as that of other runs without a person", async () => {
  await choose({ ways: { finished: { push: true } } });
  await add("phone");
  const runId = await ask();
  const decider = { id: "member", name: "Mia", via: "page" } as const;
  await decideOnRun(server.services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision: "allow" }] });
  await eventsToEnd(server.database, runId);
  const endedAs = async (origin: string) => {
    await server.database.run.update({ where: { id: runId }, data: { origin, attended: false } });
    await notifyOfRun(server.services, runId);
    return server.database.delivery.count();
  };
  expect([await endedAs("heartbeat"), await endedAs("schedule")]).toEqual([0, 1]);
  await settled();
});

test("a browser is added by https only, belongs to one person, is tried and removed", async () => {
  const phone = push.subscribe("phone");
  const plain = await server.call(subscribe, {
    as: "member",
    body: { ...phone, endpoint: phone.endpoint.replace("https", "http") },
  });
  expect([plain.status, (await plain.json()).error.details[0].path]).toEqual([400, "endpoint"]);
  const inside = await server.call(subscribe, { as: "member", body: { ...phone, endpoint: "https://127.0.0.1:1/x" } });
  expect([inside.status, (await inside.json()).error.message]).toEqual([
    400,
    expect.stringContaining("private address"),
  ]);
  const id = await add("phone");
  const on = (as: "member" | "admin") => ({ as, method: "POST", params: { subscriptionId: id } });
  expect((await server.call(tryDevice, on("admin"))).status).toBe(404);
  expect(await (await server.call(tryDevice, on("member"))).json()).toEqual({ ok: true, error: null });
  expect(push.received).toMatchObject([{ message: { title: "Notifications work" } }]);
  expect((await server.call(remove, { ...on("admin"), method: "DELETE" })).status).toBe(404);
  expect((await server.call(remove, { ...on("member"), method: "DELETE" })).status).toBe(204);
  expect((await choose({})).devices).toEqual([]);
});

test("the key of web push is stored encrypted and stays the same; a time zone is the person's own", async () => {
  const get = async (as: "member" | "admin"): Promise<NotificationSettings> => (await server.call(show, { as })).json();
  const { pushKey } = await get("member");
  expect([Buffer.from(pushKey, "base64url").length, (await get("admin")).pushKey]).toEqual([65, pushKey]);
  const stored = await server.database.setting.findUniqueOrThrow({ where: { key: "push:vapid" } });
  expect(JSON.parse(stored.value)).toEqual({ publicKey: pushKey, sealed: expect.stringMatching(/^v1\./) });
  const wrong = await server.call(changeMe, { as: "member", method: "PATCH", body: { timeZone: "Mars/Olympus" } });
  expect(wrong.status).toBe(400);
  await server.call(changeMe, { as: "member", method: "PATCH", body: { timeZone: "Asia/Tokyo" } });
  expect([(await get("member")).timeZone, (await get("admin")).timeZone]).toEqual(["Asia/Tokyo", null]);
});
