import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChannelRow } from "@/lib/server/triggers/channels/connection";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { codeIn, createCode, pair } from "./pairing";

const NOW = new Date("2026-11-20T12:00:00Z");
const sender = { id: "p", name: "Petra" };
const chat = { id: "c", kind: "direct", name: "Petra" } as const;

let server: TestServer;
let channel: ChannelRow;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "k1", { name: "One", model: "scripted:m" });
  const row = { kind: "telegram", name: "Bot", agentId: "k1", credentials: "", receives: "", createdById: "admin" };
  channel = await server.database.channel.create({ data: { id: "ch_1", ...row } });
});
afterEach(() => server.close());

async function codeFor(userId: string): Promise<string> {
  const { code } = await createCode(server.database, channel, { id: userId }, NOW);
  return codeIn(code) ?? "";
}
const links = () => server.database.channelLink.findMany({ orderBy: { id: "asc" } });
const triggers = () => server.database.trigger.findMany({ orderBy: { id: "asc" } });

test("a code links one chat, however many chats send it at once", async () => {
  const code = await codeFor("member");
  const made = await Promise.all(
    ["a", "b", "c", "d"].map((id) =>
      pair(server.database, code, { channel, chat: { ...chat, id }, sender: { ...sender, id }, now: NOW }),
    ),
  );
  expect(made.filter((link) => link !== null)).toHaveLength(1);
  expect(await links()).toHaveLength(1);
  expect(await triggers()).toHaveLength(1);
  const [used] = await server.database.channelCode.findMany();
  expect(used).toMatchObject({ usedAt: NOW, linkId: made.find((link) => link !== null)?.id });
});

test("a link that could not be stored leaves nothing: the code still links the chat, and other links stand", async () => {
  await pair(server.database, await codeFor("admin"), { channel, chat, sender, now: NOW });
  const before = await links();
  const code = await codeFor("member");
  await server.database.$executeRawUnsafe(
    `create trigger "full" before insert on "audit_entry" begin select raise(abort, 'no room'); end`,
  );
  await expect(pair(server.database, code, { channel, chat, sender, now: NOW })).rejects.toThrow("no room");
  expect(await links()).toEqual(before);
  expect((await triggers()).map(({ ownerId }) => ownerId)).toEqual(["admin"]);
  await server.database.$executeRawUnsafe(`drop trigger "full"`);
  expect(await pair(server.database, code, { channel, chat, sender, now: NOW })).toMatchObject({ userId: "member" });
});

test("a sender who links a chat as another person takes all of their chats along from the one before", async () => {
  await pair(server.database, await codeFor("admin"), { channel, chat, sender, now: NOW });
  await pair(server.database, await codeFor("admin"), { channel, chat: { ...chat, id: "d" }, sender, now: NOW });
  const link = await pair(server.database, await codeFor("member"), { channel, chat, sender, now: NOW });
  expect((await links()).map(({ id, userId }) => [id, userId])).toEqual([[link?.id, "member"]]);
  expect((await triggers()).map(({ id, ownerId }) => [id, ownerId])).toEqual([[link?.id, "member"]]);
});

test("two people's codes from one sender at once leave one link", async () => {
  const codes = await Promise.all(["admin", "member"].map(codeFor));
  await Promise.all(codes.map((code) => pair(server.database, code, { channel, chat, sender, now: NOW })));
  expect(await links()).toHaveLength(1);
  expect((await triggers()).map(({ id }) => id)).toEqual((await links()).map(({ id }) => id));
});

test("a chat that is linked again by the same person keeps its link, and is on again", async () => {
  const first = await pair(server.database, await codeFor("member"), { channel, chat, sender, now: NOW });
  const off = { enabled: false, pausedReason: "key_revoked", pausedAt: NOW, apiKeyId: "key_gone" };
  await server.database.trigger.updateMany({ data: off });
  const again = await pair(server.database, await codeFor("member"), {
    channel,
    chat,
    sender: { ...sender, name: "P." },
    now: NOW,
  });
  expect(again).toMatchObject({ id: first?.id, senderName: "P." });
  expect(await triggers()).toMatchObject([{ enabled: true, pausedReason: null, apiKeyId: null }]);
});

test("a code that is wrong, used or expired links nothing", async () => {
  const code = await codeFor("member");
  const late = new Date(NOW.getTime() + 11 * 60_000);
  expect(await pair(server.database, "WRONGGGG", { channel, chat, sender, now: NOW })).toBeNull();
  expect(await pair(server.database, code, { channel, chat, sender, now: late })).toBeNull();
  expect(await pair(server.database, code, { channel, chat, sender, now: NOW })).not.toBeNull();
  expect(await pair(server.database, code, { channel, chat, sender, now: NOW })).toBeNull();
});
