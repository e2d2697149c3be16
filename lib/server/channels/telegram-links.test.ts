import { expect, test } from "vitest";
import { POST as restore } from "@/app/api/channel-links/[linkId]/restore/route";
import { DELETE as unlink } from "@/app/api/channel-links/[linkId]/route";
import { POST as testChannel } from "@/app/api/channels/[channelId]/test/route";
import { GET as getChannels } from "@/app/api/channels/route";
import { POST as hook } from "@/app/hooks/channels/[channelId]/route";
import type { Channel } from "@/lib/schema/channels/channel";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { forgetUnlinked } from "@/lib/server/triggers/channels/links/unlink";
import { readUpdates } from "@/lib/server/triggers/channels/telegram/read-update";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { STRANGER, telegramChats } from "@/lib/testing/channels/telegram-chats";
import { receiveUpdate } from "./receive-update";

const { api, server, channel, newPerson, textsTo, lists, codeFor, paired } = telegramChats();

test("an unknown sender gets one fixed sentence; a code links the chat once, and another chat not at all", async () => {
  const [petra, other] = [newPerson(), newPerson("Otto")];
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra)).toEqual([STRANGER]);
  const code = await codeFor("member");
  api().say({ from: petra, text: `/start ${code.replace(" ", "")}` });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("Linked to");
  api().say({ from: other, text: code });
  await expect.poll(() => textsTo(other)).toEqual([STRANGER]);
  expect((await lists()).links).toMatchObject([{ chatName: "@petra", chatKind: "direct", agentId: "asks" }]);
  expect(server().provider.requests).toEqual([]);
  const { channels } = await (await server().call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toMatchObject([{ kind: "stranger", count: 2 }]);
});

test("a code is no longer good after ten minutes", async () => {
  const petra = newPerson();
  const code = await codeFor("member");
  const row = await server().database.channel.findUniqueOrThrow({ where: { id: channel().id } });
  const { connection } = await openChannel(row);
  for (const update of readUpdates(connection, [api().message({ from: petra, text: code })])) {
    await receiveUpdate(server().services, channel().id, update, {
      ports: { loadCompaction: () => loadCompaction(server().services) },
      now: new Date(Date.now() + 10 * 60_000 + 1),
    });
  }
  expect(textsTo(petra)).toEqual([STRANGER]);
});

test("a sender who pairs again belongs to the new person alone, in the groups of before too", async () => {
  const petra = await paired();
  const group = { id: -78, title: "Lab" };
  const greet = () => api().say({ from: petra, group, text: "@ringmaster_lab_bot hello" });
  const owners = async () => {
    const where = { originDetails: { contains: '"chatId":"-78"' }, status: "completed" };
    const runs = await server().database.run.findMany({ where, orderBy: { createdAt: "asc" } });
    return runs.map(({ ownerId }) => ownerId);
  };
  greet();
  await expect.poll(owners).toEqual(["member"]);
  const direct = await server().database.channelLink.findFirstOrThrow({ where: { externalChat: String(petra.id) } });
  await server().call(unlink, { as: "member", method: "DELETE", params: { linkId: direct.id } });
  api().say({ from: petra, text: await codeFor("admin") });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("Linked to");
  await expect.poll(() => server().database.channelLink.count({ where: { externalChat: "-78" } })).toBe(0);
  greet();
  await expect.poll(owners).toEqual(["member", "admin"]);
});

test("/new begins another thread, and an unlinked chat is a stranger's again", async () => {
  const petra = await paired();
  const threadOf = async () =>
    (await lists()).links.find(({ chatName, lastUsedAt }) => chatName === "@petra" && lastUsedAt !== null && true)
      ?.threadId;
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const before = await threadOf();
  api().say({ from: petra, text: "/new" });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("begins a new thread");
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  expect(await threadOf()).not.toBe(before);
  const { links, lastId } = await lists();
  expect(links[0]?.id).toBe(lastId);
  expect(
    (await server().call(unlink, { as: "member", method: "DELETE", params: { linkId: lastId ?? "" } })).status,
  ).toBe(204);
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe(STRANGER);
});

test("an unlinked chat is linked again with its thread, by whoever unlinked it and for ten minutes only", async () => {
  const petra = await paired();
  const say = async (answers: number) => {
    api().say({ from: petra, text: "hello" });
    await expect.poll(() => textsTo(petra).filter((text) => text === "Hello from the agent.")).toHaveLength(answers);
  };
  await say(1);
  const [before] = (await lists()).links;
  const params = { linkId: before?.id ?? "" };
  const removeAs = (as: "member" | "admin") => server().call(unlink, { as, method: "DELETE", params });
  const restoreAs = (as: "member" | "admin") => server().call(restore, { as, params });
  expect((await restoreAs("member")).status).toBe(404);
  await removeAs("member");
  expect((await lists()).links.some(({ id }) => id === params.linkId)).toBe(false);
  expect((await restoreAs("admin")).status).toBe(404);
  expect(await (await restoreAs("member")).json()).toMatchObject({ id: before?.id, threadId: before?.threadId });
  await say(2);
  expect((await lists()).links[0]?.threadId).toBe(before?.threadId);
  expect(await server().database.run.count({ where: { threadId: before?.threadId ?? "" } })).toBe(2);

  await removeAs("admin");
  expect((await restoreAs("member")).status).toBe(404);
  const pausedAt = new Date(Date.now() - 10 * 60_000);
  await server().database.trigger.update({ where: { id: params.linkId }, data: { pausedAt } });
  expect((await restoreAs("admin")).status).toBe(404);
  await forgetUnlinked(server().database, new Date());
  expect(await server().database.trigger.count({ where: { id: params.linkId } })).toBe(0);
});

test("Undo does not link a chat twice if it has been linked again", async () => {
  const petra = await paired();
  const linkOf = async () => (await lists()).links.find(({ lastUsedAt }) => lastUsedAt === null)?.id ?? "";
  const linkId = await linkOf();
  await server().call(unlink, { as: "member", method: "DELETE", params: { linkId } });
  api().say({ from: petra, text: await codeFor("member") });
  await expect.poll(() => textsTo(petra).filter((text) => text.startsWith("Linked to"))).toHaveLength(2);
  const reply = await server().call(restore, { as: "member", params: { linkId } });
  expect([reply.status, (await reply.json()).error.message]).toEqual([409, "This chat has already been linked again."]);
  await server().call(unlink, { as: "member", method: "DELETE", params: { linkId: await linkOf() } });
  api().say({ from: petra, text: await codeFor("admin") });
  await expect.poll(() => textsTo(petra).filter((text) => text.startsWith("Linked to"))).toHaveLength(3);
  const other = await server().call(restore, { as: "member", params: { linkId } });
  expect((await other.json()).error.message).toBe("This chat is now linked to someone else.");
});

test("a deactivated owner's chat starts nothing and says so", async () => {
  const petra = await paired();
  await server().database.user.update({ where: { id: "member" }, data: { deactivatedAt: new Date() } });
  const before = await server().database.run.count();
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("your account may not start runs");
  expect(await server().database.run.count()).toBe(before);
  await server().database.user.update({ where: { id: "member" }, data: { deactivatedAt: null } });
});

test("an unsigned request to the hook is refused and counted", async () => {
  const body = api().message({ from: newPerson(), text: "hello" });
  const reply = await server().call(hook, { params: { channelId: channel().id }, body });
  expect(reply.status).toBe(401);
  const { channels } = await (await server().call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toEqual(expect.arrayContaining([expect.objectContaining({ kind: "signature" })]));
});

test("a revoked token stands on the channel's page in the service's words, and stops the polling", async () => {
  api().isRevoked = true;
  api().bring();
  const read = async () =>
    ((await (await server().call(getChannels, { as: "admin" })).json()) as { channels: Channel[] }).channels[0];
  const refused = { state: "failed", error: "Telegram says: Unauthorized. Replace the token." };
  await expect.poll(read).toMatchObject(refused);
  const polls = api().refusedCalls;
  const test = await server().call(testChannel, { as: "admin", method: "POST", params: { channelId: channel().id } });
  expect(await test.json()).toMatchObject({ ok: false, error: refused.error });
  expect(await read()).toMatchObject(refused);
  expect(api().refusedCalls).toBe(polls + 1);
  api().isRevoked = false;
});
