import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as testChannel } from "@/app/api/channels/[channelId]/test/route";
import { POST as addChannel, GET as getChannels } from "@/app/api/channels/route";
import { POST as decideOn } from "@/app/api/runs/[runId]/decisions/route";
import { POST as hook } from "@/app/hooks/channels/[channelId]/route";
import type { Channel } from "@/lib/schema/channels/channel";
import { createAgent } from "@/lib/server/agents/publish-version";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import {
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_BOT_USER,
  SLACK_SIGNING_SECRET,
  type SlackServer,
  signedSlackRequest,
  slackPress,
  startSlackServer,
} from "@/lib/testing/channels/slack-server";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";
import { startChannels, stopChannels } from "./hold-channels";

let slack: SlackServer;
let server: RunServer;
/** What the answer to "slow" waits for. */
let gate = Promise.withResolvers<void>();
let channel: Channel;

beforeAll(async () => {
  slack = await startSlackServer();
  const turns = scriptedTurns({
    hello: [{ text: "**Hello** from the agent." }],
    nothing: [{ text: "" }],
    write: [{ calls: [{ name: "write_file", args: { path: "a.txt", content: "A" } }] }, { text: "Written." }],
  });
  server = await startRunServer(
    (request) => {
      const said = String(request.messages?.findLast(({ role }) => role === "user")?.content);
      const word = said.replace(/^\w+: /, "");
      if (word === "slow") return { text: "Late.", gate: gate.promise };
      const messages = (request.messages ?? []).map((one) => (one.content === said ? { ...one, content: word } : one));
      return turns({ ...request, messages });
    },
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: slack.host, RINGMASTER_PUBLIC_URL: "https://ring.example" },
  );
  const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
  const raw = { model: "scripted:m", retries: 0, backend: { type: "state" }, name: "Asks", permissions };
  await createAgent(server.services, { agentId: "asks", raw, createdById: null });
  const credentials = { token: SLACK_BOT_TOKEN, signingSecret: SLACK_SIGNING_SECRET };
  const body = { kind: "slack", name: "Acme", agentId: "asks", apiRoot: slack.apiRoot, ...credentials };
  const added = await server.call(addChannel, { as: "admin", body });
  expect(added.status).toBe(201);
  channel = await added.json();
  expect(channel.hookUrl).toBe(`https://ring.example/hooks/channels/${channel.id}`);
});
afterAll(async () => {
  gate.resolve();
  await server.close();
  await slack.close();
});

const params = () => ({ channelId: channel.id });
/** The bot's messages there, newest last. */
const said = (chat: string) =>
  slack.calls.filter(({ method, fields }) => method === "chat.postMessage" && fields.channel === chat);
const lastSaid = (chat: string) => said(chat).at(-1)?.fields.text;

let lastTs = 0;
function eventOf(user: string, text: string, more: Record<string, unknown> = {}): string {
  lastTs += 1;
  const event = {
    type: "message",
    channel: `D${user}`,
    channel_type: "im",
    user,
    text,
    ts: `${lastTs}.000100`,
    ...more,
  };
  return JSON.stringify({ type: "event_callback", authorizations: [{ user_id: SLACK_BOT_USER }], event });
}

async function post(body: string, signing: Parameters<typeof signedSlackRequest>[1] = {}) {
  const { headers } = signedSlackRequest(body, signing);
  return await server.call(hook, { params: params(), headers: Object.fromEntries(headers), body });
}

let people = 0;
/** A new person in Slack, so that a retried test does not see what the first attempt left. */
async function paired(as: "member" | "admin"): Promise<string> {
  people += 1;
  const user = `U${people}`;
  await pair(user, as);
  return user;
}

async function pair(user: string, as: "member" | "admin"): Promise<void> {
  const { code } = await (await server.call(addLink, { as, body: { channelId: channel.id } })).json();
  await post(eventOf(user, code));
  await expect.poll(() => lastSaid(`D${user}`)).toContain("Linked to");
}

async function press(user: string, chat: string, data: string, ts: string): Promise<void> {
  const person = { id: user, name: user.toLowerCase() };
  const actions = [{ value: data, action_ts: `${Math.random()}` }];
  const payload = { type: "block_actions", user: person, channel: { id: chat }, message: { ts }, actions };
  const contentType = "application/x-www-form-urlencoded";
  expect((await post(slackPress(payload), { contentType })).status).toBe(200);
}

const whispered = () => slack.calls.filter(({ method }) => method === "chat.postEphemeral").at(-1)?.fields;

/** The message with buttons there, once it is sent and stored. */
async function question(chat: string) {
  const find = () =>
    server.database.channelMessage.findFirst({
      where: { channelId: channel.id, externalChat: chat, approvalId: { not: null }, isOpen: true },
    });
  await expect.poll(find).not.toBeNull();
  const message = await find();
  if (!message) throw new Error("The question is gone.");
  const blocks: { elements?: { text: { text: string }; value?: string }[] }[] = JSON.parse(
    said(chat).findLast(({ fields }) => fields.blocks !== undefined)?.fields.blocks ?? "[]",
  );
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  const allow = buttons.find(({ text }) => text.text === "Allow once")?.value ?? "";
  return { allow, messageId: message.messageId, runId: message.runId, approvalId: message.approvalId ?? "" };
}

const editOf = (messageId: string) =>
  slack.calls.find(({ method, fields }) => method === "chat.update" && fields.ts === messageId)?.fields;

test("an answer that is missing is said to be", async () => {
  const user = await paired("member");
  await post(eventOf(user, "nothing"));
  await expect.poll(() => lastSaid(`D${user}`)).toContain("The model ended its turn without writing an answer.");
});

test("a message that is forwarded starts a run with its text, with and without a comment", async () => {
  const user = await paired("member");
  const attachments = [{ is_share: true, author_name: "bob", text: "The launch slips" }];
  const cited = "[Forwarded from bob: cited, not a request]\n> The launch slips";
  for (const text of ["hello", ""]) {
    await post(eventOf(user, text, { attachments }));
    const prompts = () => server.provider.requests.map((request) => JSON.stringify(request));
    const expected = JSON.stringify([text, cited].filter(Boolean).join("\n\n"));
    await expect.poll(() => prompts().some((prompt) => prompt.includes(expected))).toBe(true);
  }
});

test("a person pairs, asks, and is answered; what Slack sends again starts nothing twice", async () => {
  people += 1;
  const [user, chat] = [`U${people}`, `DU${people}`];
  await post(eventOf(user, "hello"));
  await expect.poll(() => lastSaid(chat)).toContain("I don't know this code");
  await pair(user, "member");
  const hello = eventOf(user, "hello");
  await post(hello);
  await post(hello);
  await expect.poll(() => lastSaid(chat)).toBe("*Hello* from the agent.");
  expect(said(chat).filter(({ fields }) => fields.text === "*Hello* from the agent.")).toHaveLength(1);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toContainEqual(expect.objectContaining({ kind: "repeat" }));
});

test("a mention in a channel is answered in its thread, for people who are paired", async () => {
  const user = await paired("member");
  const mention = { type: "app_mention", channel: "C1", channel_type: undefined, thread_ts: "0.7" };
  await post(eventOf(user, `<@${SLACK_BOT_USER}> hello`, mention));
  await expect
    .poll(() => said("C1").at(-1)?.fields)
    .toMatchObject({ text: "*Hello* from the agent.", thread_ts: "0.7" });
});

/** The answers there, each with the thread of Slack that it stands in. */
const places = (chat: string) => said(chat).map(({ fields }) => [fields.text, fields.thread_ts]);

test("a reply in a thread of a direct message continues what began there, and is asked and answered there", async () => {
  const user = await paired("member");
  const chat = `D${user}`;
  const runs = async () => {
    const where = { origin: "channel", originDetails: { contains: `"chatId":"${chat}"` } };
    return server.database.run.findMany({ where, orderBy: { createdAt: "asc" }, select: { threadId: true } });
  };
  await post(eventOf(user, "hello"));
  const root = `${lastTs}.000100`;
  await expect.poll(() => places(chat).at(-1)).toEqual(["*Hello* from the agent.", undefined]);
  await post(eventOf(user, "/new"));
  await post(eventOf(user, "hello"));
  await expect.poll(() => places(chat).filter(([text]) => text === "*Hello* from the agent.")).toHaveLength(2);

  await post(eventOf(user, "hello", { thread_ts: root }));
  await expect.poll(() => places(chat).at(-1)).toEqual(["*Hello* from the agent.", root]);
  const [first, second, third] = await runs();
  expect(second?.threadId).not.toBe(first?.threadId);
  expect(third?.threadId).toBe(first?.threadId);

  await post(eventOf(user, "write", { thread_ts: root }));
  const { allow, messageId } = await question(chat);
  expect(places(chat).at(-1)).toEqual([expect.stringContaining("write_file"), root]);
  await post(eventOf(user, "/help", { thread_ts: root }));
  await expect.poll(() => places(chat).at(-1)).toEqual([expect.stringContaining("/stop"), root]);
  await press(user, chat, allow, messageId);
  await expect.poll(() => places(chat).at(-1)).toEqual(["Written.", root]);
  expect((await runs()).at(-1)?.threadId).toBe(first?.threadId);

  await post(eventOf(user, "hello"));
  await expect.poll(() => places(chat).at(-1)).toEqual(["*Hello* from the agent.", undefined]);
  expect((await runs()).at(-1)?.threadId).toBe(second?.threadId);
});

/** The buttons of the bot's newest message there, by their labels. */
function buttonsOf(chat: string): Record<string, string> {
  const blocks: { elements?: { text: { text: string }; value?: string }[] }[] = JSON.parse(
    said(chat).at(-1)?.fields.blocks ?? "[]",
  );
  const elements = blocks.flatMap(({ elements = [] }) => elements);
  return Object.fromEntries(elements.map(({ text, value = "" }) => [text.text, value]));
}

/** The message below which a button is pressed. */
const STOP_ANSWER = "9.000100";

/** "slow" runs, and two messages wait behind it; then /stop. */
async function stopped(user: string, where: Record<string, unknown> = {}): Promise<void> {
  gate = Promise.withResolvers();
  const chat = `D${user}`;
  const count = (status: string) => server.database.run.count({ where: { status, originDetails: { contains: chat } } });
  await post(eventOf(user, "slow", where));
  await expect.poll(() => count("running")).toBe(1);
  for (const [index, text] of ["hello", "nothing"].entries()) {
    await post(eventOf(user, text, where));
    await expect.poll(() => count("queued")).toBe(index + 1);
  }
  await post(eventOf(user, "/stop", where));
  await expect.poll(() => lastSaid(chat)).toBe("Stopped. 2 messages are held.");
}

test.each(["in the chat", "in a thread"])("/stop %s holds what waits; Send answers it there", async (place) => {
  const user = await paired("member");
  const chat = `D${user}`;
  await post(eventOf(user, "hello"));
  await expect.poll(() => lastSaid(chat)).toBe("*Hello* from the agent.");
  const root = place === "in a thread" ? `${lastTs}.000100` : undefined;
  const where = root === undefined ? {} : { thread_ts: root };
  await stopped(user, where);
  expect(places(chat).at(-1)).toEqual(["Stopped. 2 messages are held.", root]);
  await press(user, chat, buttonsOf(chat).Send ?? "", STOP_ANSWER);
  await expect.poll(() => places(chat).map(([text]) => text)).toContain("*Hello* from the agent.");
  await expect.poll(() => places(chat).at(-1)).toEqual([expect.stringContaining("without writing an answer"), root]);
  expect(slack.calls.some(({ method, fields }) => method === "chat.update" && fields.text === "Sent 2 messages.")).toBe(
    true,
  );
});

test("nobody else sends what /stop holds, Drop removes it, and what is written meanwhile is answered", async () => {
  const [user, other] = [await paired("member"), await paired("admin")];
  const chat = `D${user}`;
  await stopped(user);
  const { Drop = "", Send = "" } = buttonsOf(chat);
  await press(other, chat, Send, STOP_ANSWER);
  await expect.poll(() => whispered()?.text).toBe("Only whoever wrote these messages can send or drop them.");
  await post(eventOf(user, "hello"));
  await expect.poll(() => lastSaid(chat)).toBe("*Hello* from the agent.");
  const held = () => server.database.run.count({ where: { heldAt: { not: null } } });
  expect(await held()).toBe(2);
  await press(user, chat, Drop, STOP_ANSWER);
  await expect.poll(held).toBe(0);
  await press(user, chat, Send, STOP_ANSWER);
  await expect.poll(() => whispered()?.text).toBe("Nothing is held any more.");
  await post(eventOf(user, "/stop"));
  await expect.poll(() => lastSaid(chat)).toBe("Nothing is running here.");
});

test("a thread shows that the agent works, until it has answered or asks", async () => {
  const user = await paired("member");
  const statuses = () =>
    slack.calls
      .filter(({ method, fields }) => method === "assistant.threads.setStatus" && fields.channel_id === `D${user}`)
      .map(({ fields }) => [fields.thread_ts, fields.status]);
  await post(eventOf(user, "hello"));
  await expect.poll(() => lastSaid(`D${user}`)).toBe("*Hello* from the agent.");
  expect(statuses()).toEqual([]);
  const root = `${lastTs}.000100`;
  slack.answerNext("assistant.threads.setStatus", { body: { ok: false, error: "invalid_thread_ts" } });
  await post(eventOf(user, "write", { thread_ts: root }));
  await question(`D${user}`);
  await expect.poll(statuses).toEqual([
    [root, "is working …"],
    [root, ""],
  ]);
});

test("an approval has buttons that count for its owner alone, and says afterwards what came of it", async () => {
  const [user, other] = [await paired("member"), await paired("admin")];
  const chat = `D${user}`;
  await post(eventOf(user, "write"));
  const { allow, messageId } = await question(chat);
  await press(other, chat, allow, messageId);
  await expect.poll(whispered).toMatchObject({ user: other, text: expect.stringContaining("can decide this") });
  await press(user, chat, "a.this-token-was-never-given-out", messageId);
  await expect.poll(whispered).toMatchObject({ user, text: expect.stringContaining("no longer works") });
  await press(user, chat, allow, messageId);
  await expect.poll(() => editOf(messageId)?.text).toMatch(/Allowed by .+ here/);
  expect(editOf(messageId)?.blocks).not.toContain("actions");
  await expect.poll(() => lastSaid(chat)).toBe("Written.");
});

test("an approval that is decided in the browser changes its message", async () => {
  const user = await paired("member");
  await post(eventOf(user, "write"));
  const { messageId, runId, approvalId } = await question(`D${user}`);
  const { toolCallId } = await server.database.approval.findUniqueOrThrow({ where: { id: approvalId } });
  const decisions = [{ tool_call_id: toolCallId, decision: "deny" }];
  await server.call(decideOn, { as: "member", params: { runId }, body: { decisions } });
  await expect.poll(() => editOf(messageId)?.text).toContain("Denied by");
});

test("a request that Slack has not signed, or signed long ago, is turned away and counted", async () => {
  expect((await post(eventOf("U0", "hello"), { secret: "guessed" })).status).toBe(401);
  expect((await post(eventOf("U0", "hello"), { nowMs: Date.now() - 600_000 })).status).toBe(401);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toContainEqual(
    expect.objectContaining({ kind: "signature", count: expect.toSatisfy((count) => count >= 2) }),
  );
});

test("the test of the bot says who it is, and what Slack refuses", async () => {
  const ask = async () => await (await server.call(testChannel, { as: "admin", params: params() })).json();
  expect(await ask()).toMatchObject({ ok: true, username: "@ringmaster in Acme" });
  slack.answerNext("auth.test", { body: { ok: false, error: "token_revoked" } });
  expect(await ask()).toMatchObject({ ok: false, error: expect.stringContaining("Install the app again") });
});

test("with an app token messages arrive by Socket Mode, and nothing has to reach the server", async () => {
  const body = { kind: "slack", name: "Socket", agentId: "asks", apiRoot: slack.apiRoot, token: SLACK_BOT_TOKEN };
  const added = await server.call(addChannel, { as: "admin", body: { ...body, appToken: SLACK_APP_TOKEN } });
  const { id } = (await added.json()) as Channel;
  await startChannels(server.services, { loadCompaction });
  people += 1;
  const user = `U${people}`;
  const say = async (text: string) => {
    const envelope_id = `envelope-${lastTs}`;
    slack.push({ type: "events_api", envelope_id, payload: JSON.parse(eventOf(user, text)) });
    await slack.until(() => slack.acknowledged.includes(envelope_id));
  };
  try {
    await slack.until(() => slack.sockets > 0);
    const { code } = await (await server.call(addLink, { as: "member", body: { channelId: id } })).json();
    await say(code);
    await expect.poll(() => lastSaid(`D${user}`)).toContain("Linked to");
    await say("hello");
    await expect.poll(() => lastSaid(`D${user}`)).toBe("*Hello* from the agent.");
  } finally {
    await stopChannels(server.services);
  }
});
