import { beforeEach, expect, test } from "vitest";
import { deliver } from "@/lib/server/triggers/deliver";
import { DeliveryDelayed } from "@/lib/server/triggers/targets/delivery-sender";
import { DELIVERY_SENDERS, type DeliverySenders } from "@/lib/server/triggers/targets/delivery-senders";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { messageSender, resultSender } from "./channel-senders";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const { database } = runDatabase();
let sent: string[] = [];

beforeEach(async () => {
  sent = [];
  await seedThread(database());
  const channel = { id: "ch1", kind: "telegram", name: "Lab", agentId: "agent", createdById: "u1" };
  await database().channel.create({ data: { ...channel, credentials: "", receives: "long polling" } });
  for (const id of ["lnk1", "lnk2"]) {
    const chat = { id, userId: "u1", channelId: "ch1", chatKind: "direct", agentId: "agent", externalUser: id };
    const names = { externalChat: id, senderName: id, chatName: id, verifiedAt: NOW };
    await database().channelLink.create({ data: { ...chat, ...names, lastUsedAt: id === "lnk1" ? NOW : null } });
  }
  await queue("first", { channel: "lnk1" }, 0);
  await queue("second", { message: { link: "lnk1", files: [] } }, 1);
});

async function queue(id: string, target: object, atSeconds: number): Promise<void> {
  const at = later(atSeconds);
  const row = { id, runId: "run_1", ownerId: "u1", target: JSON.stringify(target), body: id };
  await database().delivery.create({ data: { ...row, nextAt: at, createdAt: at } });
}

/** Telegram, which does what `problem` says with a message. */
function senders(problem: (body: string) => void = () => undefined): DeliverySenders {
  const send = async (_: unknown, { body }: { body: string }) => {
    problem(body);
    sent.push(body);
  };
  return {
    ...DELIVERY_SENDERS,
    channel: async () => ({ ...resultSender, send }),
    message: async () => ({ ...messageSender, send }),
  };
}

/** One attempt of each, in that order. */
async function attempt(ids: readonly string[], seconds: number, how = senders()): Promise<void> {
  for (const id of ids) await deliver(servicesOf(database()), id, later(seconds), how);
}

test("the later of two messages to a chat waits until the earlier one was sent, and the wait is no attempt", async () => {
  await attempt(["second"], 2);
  expect(sent).toEqual([]);
  const waiting = await database().delivery.findUniqueOrThrow({ where: { id: "second" } });
  expect(waiting).toMatchObject({ state: "pending", attempts: 0, error: null, nextAt: later(2.1) });
  await attempt(["first", "second"], 3);
  expect(sent).toEqual(["first", "second"]);
});

test("“last” counts as the chat it stands for, and other chats do not wait", async () => {
  await queue("to-last", { channel: "last" }, 1);
  await queue("elsewhere", { channel: "lnk2" }, 1);
  await attempt(["to-last", "elsewhere"], 2);
  expect(sent).toEqual(["elsewhere"]);
});

test("the later message waits as long as the service has asked for the earlier one", async () => {
  const busy = senders(() => {
    throw new DeliveryDelayed("Slow down.", 30_000);
  });
  await attempt(["first"], 2, busy);
  await attempt(["second"], 3);
  expect(sent).toEqual([]);
  expect(await database().delivery.findUniqueOrThrow({ where: { id: "second" } })).toMatchObject({ nextAt: later(32) });
  await attempt(["first", "second"], 33);
  expect(sent).toEqual(["first", "second"]);
});

test("a message that keeps failing is overtaken once its next attempt is more than two minutes away", async () => {
  const failing = senders((body) => {
    if (body === "first") throw new Error("The file is too large.");
  });
  for (const seconds of [2, 7, 37, 157]) await attempt(["first"], seconds, failing);
  await attempt(["second"], 158, failing);
  expect(sent).toEqual(["second"]);
});

test("a message that is more than ten minutes overdue does not hold up later ones", async () => {
  await queue("third", { channel: "lnk1" }, 700);
  await attempt(["third"], 701);
  expect(sent).toEqual(["third"]);
});
