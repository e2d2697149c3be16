import { expect, test } from "vitest";
import { deliver } from "@/lib/server/triggers/deliver";
import { notifyOfRun } from "@/lib/server/triggers/notify/notify-run";
import { pushInstallation } from "@/lib/testing/channels/push-fixture";
import { addThread, eventsToEnd, reached } from "@/lib/testing/fixtures/run-fixture";
import { GET as show } from "./route";

const { push, server, stopHost, choose, addBrowser, ask, decideInPage, startSilently, fail, pushed, deliveries } =
  pushInstallation();

test("what was decided before it was sent is not sent", async () => {
  await choose({ ways: { decision: { push: true } }, quietHours: quietNow(false) });
  await addBrowser("phone");
  const runId = await ask();
  await reached(async () => (await server().database.delivery.count()) === 1);
  const held = await server().database.delivery.findFirstOrThrow();
  expect(held.nextAt?.getTime()).toBeGreaterThan(Date.now());
  await decideInPage(runId, "deny");
  await deliver(server().services, held.id, held.nextAt ?? new Date());
  expect([push().received, await deliveries()]).toEqual([
    [],
    [{ state: "failed", error: "Not sent: by then it was decided." }],
  ]);
});

test("what comes up in quiet hours is one message when they end, without what was decided by then", async () => {
  const quietHours = { ...quietNow(false), summary: true };
  await choose({ ways: { decision: { push: true }, failed: { push: true } }, words: "who", quietHours });
  await addBrowser("phone");
  const runId = await ask();
  const { database } = server();
  await reached(async () => (await database.delivery.count()) === 1);
  await decideInPage(runId, "deny");
  await eventsToEnd(database, runId);
  await stopHost();
  for (const id of [runId, await startSilently("th1")]) {
    await fail(id);
    await notifyOfRun(server().services, id);
  }
  const [held, ...others] = await database.delivery.findMany();
  expect(others).toEqual([]);
  await deliver(server().services, held?.id ?? "", held?.nextAt ?? new Date());
  expect(await pushed()).toMatchObject([{ title: "2 things came up", body: "2 runs have failed", path: "/" }]);
});

test("while everything is paused nothing is sent, and what was kept comes as it is resumed", async () => {
  await choose({ ways: { decision: { push: true } }, quietHours: null, pauseMinutes: 60 });
  await addBrowser("phone");
  await ask();
  await reached(async () => (await server().database.delivery.count()) === 1);
  const held = async () => (await server().database.delivery.findFirstOrThrow()).nextAt?.toISOString();
  const { pausedUntil } = await (await server().call(show, { as: "member" })).json();
  expect(await held()).toBe(pausedUntil);
  const longer = await choose({ pauseMinutes: 120 });
  expect(await held()).toBe(longer.pausedUntil);
  expect(push().received).toEqual([]);
  expect((await choose({ pauseMinutes: 0 })).pausedUntil).toBeNull();
  expect(await pushed()).toHaveLength(1);
});

test("what is wanted once a day waits for the morning, in one message, also when a pause ends before", async () => {
  await choose({ ways: { failed: { push: true } }, how: { failed: "daily" }, words: "who" });
  await addBrowser("phone");
  const { database } = server();
  await addThread(database, "th2", { ownerId: "member", agentId: "sender" });
  await stopHost();
  for (const threadId of ["th1", "th2"]) await fail(await startSilently(threadId));
  const [held, ...others] = await database.delivery.findMany();
  expect(others).toEqual([]);
  expect(held?.nextAt?.getTime()).toBeGreaterThan(Date.now());
  await choose({ pauseMinutes: 1 });
  await choose({ pauseMinutes: 0 });
  expect(await database.delivery.findFirst()).toMatchObject({ nextAt: held?.nextAt, attempts: 0 });
  await deliver(server().services, held?.id ?? "", held?.nextAt ?? new Date());
  expect(await pushed()).toMatchObject([{ title: "2 things came up", body: "2 runs have failed" }]);
});

test("a decision passes quiet hours where the person lets it", async () => {
  await choose({ ways: { decision: { push: true } }, quietHours: quietNow(true) });
  await addBrowser("phone");
  await ask();
  expect(await pushed()).toHaveLength(1);
});

/** From an hour ago to an hour from now, in the server's zone. */
function quietNow(decisionsPass: boolean) {
  const clock = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return { from: clock(-1), to: clock(1), decisionsPass };
}
