import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { POST as hook } from "@/app/hooks/channels/[channelId]/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { hookSecret } from "@/lib/server/triggers/channels/telegram/telegram-api";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { makePng } from "@/lib/testing/files/make-png";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, type Person, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { startChannels, stopChannels } from "./hold-channels";

const ADA: Person = { id: 42, first_name: "Ada", username: "ada" };
const BOB = { id: 77, is_bot: false, first_name: "Bob" };

let api: ScriptedTelegram;
let server: RunServer;
let channelId = "";
/** What the model was told last, per run. */
const told: string[] = [];

beforeAll(async () => {
  api = await new ScriptedTelegram().start();
  server = await startRunServer(
    (request) => {
      const last = request.messages?.findLast(({ role }) => role === "user")?.content;
      told.push(typeof last === "string" ? last : JSON.stringify(last));
      return { text: `Answer ${told.length}` };
    },
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host },
  );
  const raw = { name: "Desk", model: "scripted:m", retries: 0, backend: { type: "state" }, tools: [] };
  await createAgent(server.services, { agentId: "desk", raw, createdById: null });
  const body = { kind: "telegram", name: "Lab", agentId: "desk", token: BOT_TOKEN, apiRoot: api.url };
  channelId = (await (await server.call(addChannel, { as: "admin", body })).json()).id;
  await startChannels(server.services, { loadCompaction });
  const { code } = await (await server.call(addLink, { as: "member", body: { channelId } })).json();
  api.say({ from: ADA, text: code });
  await vi.waitUntil(() => api.sentTo(ADA.id).at(-1)?.text.includes("Linked to"), { timeout: 10_000 });
});
afterAll(async () => {
  await stopChannels(server.services);
  await server.close();
  await api.close();
});

/** Resolves with what the model is told next. */
async function nextTold(from: number): Promise<string> {
  await expect.poll(() => told.length, { timeout: 10_000 }).toBeGreaterThan(from);
  return told.at(from) ?? "";
}
const runs = () => server.database.run.count({ where: { origin: "channel" } });
const png = (name: string) => ({ name, bytes: makePng(8, 8) });

test("an album is one message with all its files, one run and one answer", async () => {
  const [before, count] = [told.length, await runs()];
  const part = (name: string, text = "") =>
    api.message({
      from: ADA,
      text,
      document: png(name),
      more: { media_group_id: "g1", ...(text ? {} : { caption: undefined }) },
    });
  api.bring(part("a.png", "Compare these three pictures"), part("b.png"));
  api.bring(part("c.png"));
  const heard = await nextTold(before);
  for (const name of ["a.png", "b.png", "c.png"]) expect(heard).toContain(`uploads/${name}`);
  expect(heard.split("Compare these three pictures")).toHaveLength(2);
  await expect.poll(() => api.sentTo(ADA.id).at(-1)?.text).toBe(`Answer ${before + 1}`);
  expect(await runs()).toBe(count + 1);
  const late = told.length;
  api.bring(part("d.png"));
  expect(await nextTold(late)).toContain("uploads/d.png");
});

test("an album that arrives at the hook, one part after another, is one message", async () => {
  const [before, count] = [told.length, await runs()];
  const row = await server.database.channel.findUniqueOrThrow({ where: { id: channelId } });
  const headers = { "x-telegram-bot-api-secret-token": hookSecret((await openChannel(row)).connection) };
  for (const name of ["h.csv", "i.csv", "j.csv"]) {
    const more = { media_group_id: "g3" };
    const body = api.message({ from: ADA, text: name === "h.csv" ? "Compare" : "", document: png(name), more });
    expect((await server.call(hook, { params: { channelId }, headers, body })).status).toBe(200);
    expect((await server.call(hook, { params: { channelId }, headers, body })).status).toBe(200);
  }
  const heard = await nextTold(before);
  for (const name of ["h.csv", "i.csv", "j.csv"]) expect(heard.split(`uploads/${name}`)).toHaveLength(2);
  expect(await runs()).toBe(count + 1);
});

test("parts of an album that arrive at the hook at the same time are one message", async () => {
  const [before, count] = [told.length, await runs()];
  const row = await server.database.channel.findUniqueOrThrow({ where: { id: channelId } });
  const headers = { "x-telegram-bot-api-secret-token": hookSecret((await openChannel(row)).connection) };
  const more = { media_group_id: "g4" };
  const names = ["k.csv", "l.csv", "m.csv", "n.csv"];
  const bodies = names.map((name) => api.message({ from: ADA, text: "", document: png(name), more }));
  await Promise.all(bodies.map((body) => server.call(hook, { params: { channelId }, headers, body })));
  const heard = await nextTold(before);
  for (const name of names) expect(heard.split(`uploads/${name}`)).toHaveLength(2);
  expect(await runs()).toBe(count + 1);
});

test("an album in a group needs the bot’s name only once", async () => {
  const before = told.length;
  const group = { id: -9, title: "Office" };
  const part = (name: string, text = "") =>
    api.message({ from: ADA, group, text, document: png(name), more: { media_group_id: "g2" } });
  api.bring(part("e.png", "@ringmaster_lab_bot compare"), part("f.png"));
  const heard = await nextTold(before);
  expect(heard).toContain("Ada: compare");
  for (const name of ["e.png", "f.png"]) expect(heard).toContain(`uploads/${name}`);
});

test("a text that was cut into several messages, and messages passed on together, are one message", async () => {
  const before = told.length;
  api.bring(api.message({ from: ADA, text: "x".repeat(4_000) }), api.message({ from: ADA, text: "The end." }));
  expect(await nextTold(before)).toMatch(/^x{4000}\s+The end\.$/);
  const between = told.length;
  const forward_origin = { type: "user", date: 1, sender_user: BOB };
  const passedOn = (text: string) => api.message({ from: ADA, text, more: { forward_origin } });
  api.bring(passedOn("One"), passedOn("Two"));
  const heard = await nextTold(between);
  expect(heard).toMatch(/Forwarded from Bob.+> One.+Forwarded from Bob.+> Two/s);
  const last = told.length;
  api.bring(api.message({ from: ADA, text: "Summarise" }), passedOn("Three"));
  expect(await nextTold(last)).toMatch(/^Summarise\n\n\[Forwarded from Bob.+> Three$/s);
});

describe("a comment and what it is about, which Telegram delivers as two messages,", () => {
  const forward_origin = { type: "user", date: 1, sender_user: BOB };
  const comment = () => api.message({ from: ADA, text: "Summarise" });
  const passedOn = (more: object = {}) => api.message({ from: ADA, text: "Three", more: { forward_origin, ...more } });
  const WHOLE = /^Summarise\n\n\[Forwarded from Bob.+> Three$/s;

  test("are one where they come in two polls", async () => {
    const [before, count] = [told.length, await runs()];
    api.bring(comment());
    const isStored = () => server.database.firing.count({ where: { state: "claimed", prompt: "Summarise" } });
    await expect.poll(isStored, { interval: 10 }).toBe(1);
    api.bring(passedOn());
    expect(await nextTold(before)).toMatch(WHOLE);
    await expect.poll(() => api.sentTo(ADA.id).at(-1)?.text).toBe(`Answer ${before + 1}`);
    expect(await runs()).toBe(count + 1);
  });

  test.each([
    ["one after the other", false],
    ["at the same time", true],
  ])("are one where they arrive at the hook %s", async (_, isAtOnce) => {
    const [before, count] = [told.length, await runs()];
    const row = await server.database.channel.findUniqueOrThrow({ where: { id: channelId } });
    const headers = { "x-telegram-bot-api-secret-token": hookSecret((await openChannel(row)).connection) };
    const bodies = [comment(), passedOn()];
    const deliver = (body: object) => server.call(hook, { params: { channelId }, headers, body });
    if (isAtOnce) await Promise.all(bodies.toReversed().map(deliver));
    else for (const body of bodies) await deliver(body);
    expect(await nextTold(before)).toMatch(/Summarise.*\[Forwarded from Bob.+> Three/s);
    await expect.poll(() => api.sentTo(ADA.id).at(-1)?.text).toBe(`Answer ${before + 1}`);
    expect(await runs()).toBe(count + 1);
  });

  test("are one with an album too", async () => {
    const [before, count] = [told.length, await runs()];
    const part = (name: string) =>
      api.message({ from: ADA, text: "", document: png(name), more: { media_group_id: "g9", forward_origin } });
    api.bring(comment());
    api.bring(part("x.csv"), part("y.csv"));
    const heard = await nextTold(before);
    for (const words of ["Summarise", "uploads/x.csv", "uploads/y.csv"]) expect(heard).toContain(words);
    expect(await runs()).toBe(count + 1);
  });

  test("leave two texts of a person two messages", async () => {
    const [before, count] = [told.length, await runs()];
    api.bring(api.message({ from: ADA, text: "First" }), api.message({ from: ADA, text: "Second" }));
    await expect.poll(() => told.slice(before), { timeout: 10_000 }).toEqual(["First", "Second"]);
    expect(await runs()).toBe(count + 2);
  });
});

test("an answered message goes along, but not the agent’s own answer of this thread", async () => {
  const before = told.length;
  const group = { id: -9, title: "Office" };
  const chat = { ...group, type: "supergroup" };
  const reply_to_message = { message_id: 5, date: 1, from: BOB, chat, text: "Der Otter schwimmt" };
  api.say({ from: ADA, group, text: "@ringmaster_lab_bot translate this", more: { reply_to_message } });
  const cited = "Ada: translate this\n\n[Answering Bob: cited, not a request]\n> Der Otter schwimmt";
  expect(await nextTold(before)).toBe(cited);
  await expect.poll(() => api.sentTo(group.id).at(-1)?.text).toBe(`Answer ${before + 1}`);
  const answer = api.sentTo(group.id).at(-1);
  const own = {
    message_id: answer?.messageId,
    date: 1,
    from: { id: 4242, is_bot: true, first_name: "Lab" },
    chat,
    text: "Answer",
  };
  api.say({ from: ADA, group, text: "and now?", more: { reply_to_message: own } });
  expect(await nextTold(before + 1)).toBe("Ada: and now?");
  const quote = { text: "Answer", position: 0, is_manual: true };
  api.say({ from: ADA, group, text: "why?", more: { reply_to_message: own, quote } });
  expect(await nextTold(before + 2)).toContain("[Selected from Lab: cited, not a request]\n> Answer");
});

test("a topic is a conversation of its own; answers and typing stay in it", async () => {
  const before = told.length;
  const group = { id: -10, title: "Forum" };
  const inTopic = (topic: number) => ({ more: { is_topic_message: true, message_thread_id: topic } });
  for (const topic of [3, 4]) {
    api.say({ from: ADA, group, text: "@ringmaster_lab_bot hello", ...inTopic(topic) });
    await expect.poll(() => api.sentTo(group.id).at(-1)?.topic).toBe(topic);
  }
  expect(told.length).toBe(before + 2);
  const topics = api.callsOf("sendChatAction").filter(({ payload }) => payload.chat_id === String(group.id));
  expect(topics.map(({ payload }) => payload.message_thread_id)).toEqual(expect.arrayContaining([3, 4]));
  const links = await server.database.channelLink.findMany({ where: { externalChat: { startsWith: "-10/" } } });
  expect(new Set(links.map(({ threadId }) => threadId)).size).toBe(2);
});

test("what each person writes to a channel is a conversation of its own, and answers go there", async () => {
  const before = told.length;
  const group = { id: -12, title: "News" };
  for (const topic_id of [500, 600]) {
    const more = { direct_messages_topic: { topic_id, user: BOB } };
    api.say({ from: ADA, group, text: "@ringmaster_lab_bot hello", more });
    await expect.poll(() => told.length).toBe(before + (topic_id === 500 ? 1 : 2));
  }
  const sent = () => api.callsOf("sendMessage").filter(({ payload }) => payload.chat_id === String(group.id));
  await expect.poll(() => sent().map(({ payload }) => payload.direct_messages_topic_id)).toEqual([500, 600]);
  expect(api.callsOf("sendChatAction").some(({ payload }) => payload.chat_id === String(group.id))).toBe(false);
  const links = await server.database.channelLink.findMany({ where: { externalChat: { startsWith: "-12/" } } });
  expect(new Set(links.map(({ threadId }) => threadId)).size).toBe(2);
});

test("a group that became a supergroup keeps its link and its thread", async () => {
  const group = { id: -11, title: "Small" };
  const linkOf = (externalChat: string) => server.database.channelLink.findFirst({ where: { externalChat } });
  api.say({ from: ADA, group, text: "@ringmaster_lab_bot hello" });
  await expect.poll(() => api.sentTo(group.id)).toHaveLength(1);
  const before = await linkOf("-11");
  api.say({ from: ADA, group, text: "", more: { migrate_to_chat_id: -1011, text: undefined } });
  await expect.poll(async () => (await linkOf("-1011"))?.id).toBe(before?.id);
  api.say({ from: ADA, group: { id: -1011, title: "Small" }, text: "@ringmaster_lab_bot again" });
  await expect.poll(() => api.sentTo(-1011)).toHaveLength(1);
  expect(await linkOf("-1011")).toMatchObject({ threadId: before?.threadId });
  expect(await linkOf("-11")).toBeNull();
});

test("an answer that comes after the group has moved finds it", async () => {
  const group = { id: -12, title: "Moving" };
  api.movedChats.set("-12", -1012);
  api.say({ from: ADA, group, text: "@ringmaster_lab_bot hello" });
  await expect.poll(() => api.sentTo(-1012)).toHaveLength(1);
});

test("pieces of a text that together exceed one message are several, and none is lost", async () => {
  const before = told.length;
  const piece = (letter: string) => api.message({ from: ADA, text: letter.repeat(300_000) });
  api.bring(...["a", "b", "c", "d", "e"].map(piece));
  const first = await nextTold(before);
  const second = await nextTold(before + 1);
  for (const text of [first, second]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_048_576);
  const stored = await server.database.run.findMany({
    where: { origin: "channel" },
    orderBy: { createdAt: "desc" },
    take: 2,
    select: { input: true },
  });
  const letters = stored.map(({ input }) => JSON.stringify(input)).join("");
  for (const letter of ["a", "b", "c", "d", "e"]) expect(letters).toContain(letter.repeat(299_000));
});
