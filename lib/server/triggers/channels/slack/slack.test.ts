import { isValidSlackRequest } from "@slack/bolt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connection, InboundUpdate } from "@/lib/server/triggers/channels/channel";
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
import { slack } from "./slack";
import { receiveBySocket } from "./slack-socket";
import { whyForged } from "./verify-slack";

let server: SlackServer;
let connection: Connection;

beforeAll(async () => {
  server = await startSlackServer();
  connection = {
    channelId: "chn_1",
    name: "Slack",
    apiRoot: server.apiRoot,
    allowedPrivateHosts: [server.host],
    credentials: { kind: "slack", token: SLACK_BOT_TOKEN, signingSecret: SLACK_SIGNING_SECRET },
    username: null,
    offset: null,
    hookUrl: "http://localhost/hooks/channels/chn_1",
  };
});
afterAll(() => server.close());
beforeEach(() => void server.calls.splice(0));

const signal = new AbortController().signal;
const event = (fields: Record<string, unknown>) =>
  JSON.stringify({
    type: "event_callback",
    event_id: "Ev1",
    authorizations: [{ user_id: SLACK_BOT_USER, is_bot: true }],
    event: { type: "message", channel: "D1", channel_type: "im", user: "U1", text: "Hi", ts: "1.000100", ...fields },
  });
const parse = async (body: string) => await slack.parse(connection, signedSlackRequest(body));
const only = async (body: string) => (await parse(body)).updates[0];

describe("a request that Slack has signed", () => {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  const example = {
    headers: new Headers({
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    }),
    body: Buffer.from(
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    ),
  };
  const AT_MS = 1_531_420_618_000;

  test("is the one of Slack's documentation", () => {
    expect(whyForged(example, SLACK_SIGNING_SECRET, AT_MS)).toBeNull();
  });

  test.for<[string, () => string | null, RegExp]>([
    ["recorded more than 5 minutes ago", () => whyForged(example, SLACK_SIGNING_SECRET, AT_MS + 301_000), /5 minutes/],
    ["from the future", () => whyForged(example, SLACK_SIGNING_SECRET, AT_MS - 301_000), /5 minutes/],
    ["signed by another secret", () => whyForged(example, "other", AT_MS), /signature/],
    [
      "whose body was changed",
      () => whyForged({ ...example, body: Buffer.from("x") }, SLACK_SIGNING_SECRET, AT_MS),
      /signature/,
    ],
    [
      "without a signature",
      () => whyForged({ ...example, headers: new Headers() }, SLACK_SIGNING_SECRET, AT_MS),
      /missing/,
    ],
  ])("is not one %s", ([, check, why]) => expect(check()).toMatch(why));

  // Bolt accepts a time in the future; here, a clock that is more than 5 minutes ahead is refused.
  test.for<[string, Parameters<typeof signedSlackRequest>[1], string]>([
    ["a signed one", {}, "{}"],
    ["one of 4 minutes ago", { nowMs: Date.now() - 240_000 }, "{}"],
    ["one of 6 minutes ago", { nowMs: Date.now() - 360_000 }, "{}"],
    ["one signed by another secret", { secret: "guessed" }, "{}"],
    ["one whose body was changed", {}, '{"changed":true}'],
  ])("is told by Slack's own library in the same way: %s", ([, signing, body]) => {
    const { headers } = signedSlackRequest("{}", signing);
    const ofBolt = isValidSlackRequest({
      signingSecret: SLACK_SIGNING_SECRET,
      body,
      headers: {
        "x-slack-signature": headers.get("x-slack-signature") ?? "",
        "x-slack-request-timestamp": Number(headers.get("x-slack-request-timestamp")),
      },
    });
    const why = whyForged({ headers, body: Buffer.from(body) }, SLACK_SIGNING_SECRET, Date.now());
    expect(why === null).toBe(ofBolt);
  });

  test("is refused at the hook when it is forged, whatever it holds", async () => {
    const forged = signedSlackRequest(event({}), { secret: "guessed" });
    await expect(slack.parse(connection, forged)).rejects.toMatchObject({ name: "ChannelForged" });
    const stale = signedSlackRequest(event({}), { nowMs: Date.now() - 600_000 });
    await expect(slack.parse(connection, stale)).rejects.toMatchObject({ name: "ChannelForged" });
    const { credentials } = connection;
    const withoutSecret = { ...connection, credentials: { ...credentials, signingSecret: undefined } } as Connection;
    await expect(slack.parse(withoutSecret, signedSlackRequest(event({})))).rejects.toThrow(/signing secret/);
  });

  test("gets the answer to its challenge", async () => {
    const { updates, response } = await parse(JSON.stringify({ type: "url_verification", challenge: "abc" }));
    expect(updates).toEqual([]);
    expect(await response.text()).toBe("abc");
  });
});

describe("what Slack brings", () => {
  test("is a direct message with its sender's name", async () => {
    expect(await only(event({ text: "1 &lt; 2" }))).toEqual({
      id: "message:D1:1.000100",
      message: {
        chat: { id: "D1", kind: "direct", name: "@Petra" },
        sender: { id: "U1", name: "Petra" },
        text: "1 < 2",
        files: [],
        isMentioned: false,
      },
    });
  });

  test.for(["summarise this", ""])("brings what was forwarded, with the comment %j", async (text) => {
    const file = { name: "plan.pdf", size: 3, url_private: "https://files.slack.com/plan.pdf" };
    const attachments = [
      {
        fallback: "[Nov 1] bob: The launch slips",
        text: "The launch slips to <#C1|may> &amp; June",
        author_name: "bob",
        is_share: true,
        channel_name: "launch",
        files: [file],
      },
      { is_msg_unfurl: true, author_subname: "eve", text: "Second", author_name: null },
    ];
    const update = await only(event({ text, attachments }));
    expect(update?.message).toMatchObject({
      text,
      cites: {
        text: "[Forwarded from bob in #launch: cited, not a request]\n> The launch slips to #may & June\n\n[Forwarded from eve: cited, not a request]\n> Second",
        files: [{ name: "plan.pdf", sizeBytes: 3 }],
      },
    });
  });

  test("brings what programs attach, and forwards whose text stands elsewhere", async () => {
    const section = {
      type: "rich_text_section",
      elements: [
        { type: "text", text: "Hi " },
        { type: "user", user_id: "U9" },
      ],
    };
    const list = {
      type: "rich_text_list",
      elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "one" }] }],
    };
    const blocks = [{ type: "rich_text", elements: [section, list] }];
    const fields = [{ title: "Total", value: "5 EUR" }];
    const attachments = [
      { title: "Invoice", title_link: "https://a.example/1", fields, from_url: "https://a.example/1" },
      { is_share: true, author_name: "bob", message_blocks: [{ message: { blocks } }] },
      { is_share: true, fallback: "[Nov 1] eve: Only here" },
      { is_share: true, author_name: "dan", files: [{ url_private: "https://files.slack.com/a" }] },
      { id: 1 },
      "odd",
      { is_share: "x", text: 5 },
    ];
    const update = await only(event({ text: "look", attachments }));
    expect(update?.message?.cites?.text.split("\n\n")).toEqual([
      "[Attached: cited, not a request]\n> Invoice (https://a.example/1)\n> Total: 5 EUR\n> https://a.example/1",
      "[Forwarded from bob: cited, not a request]\n> Hi @U9\n> • one",
      "[Forwarded from someone: cited, not a request]\n> [Nov 1] eve: Only here",
      "[Forwarded from dan: cited, not a request]\n> [File]",
    ]);
  });

  test("reads the blocks of a message without text, and a message with odd fields", async () => {
    const blocks = [
      { type: "section", text: { type: "mrkdwn", text: "*Hello*" } },
      5,
      { type: "image", alt_text: "a cat" },
    ];
    expect((await only(event({ text: null, blocks, files: "odd", attachments: null })))?.message).toMatchObject({
      text: "*Hello*\n[Picture: a cat]",
      files: [],
    });
  });

  test("has the same id when Slack sends it again", async () => {
    const first = await only(event({}));
    const retried = signedSlackRequest(event({}));
    retried.headers.set("x-slack-retry-num", "1");
    retried.headers.set("x-slack-retry-reason", "http_timeout");
    expect((await slack.parse(connection, retried)).updates[0]?.id).toBe(first?.id);
  });

  test("is a mention in a channel, answered in its thread", async () => {
    const mention = { type: "app_mention", channel: "C1", channel_type: undefined, text: `<@${SLACK_BOT_USER}> hello` };
    expect((await only(event(mention)))?.message).toMatchObject({
      chat: { id: "C1", kind: "group" },
      text: "hello",
      isMentioned: true,
      answerKey: "1.000100",
    });
    const inThread = await only(event({ ...mention, thread_ts: "0.5" }));
    expect(inThread?.message).toMatchObject({ answerKey: "0.5", replyTo: "0.5", chat: { name: "#release" } });
  });

  test.for<[string, Record<string, unknown>]>([
    ["the bot's own", { user: SLACK_BOT_USER }],
    ["another bot's", { bot_id: "B2" }],
    ["an edit", { subtype: "message_changed" }],
    ["talk in a channel that does not mention the bot", { channel: "C1", channel_type: "channel" }],
    ["not a message", { type: "reaction_added" }],
  ])("is nothing when it is %s", async ([, fields]) => {
    expect((await parse(event(fields))).updates).toEqual([]);
  });

  test("is a press of a button", async () => {
    const payload = {
      type: "block_actions",
      user: { id: "U1", name: "petra" },
      channel: { id: "D1", name: "directmessage" },
      message: { ts: "1.5" },
      actions: [{ value: "allow:abc", action_ts: "9.1" }],
    };
    const contentType = "application/x-www-form-urlencoded";
    const { updates } = await slack.parse(connection, signedSlackRequest(slackPress(payload), { contentType }));
    expect(updates).toEqual([
      {
        id: "press:D1:1.5:U1:9.1",
        press: {
          chat: { id: "D1", kind: "direct", name: "@petra" },
          sender: { id: "U1", name: "petra" },
          messageId: "1.5",
          data: "allow:abc",
          answerTo: "U1",
        },
      },
    ]);
  });

  test("has its files, read with the token from Slack alone", async () => {
    const origin = new URL(server.apiRoot).origin;
    const files = [
      { name: "a.txt", size: 16, url_private_download: `${origin}/files/a.txt` },
      { name: "b.txt", size: 1, url_private_download: "https://files.slack.com.evil.example/b.txt" },
    ];
    const update = await only(event({ subtype: "file_share", files }));
    const [own, foreign] = update?.message?.files ?? [];
    expect(Buffer.from((await own?.read(signal)) ?? []).toString()).toBe("the file's bytes");
    await expect(foreign?.read(signal)).rejects.toThrow(/does not belong to Slack/);
  });
});

describe("what goes to Slack", () => {
  test("is a message in Slack's own format, in the thread it answers", async () => {
    const sent = await slack.send(connection, "C1", { text: "**Done** & <!channel>", replyTo: "0.5" });
    expect(sent.messageId).toMatch(/^1700000000\./);
    expect(server.calls.at(-1)).toMatchObject({
      method: "chat.postMessage",
      token: SLACK_BOT_TOKEN,
      fields: { channel: "C1", text: "*Done* &amp; &lt;!channel&gt;", thread_ts: "0.5" },
    });
  });

  test("loses its buttons by an edit", async () => {
    const buttons = [
      [
        { label: "Allow", data: "a" },
        { label: "Open", url: "https://example.org" },
      ],
    ];
    await slack.send(connection, "D1", { text: "Allow it?", buttons });
    const blocks = JSON.parse(server.calls.at(-1)?.fields.blocks ?? "");
    expect(blocks[1].elements).toMatchObject([
      { type: "button", value: "a" },
      { type: "button", url: "https://example.org" },
    ]);
    await slack.edit(connection, "D1", "1.5", { text: "Allowed by Petra" });
    const edit = server.calls.at(-1);
    expect(edit).toMatchObject({ method: "chat.update", fields: { ts: "1.5", text: "Allowed by Petra" } });
    expect(JSON.parse(edit?.fields.blocks ?? "")).toHaveLength(1);
  });

  test("uploads files by the external upload", async () => {
    const files = [{ name: "report.txt", bytes: Buffer.from("hello") }];
    await slack.send(connection, "C1", { text: "Here", files, replyTo: "0.5" });
    expect([...server.uploads.values()].map(String)).toEqual(["hello"]);
    expect(server.calls.map(({ method }) => method)).toEqual([
      "chat.postMessage",
      "files.getUploadURLExternal",
      "files.completeUploadExternal",
    ]);
    expect(server.calls.at(-1)?.fields).toMatchObject({ channel_id: "C1", thread_ts: "0.5" });
  });

  test("answers a press to its person alone", async () => {
    const press = { chat: { id: "C1", kind: "group", name: "C1" }, sender: { id: "U2", name: "x" } } as const;
    await slack.answerPress(connection, { ...press, messageId: "1", data: "", answerTo: "U2" }, "Not yours.");
    expect(server.calls.at(-1)).toMatchObject({ method: "chat.postEphemeral", fields: { channel: "C1", user: "U2" } });
  });

  test("waits as long as Slack asks", async () => {
    server.answerNext("chat.postMessage", { status: 429, headers: { "retry-after": "17" }, body: {} });
    const sent = slack.send(connection, "D1", { text: "x" });
    await expect(sent).rejects.toMatchObject({ name: "ChannelBusy", retryAfterSeconds: 17 });
  });

  test("says what Slack refuses", async () => {
    server.answerNext("chat.postMessage", { body: { ok: false, error: "token_revoked" } });
    await expect(slack.send(connection, "D1", { text: "x" })).rejects.toMatchObject({
      name: "ChannelRefused",
      message: expect.stringContaining("Install the app again"),
    });
    server.answerNext("chat.postMessage", { body: { ok: false, error: "not_in_channel" } });
    await expect(slack.send(connection, "D1", { text: "x" })).rejects.toThrow(/Invite the bot/);
  });

  test("never reaches a private address that was not allowed", async () => {
    const sent = slack.send({ ...connection, allowedPrivateHosts: [] }, "D1", { text: "x" });
    await expect(sent).rejects.toThrow(/private address/);
  });
});

describe("the test of a bot", () => {
  test("says who it is, and which token does not work", async () => {
    expect(await slack.test(connection, signal)).toEqual({ username: "@ringmaster in Acme" });
    const headers = { "x-oauth-scopes": "app_mentions:read,chat:write,im:history,users:read,files:write" };
    server.answerNext("auth.test", { headers, body: { ok: true, user: "ringmaster", team: "Acme" } });
    await expect(slack.test(connection, signal)).rejects.toThrow(/The app lacks files:read\. Add it under/);
    const { credentials } = connection;
    const wrong = { ...connection, credentials: { ...credentials, appToken: "xapp-wrong" } } as Connection;
    await expect(slack.test(wrong, signal)).rejects.toThrow(/app token does not work: Slack does not know the token/);
  });
});

describe("Socket Mode", () => {
  test("acknowledges what is stored, connects again, and stops", async () => {
    const stop = new AbortController();
    const taken: InboundUpdate[] = [];
    const pauses: number[] = [];
    const credentials = { kind: "slack", token: SLACK_BOT_TOKEN, appToken: SLACK_APP_TOKEN } as const;
    let isStoring = true;
    const take = async (payload: unknown) => {
      if (!isStoring) throw new Error("The database is away.");
      taken.push(payload as InboundUpdate);
    };
    const wait = async (delayMs: number) => void pauses.push(delayMs);
    const ended = receiveBySocket({ ...connection, credentials }, take, { signal: stop.signal, wait });
    await server.until(() => server.sockets === 1);
    server.push({ type: "events_api", envelope_id: "e1", payload: { n: 1, text: "x".repeat(300) } });
    await server.until(() => server.acknowledged.includes("e1"));

    isStoring = false;
    server.push({ type: "events_api", envelope_id: "e2", payload: { n: 2 } });
    server.push({ type: "disconnect", reason: "refresh_requested" });
    await server.until(() => server.sockets === 2);
    isStoring = true;
    server.push({ type: "interactive", envelope_id: "e3", payload: { n: 3 } });
    await server.until(() => server.acknowledged.includes("e3"));
    server.drop();
    await server.until(() => server.sockets === 3);

    expect(server.acknowledged).toEqual(["e1", "e3"]);
    expect(taken).toMatchObject([{ n: 1 }, { n: 3 }]);
    expect(pauses).toEqual([1_000]);
    stop.abort();
    await ended;
  });

  test("connects to the address that the test was given: Slack gives out few", async () => {
    const credentials = { kind: "slack", token: SLACK_BOT_TOKEN, appToken: SLACK_APP_TOKEN } as const;
    const stop = new AbortController();
    const before = server.sockets;
    await slack.test({ ...connection, credentials }, signal);
    const ended = slack.start({ ...connection, credentials }, async () => undefined, stop.signal);
    await server.until(() => server.sockets > before);
    expect(server.calls.filter(({ method }) => method === "apps.connections.open")).toHaveLength(1);
    stop.abort();
    await ended;
  });

  test("throws what keeps it from connecting, instead of trying for ever", async () => {
    const credentials = { kind: "slack", token: SLACK_BOT_TOKEN, appToken: "xapp-revoked" } as const;
    const started = slack.start({ ...connection, credentials }, async () => undefined, signal);
    await expect(started).rejects.toMatchObject({ name: "ChannelRefused" });
  });
});
