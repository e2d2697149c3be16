import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "@/lib/server/platform/db/database";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { startCuttableProxy } from "@/lib/testing/servers/cuttable-proxy";
import { deliver } from "./deliver";
import type { DeliverySender, Outgoing } from "./targets/delivery-sender";
import { DELIVERY_SENDERS, type DeliverySenders } from "./targets/delivery-senders";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const fixture = runDatabase();
const { database } = fixture;
const row = () => database().delivery.findUniqueOrThrow({ where: { id: "dlv1" } });

let sent: Outgoing[] = [];
beforeEach(async () => {
  sent = [];
  await seedThread(database());
  const { runId } = await say(database(), "Hello");
  await database().delivery.create({
    data: { id: "dlv1", runId, ownerId: "u1", target: '{"thread":true}', body: "All is well.", nextAt: NOW },
  });
});

async function refuse(): Promise<void> {
  throw new Error("The receiver is down.");
}

/** A sender that fails the given number of times. */
function sender(failures: number, facts: Partial<DeliverySender> = {}): DeliverySenders {
  let left = failures;
  const thread: DeliverySender = {
    dropsRepeats: true,
    async send(_, outgoing) {
      left -= 1;
      if (left >= 0) throw new Error("The receiver is down.");
      sent.push(outgoing);
    },
    ...facts,
  };
  return { ...DELIVERY_SENDERS, thread: async () => thread };
}

test("what arrives is sent once, with the delivery's id as its key", async () => {
  for (const at of [NOW, later(10)]) await deliver(servicesOf(database()), "dlv1", at, sender(0));
  expect(sent).toMatchObject([{ id: "dlv1", body: "All is well.", isRepeat: false }]);
  expect(await row()).toMatchObject({ state: "sent", attempts: 1, nextAt: null });
});

test("two attempts at once send it once", async () => {
  await Promise.all([1, 2].map(() => deliver(servicesOf(database()), "dlv1", NOW, sender(0))));
  expect(sent).toHaveLength(1);
  expect(await row()).toMatchObject({ state: "sent", attempts: 1 });
});

test("what does not arrive is tried seven times, with longer and longer pauses, and then has failed", async () => {
  const senders = sender(7);
  const pauses: (number | null)[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    const { nextAt } = await row();
    await deliver(servicesOf(database()), "dlv1", nextAt ?? NOW, senders);
    const next = (await row()).nextAt;
    pauses.push(next && nextAt ? (next.getTime() - nextAt.getTime()) / 1_000 : null);
  }
  expect(pauses).toEqual([5, 30, 120, 600, 3_600, 21_600, null]);
  expect(await row()).toMatchObject({ state: "failed", attempts: 7, error: "The receiver is down." });
  expect(await database().inboxNote.findMany()).toMatchObject([
    { userId: "u1", kind: "delivery", detail: "7 attempts: The receiver is down.", source: "the result for a thread" },
  ]);
});

test("an attempt that a dead process began is repeated with the same key, where the receiver drops repeats", async () => {
  await database().delivery.update({ where: { id: "dlv1" }, data: { begunAt: NOW, attempts: 1 } });
  await deliver(servicesOf(database()), "dlv1", later(10), sender(0));
  expect(sent).toMatchObject([{ id: "dlv1", isRepeat: false }]);
  expect(await row()).toMatchObject({ state: "sent" });
});

test("where the receiver can't drop it, it is sent again once, marked as a repeat, and stays uncertain", async () => {
  await database().delivery.update({ where: { id: "dlv1" }, data: { begunAt: NOW, attempts: 1 } });
  for (const at of [later(10), later(20)])
    await deliver(servicesOf(database()), "dlv1", at, sender(0, { dropsRepeats: false }));
  expect(sent).toMatchObject([{ isRepeat: true }]);
  expect(await row()).toMatchObject({ state: "uncertain", nextAt: null });
});

describe.runIf(inject("testDatabase") === "postgresql")("a process that is cut off from the database", () => {
  const { url } = fixture;

  /** The same database by way of a proxy. */
  async function openFar() {
    const proxy = await startCuttableProxy(url());
    const far = await openDatabase(proxy.url);
    onTestFinished(async () => {
      await far.close();
      await proxy.close();
    });
    return { proxy, far };
  }

  test.each([
    ["sent", { dropsRepeats: false }, { state: "sent", error: null }],
    ["refused", { dropsRepeats: false, send: refuse }, { state: "pending", error: "The receiver is down." }],
  ])("while it sends notes afterwards that the message was %s", async (_, facts, expected) => {
    const { proxy, far } = await openFar();
    const senders = sender(0, facts);
    const thread = await senders.thread();
    const done = Promise.withResolvers<void>();
    const send: DeliverySender["send"] = async (...given) => {
      proxy.cut();
      done.resolve();
      await thread.send(...given);
    };
    const delivered = deliver(servicesOf(far), "dlv1", NOW, { ...senders, thread: async () => ({ ...thread, send }) });
    await done.promise;
    expect(await row()).toMatchObject({ state: "pending", begunAt: NOW, attempts: 1 });
    proxy.restore();
    await delivered;
    expect(await row()).toMatchObject({ ...expected, begunAt: null, attempts: 1 });
  });

  test("just when an attempt has begun sends the message once", async () => {
    const { proxy, far } = await openFar();
    const swallowed = proxy.cutAnswerTo("UPDATE");
    const delivered = deliver(servicesOf(far), "dlv1", NOW, sender(0, { dropsRepeats: false }));
    await swallowed;
    await vi.waitUntil(async () => (await row()).begunAt !== null, { timeout: 30_000, interval: 5 });
    proxy.restore();
    await delivered;
    expect(sent).toMatchObject([{ isRepeat: false }]);
    expect(await row()).toMatchObject({ state: "sent", attempts: 1, begunAt: null });
  });
});

test.each([
  ["postponed", { nextAt: later(30) }],
  ["begun", { attempts: 1, begunAt: later(1) }],
  ["cancelled", { nextAt: null }],
])("one that is %s after it was read is not begun", async (_, meanwhile) => {
  const waitsUntil = async () => {
    await database().delivery.update({ where: { id: "dlv1" }, data: meanwhile });
    return null;
  };
  await deliver(servicesOf(database()), "dlv1", NOW, sender(0, { waitsUntil }));
  expect(sent).toEqual([]);
  expect(await row()).toMatchObject({ state: "pending", ...meanwhile });
});

describe("an attempt that ends after something else has happened to its delivery", () => {
  /** Sends, and fails or not, once `meanwhile` has happened. */
  const slow = (meanwhile: () => Promise<unknown>, fails: boolean): DeliverySenders => {
    const send: DeliverySender["send"] = async () => {
      await meanwhile();
      if (fails) throw new Error("The receiver is down.");
    };
    return sender(0, { send });
  };
  const resent = { state: "pending", attempts: 0, nextAt: later(1), begunAt: null, error: null };

  test.each([true, false])("leaves one that was resent as it is (it fails: %s)", async (fails) => {
    const resend = () => database().delivery.update({ where: { id: "dlv1" }, data: resent });
    await deliver(servicesOf(database()), "dlv1", NOW, slow(resend, fails));
    expect(await row()).toMatchObject(resent);
    expect(await database().inboxNote.count()).toBe(0);
  });

  test.each([
    { fails: true, attempts: 2, begunAt: later(5) },
    { fails: false, attempts: 2, begunAt: later(5) },
    // Begun within the same millisecond.
    { fails: true, attempts: 2, begunAt: NOW },
    { fails: false, attempts: 2, begunAt: NOW },
    // Resent in between: it is the first attempt again.
    { fails: true, attempts: 1, begunAt: later(5) },
    { fails: false, attempts: 1, begunAt: later(5) },
  ])("leaves another attempt that has begun to end by itself: %o", async ({ fails, ...begun }) => {
    const second = () => database().delivery.update({ where: { id: "dlv1" }, data: begun });
    await deliver(servicesOf(database()), "dlv1", NOW, slow(second, fails));
    expect(await row()).toMatchObject({ state: "pending", ...begun, error: null });
  });

  test("of seven tells nobody of a failure that was taken back", async () => {
    await database().delivery.update({ where: { id: "dlv1" }, data: { attempts: 6 } });
    const resend = () => database().delivery.update({ where: { id: "dlv1" }, data: resent });
    await deliver(servicesOf(database()), "dlv1", NOW, slow(resend, true));
    expect(await database().inboxNote.count()).toBe(0);
    expect(await row()).toMatchObject(resent);
  });

  test.each([true, false])("is no error where it was deleted (it fails: %s)", async (fails) => {
    const remove = () => database().delivery.delete({ where: { id: "dlv1" } });
    await deliver(servicesOf(database()), "dlv1", NOW, slow(remove, fails));
    expect(await database().delivery.count()).toBe(0);
  });
});

test("who was told of an ask is kept with it, also where two messages go out at once", async () => {
  const { runId } = await database().delivery.findUniqueOrThrow({ where: { id: "dlv1" } });
  const ask = {
    id: "ap1",
    runId,
    threadId: "th1",
    ownerId: "u1",
    kind: "approval",
    toolCallId: "c1",
    tool: "send",
    args: "{}",
  };
  await database().approval.create({ data: ask });
  const send = async () => undefined;
  const sender = async (): Promise<DeliverySender> => ({ dropsRepeats: true, send });
  const senders = { ...DELIVERY_SENDERS, page: sender, mail: sender };
  for (const [id, way] of [
    ["dlv2", "page"],
    ["dlv3", "mail"],
  ]) {
    const target = JSON.stringify({ [String(way)]: { kind: "decision", approvalId: "ap1" } });
    await database().delivery.create({ data: { id: String(id), runId, ownerId: "u1", target, body: "", nextAt: NOW } });
  }
  await Promise.all(["dlv2", "dlv3"].map((id) => deliver(servicesOf(database()), id, NOW, senders)));
  const { told } = await database().approval.findUniqueOrThrow({ where: { id: "ap1" } });
  const entries: { way: string }[] = JSON.parse(told ?? "[]");
  expect(entries.toSorted((one, other) => (one.way < other.way ? -1 : 1))).toEqual([
    { userId: "u1", way: "email", at: expect.any(String) },
    { userId: "u1", way: "page", at: expect.any(String) },
  ]);
});
