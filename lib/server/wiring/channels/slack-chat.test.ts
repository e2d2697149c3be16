import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as testChannel } from "@/app/api/channels/[channelId]/test/route";
import { POST as addChannel, GET as getChannels } from "@/app/api/channels/route";
import { POST as decideOn } from "@/app/api/runs/[runId]/decisions/route";
import { POST as hook } from "@/app/hooks/channels/[channelId]/route";
import type { Channel } from "@/lib/schema/channels/channel";
import { createAgent } from "@/lib/server/agents/publish-version";
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
let channel: Channel;

beforeAll(async () => {
  slack = await startSlackServer();
  const turns = scriptedTurns({
    hello: [{ text: "**Hello** from the agent." }],
    write: [{ calls: [{ name: "write_file", args: { path: "a.txt", content: "A" } }] }, { text: "Written." }],
  });
  server = await startRunServer(
    (request) => {
      const said = String(request.messages?.findLast(({ role }) => role === "user")?.content);
      const word = said.replace(/^\w+: /, "");
      const messages = (request.messages ?? []).map((one) => (one.content === said ? { ...one, content: word } : one));
      return turns({ ...request, messages });
    },
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: slack.host, RINGMASTER_PUBLIC_URL: "https://ring.example" },
  );
  const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
  const raw = { model: "scripted:m", retries: 0, backend: { type: "state" }, name: "Asks", permissions };
  await createAgent({ agentId: "asks", raw, createdById: null });
  const credentials = { token: SLACK_BOT_TOKEN, signingSecret: SLACK_SIGNING_SECRET };
  const body = { kind: "slack", name: "Acme", agentId: "asks", apiRoot: slack.apiRoot, ...credentials };
  const added = await server.call(addChannel, { as: "admin", body });
  expect(added.status).toBe(201);
  channel = await added.json();
  expect(channel.hookUrl).toBe(`https://ring.example/hooks/channels/${channel.id}`);
});
afterAll(async () => {
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

/** The newest message with buttons there. */
async function question(chat: string) {
  await expect.poll(() => said(chat).at(-1)?.fields.blocks).toContain("Allow");
  const index = slack.calls.findLastIndex(
    ({ method, fields }) => method === "chat.postMessage" && fields.channel === chat,
  );
  const blocks: { elements?: { text: { text: string }; value?: string }[] }[] = JSON.parse(
    slack.calls[index]?.fields.blocks ?? "[]",
  );
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  const message = await server.database.channelMessage.findFirstOrThrow({
    where: { channelId: channel.id, externalChat: chat, approvalId: { not: null } },
    orderBy: { createdAt: "desc" },
  });
  const allow = buttons.find(({ text }) => text.text === "Allow once")?.value ?? "";
  return { allow, messageId: message.messageId, runId: message.runId, approvalId: message.approvalId ?? "" };
}

const editOf = (messageId: string) =>
  slack.calls.find(({ method, fields }) => method === "chat.update" && fields.ts === messageId)?.fields;

test("a person pairs, asks, and is answered; what Slack sends again starts nothing twice", async () => {
  await post(eventOf("U1", "hello"));
  await expect.poll(() => lastSaid("DU1")).toContain("I don't know this code");
  await pair("U1", "member");
  const hello = eventOf("U1", "hello");
  await post(hello);
  await post(hello);
  await expect.poll(() => lastSaid("DU1")).toBe("*Hello* from the agent.");
  expect(said("DU1").filter(({ fields }) => fields.text === "*Hello* from the agent.")).toHaveLength(1);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toContainEqual(expect.objectContaining({ kind: "repeat", count: 1 }));
});

test("a mention in a channel is answered in its thread, for people who are paired", async () => {
  await pair("U2", "member");
  const mention = { type: "app_mention", channel: "C1", channel_type: undefined, thread_ts: "0.7" };
  await post(eventOf("U2", `<@${SLACK_BOT_USER}> hello`, mention));
  await expect
    .poll(() => said("C1").at(-1)?.fields)
    .toMatchObject({ text: "*Hello* from the agent.", thread_ts: "0.7" });
});

test("an approval has buttons that count for its owner alone, and says afterwards what came of it", async () => {
  await pair("U3", "member");
  await pair("U4", "admin");
  await post(eventOf("U3", "write"));
  const { allow, messageId } = await question("DU3");
  await press("U4", "DU3", allow, messageId);
  await expect.poll(whispered).toMatchObject({ user: "U4", text: expect.stringContaining("can decide this") });
  await press("U3", "DU3", "a.this-token-was-never-given-out", messageId);
  await expect.poll(whispered).toMatchObject({ user: "U3", text: expect.stringContaining("no longer works") });
  await press("U3", "DU3", allow, messageId);
  await expect.poll(() => editOf(messageId)?.text).toMatch(/Allowed by .+ here/);
  expect(editOf(messageId)?.blocks).not.toContain("actions");
  await expect.poll(() => lastSaid("DU3")).toBe("Written.");
});

test("an approval that is decided in the browser changes its message", async () => {
  await pair("U5", "member");
  await post(eventOf("U5", "write"));
  const { messageId, runId, approvalId } = await question("DU5");
  const { toolCallId } = await server.database.approval.findUniqueOrThrow({ where: { id: approvalId } });
  const decisions = [{ tool_call_id: toolCallId, decision: "deny" }];
  await server.call(decideOn, { as: "member", params: { runId }, body: { decisions } });
  await expect.poll(() => editOf(messageId)?.text).toContain("Denied by");
});

test("a request that Slack has not signed, or signed long ago, is turned away and counted", async () => {
  expect((await post(eventOf("U1", "hello"), { secret: "guessed" })).status).toBe(401);
  expect((await post(eventOf("U1", "hello"), { nowMs: Date.now() - 600_000 })).status).toBe(401);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toContainEqual(expect.objectContaining({ kind: "signature", count: 2 }));
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
  await startChannels(server.database);
  const say = async (text: string) => {
    const envelope_id = `envelope-${lastTs}`;
    slack.push({ type: "events_api", envelope_id, payload: JSON.parse(eventOf("U7", text)) });
    await slack.until(() => slack.acknowledged.includes(envelope_id));
  };
  try {
    await slack.until(() => slack.sockets > 0);
    const { code } = await (await server.call(addLink, { as: "member", body: { channelId: id } })).json();
    await say(code);
    await expect.poll(() => lastSaid("DU7")).toContain("Linked to");
    await say("hello");
    await expect.poll(() => lastSaid("DU7")).toBe("*Hello* from the agent.");
  } finally {
    await stopChannels();
  }
});
