import { expect, test } from "vitest";
import { GET as getChannels } from "@/app/api/channels/route";
import { POST as sendMessage } from "@/app/api/threads/[threadId]/messages/route";
import { createThread } from "@/lib/server/threads/change-thread";
import { deliver } from "@/lib/server/triggers/deliver";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { telegramChats } from "@/lib/testing/channels/telegram-chats";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";

const { api, server, openRuns, textsTo, answeredBy, paired } = telegramChats();

test("429 is waited for and does not count as an attempt", async () => {
  const petra = await paired();
  api().busy.set("sendMessage", { times: 1, seconds: 31 });
  api().say({ from: petra, text: "hello" });
  const find = () =>
    server().database.delivery.findFirst({
      where: { target: { startsWith: '{"channel"' } },
      orderBy: { createdAt: "desc" },
    });
  await expect.poll(async () => (await find())?.error).toContain("retry after 31");
  const row = await find();
  expect(row).toMatchObject({ state: "pending", attempts: 0 });
  const waitMs = (row?.nextAt?.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0);
  expect(waitMs).toBeGreaterThanOrEqual(31_000);
  await deliver(server().services, row?.id ?? "", new Date((row?.nextAt?.getTime() ?? 0) + 1));
  expect(textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const { channels } = await (await server().call(getChannels, { as: "admin" })).json();
  expect(channels[0]).toMatchObject({ waitedSeconds: 31 });
});

test("the next answer does not overtake one that Telegram has delayed", async () => {
  const petra = await paired();
  api().busy.set("sendMessage", { times: 1, seconds: 1 });
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => api().busy.get("sendMessage")?.times).toBe(0);
  api().say({ from: petra, text: "slow" });
  await expect.poll(() => textsTo(petra).slice(-2), { timeout: 10_000 }).toEqual(["Hello from the agent.", "Late."]);
});

test("several messages of one step arrive in the order of their calls", async () => {
  const petra = await paired();
  await answeredBy("free");
  api().say({ from: petra, text: "burst" });
  await expect.poll(() => textsTo(petra).slice(-4).join(" "), { timeout: 10_000 }).toBe("One. Two. Three. Four.");
});

test("what was sent but not recorded is sent once more marked (again), and never a third time", async () => {
  const petra = await paired();
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const { database } = server();
  const find = () =>
    database.delivery.findFirstOrThrow({
      where: { target: { startsWith: '{"channel"' } },
      orderBy: { createdAt: "desc" },
    });
  await expect.poll(async () => (await find()).state).toBe("sent");
  const row = await find();
  // The state left by a process killed after the service accepted the message.
  const killed = async () => {
    const now = new Date();
    await database.channelMessage.deleteMany({ where: { deliveryId: row.id } });
    await database.delivery.update({ where: { id: row.id }, data: { begunAt: now, nextAt: now } });
    await deliver(server().services, row.id, now);
  };
  await database.delivery.update({ where: { id: row.id }, data: { state: "pending" } });
  // The service asks to wait: the message may still have arrived before.
  api().busy.set("sendMessage", { times: 1, seconds: 9 });
  await killed();
  const { nextAt } = await database.delivery.findUniqueOrThrow({ where: { id: row.id } });
  await deliver(server().services, row.id, new Date((nextAt?.getTime() ?? 0) + 1));
  expect(textsTo(petra).at(-1)).toBe("(again) Hello from the agent.");
  const before = textsTo(petra).length;
  await killed();
  expect(textsTo(petra)).toHaveLength(before);
  expect(await database.delivery.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
    state: "uncertain",
    nextAt: null,
  });
});

test("the tool message says something at once, with a file, and is not said twice; an answer to it goes to its thread", async () => {
  const petra = await paired();
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const { id: threadId } = await createThread(server().services, { id: "member" }, "free");
  const sent = await server().call(sendMessage, { as: "member", params: { threadId }, body: { content: "tell" } });
  expect(sent.status).toBe(202);
  await expect.poll(() => api().sentTo(petra.id).at(-1)?.file?.name).toBe("b.md");
  expect(textsTo(petra).at(-2)).toBe("Free\nHalf way.");
  const results = JSON.stringify(server().provider.requests.at(-1)?.body.messages?.at(-1)?.content);
  const link = await server().database.channelLink.findFirstOrThrow();
  expect(JSON.parse(JSON.parse(results))).toEqual({
    delivered_to: link.chatName,
    state: expect.stringMatching(/^(pending|sent)$/),
  });
  const spoken = api().sentTo(petra.id).at(-2)?.messageId;
  api().say({ from: petra, text: "hello", replyTo: spoken ?? 0 });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nHello from the agent.");
  const asked = await server().database.run.findMany({ where: { threadId }, orderBy: { position: "asc" } });
  expect(asked.map(({ origin }) => origin)).toEqual(["api", "channel"]);
  api().say({ from: petra, text: "note" });
  await expect.poll(() => textsTo(petra).filter((text) => text === "Half way.")).toHaveLength(1);
  await expect.poll(() => openRuns()).toBe(0);
  api().say({ from: petra, text: "/stop" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Nothing is running here.");
  expect(textsTo(petra)).not.toContain("All done.");
});

test("a message to a group asks also where permissions are off, and the model knows how a chat is written", async () => {
  const petra = await paired();
  const group = { id: -99, title: "Everyone" };
  api().say({ from: petra, group, text: "@ringmaster_lab_bot hello" });
  await expect.poll(() => api().sentTo(group.id).at(-1)?.text).toContain("Hello");
  const asked = JSON.stringify(server().provider.requests.at(-1)?.body.messages?.[0]);
  expect(asked).toContain("Your answer is read in the group “Everyone” (telegram)");
  const { id: threadId } = await createThread(server().services, { id: "member" }, "free");
  await server().call(sendMessage, { as: "member", params: { threadId }, body: { content: "spread" } });
  await expect.poll(() => server().database.approval.count({ where: { threadId, status: "pending" } })).toBe(1);
  expect(
    api()
      .sentTo(group.id)
      .some(({ text }) => text.includes("To all.")),
  ).toBe(false);
});

test("a schedule brings its result to the chat that was used last, and notifies who has none", async () => {
  const petra = await paired();
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const due = new Date();
  const told = { deliver: [{ channel: "last" }], prompt: "hello" };
  await addSchedule(server().database, told, { id: "trg1", ownerId: "member", agentId: "free", nextDueAt: due });
  await addSchedule(server().database, told, { id: "trg2", ownerId: "viewer", agentId: "free", nextDueAt: due });
  await server().database.user.update({ where: { id: "viewer" }, data: { role: "member" } });
  await fireTrigger(server().services, "trg1");
  await fireTrigger(server().services, "trg2");
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nHello from the agent.");
  const targets = () => server().database.delivery.findMany({ where: { triggerId: "trg2" }, select: { target: true } });
  await expect.poll(targets).toEqual([{ target: '{"notify":true}' }]);
  await server().database.user.update({ where: { id: "viewer" }, data: { role: "viewer" } });
});
