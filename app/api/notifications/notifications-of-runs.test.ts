import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { expect, test, vi } from "vitest";
import { startRun } from "@/lib/server/engine/accept";
import { type FeedEvent, onFeedEvent } from "@/lib/server/engine/log/signals";
import { logger } from "@/lib/server/platform/logger";
import { currentSettings } from "@/lib/server/settings/settings-state";
import { deliver } from "@/lib/server/triggers/deliver";
import { notifyOfRun, sweepNotifications } from "@/lib/server/triggers/notify/notify-run";
import { pushInstallation } from "@/lib/testing/channels/push-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";

const {
  push,
  server,
  unfollow,
  follow,
  choose,
  addBrowser,
  ask,
  decideInPage,
  askAndDecide,
  startSilently,
  fail,
  pushed,
  settled,
} = pushInstallation();

test("a failed run tells why, without the part of the program that noticed", async () => {
  await choose({ ways: { failed: { push: true } }, words: "full" });
  await addBrowser("phone");
  await fail(await startSilently("th1"));
  expect(await pushed()).toMatchObject([{ title: "Sender has failed", body: "The provider is overloaded." }]);
});

test("what a dead process did not queue is queued later, and nothing twice", async () => {
  await choose({ ways: { decision: { push: true, page: true } } });
  await addBrowser("phone");
  unfollow();
  await ask();
  await sweepNotifications(server().services);
  expect(await server().database.delivery.count()).toBe(0);
  const later = new Date(Date.now() + 60_000);
  await Promise.all([sweepNotifications(server().services, later), sweepNotifications(server().services, later)]);
  expect(await server().database.delivery.count()).toBe(2);
  await sweepNotifications(server().services, later);
  expect(await server().database.delivery.count()).toBe(2);
});

test("an open page is told at least who asks, where pushes and mails say nothing", async () => {
  await choose({ ways: { decision: { page: true, push: true } }, words: "short" });
  await addBrowser("phone");
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
  await addBrowser("phone");
  unfollow();
  const untouched = new Proxy(server().database, {
    get(_, name): never {
      throw new Error(`The database was used: ${String(name)}`);
    },
  });
  const failures = vi.spyOn(logger(), "error");
  follow({ ...server().services, database: untouched });
  await askAndDecide("deny");
  await new Promise((resolve) => setImmediate(resolve));
  expect([failures.mock.calls, await server().database.delivery.count(), push().received]).toEqual([[], 0, []]);
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
  const { runId } = await startRun(server().database, { ...request, origin: "schedule", canAsk: true });
  await reached(() => mails.length === 1);
  expect(mails[0]).toMatch(/^To: member@example.test/m);
  expect(mails[0]).toContain("Subject: Ringmaster: Something is waiting for you");
  expect(mails[0]).toContain("/inbox");
  expect(mails[0]).not.toContain("ada");
  expect(mails[0]).not.toContain("Send this mail?");
  await decideInPage(runId, "allow");
  await reached(() => mails.length === 2);
  expect(mails[1]).toContain("A run has finished");
  expect(mails[1]).toContain("/threads/th1");
  await new Promise<void>((resolve) => post.close(() => resolve()));
});

test("a run that was stopped at a budget is told as that, with what happened", async () => {
  await choose({ ways: { budget: { push: true }, failed: { email: true } }, words: "full" });
  await addBrowser("phone");
  const runId = await askAndDecide("deny");
  const notice = "Stopped: the budget of $1.00 for a run of sender is reached. $0.90 is spent.";
  await server().database.run.update({ where: { id: runId }, data: { status: "limit", notice } });
  await notifyOfRun(server().services, runId);
  expect(await pushed()).toMatchObject([{ title: "Sender has reached a budget", body: notice, path: "/threads/th1" }]);
  expect(await server().database.delivery.count()).toBe(1);
});

test("a schedule's notify tells the end in the ways that its owner chose, and never twice", async () => {
  await choose({ ways: { finished: { push: true } }, words: "full" });
  await addBrowser("phone");
  const runId = await askAndDecide("allow");
  const row = { runId, ownerId: "member", target: '{"notify":true}', body: "Done.", nextAt: new Date() };
  for (const id of ["dlv_a", "dlv_b"]) {
    await server().database.delivery.create({ data: { id, ...row } });
    await deliver(server().services, id);
  }
  expect(await pushed()).toMatchObject([{ title: "Sender has finished", body: "Done.", path: "/threads/th1" }]);
  await settled();
  expect(push().received).toHaveLength(1);
});

test("the end of a beat is told as its heartbeat wants, not as that of other runs without a person", async () => {
  await choose({ ways: { finished: { push: true } } });
  await addBrowser("phone");
  const runId = await askAndDecide("allow");
  const endedAs = async (origin: string) => {
    await server().database.run.update({ where: { id: runId }, data: { origin, attended: false } });
    await notifyOfRun(server().services, runId);
    return server().database.delivery.count();
  };
  expect([await endedAs("heartbeat"), await endedAs("schedule")]).toEqual([0, 1]);
  await settled();
});
