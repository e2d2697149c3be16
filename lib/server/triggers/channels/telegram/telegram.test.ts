import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  ChannelBusy,
  ChannelForged,
  ChannelRefused,
  type Connection,
  type InboundUpdate,
} from "@/lib/server/triggers/channels/channel";
import { splitText } from "@/lib/server/triggers/channels/split-text";
import { BOT_TOKEN, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { telegram } from "./telegram";
import { hookSecret } from "./telegram-api";

let api: ScriptedTelegram;
beforeAll(async () => {
  api = await new ScriptedTelegram().start();
});
afterAll(() => api.close());
beforeEach(() => {
  api.isRevoked = false;
});

const petra = { id: 7, first_name: "Petra", last_name: "Vogel", username: "petra" };
const connection = (more: Partial<Connection> = {}): Connection => ({
  channelId: "ch_1",
  name: "Lab",
  apiRoot: api.url,
  allowedPrivateHosts: [api.host],
  offset: null,
  credentials: { kind: "telegram", token: BOT_TOKEN, receive: "polling" },
  username: "@ringmaster_lab_bot",
  hookUrl: "https://ring.example/hooks/channels/ch_1",
  ...more,
});

test("the test says who the bot is; a revoked token is refused, and a private address that is not listed, too", async () => {
  const { signal } = new AbortController();
  expect(await telegram.test(connection(), signal)).toEqual({ username: "@ringmaster_lab_bot" });
  await expect(telegram.test(connection({ allowedPrivateHosts: [] }), signal)).rejects.toThrow("private address");
  api.isRevoked = true;
  await expect(telegram.test(connection(), signal)).rejects.toThrow(ChannelRefused);
});

test("an error of a call contains neither the token nor what was to be sent", async () => {
  const closed = await new ScriptedTelegram().start();
  const away = connection({ apiRoot: closed.url, allowedPrivateHosts: [closed.host] });
  await closed.close();
  const secret = "The numbers of the quarter";
  const failed = [
    telegram.send(away, "7", { text: secret }),
    telegram.send(connection(), "7", { text: `${secret} ${"x".repeat(5_000)}` }),
  ];
  for (const outcome of await Promise.allSettled(failed)) {
    expect(outcome.status).toBe("rejected");
    const shown = inspect(outcome, { depth: 10 });
    expect(shown).not.toContain(BOT_TOKEN);
    expect(shown).not.toContain(secret);
  }
});

test("polling gives each update once it is stored, from the offset on, until it is stopped", async () => {
  const stop = new AbortController();
  const seen: InboundUpdate[] = [];
  const first = api.say({ from: petra, text: "hello" });
  const group = { id: -5, title: "Office" };
  api.say({ from: petra, group, text: "@Ringmaster_Lab_bot what is new?" });
  await telegram.start(
    connection({ offset: "100" }),
    async (update) => {
      seen.push(update);
      if (seen.length === 2) stop.abort();
    },
    stop.signal,
  );
  expect(seen).toMatchObject([
    {
      id: String(first),
      offset: String(first + 1),
      message: {
        chat: { id: "7", kind: "direct", name: "@petra" },
        sender: { id: "7", name: "Petra Vogel" },
        text: "hello",
      },
    },
    { message: { chat: { id: "-5", kind: "group", name: "Office" }, text: "what is new?", isMentioned: true } },
  ]);
  expect(api.callsOf("getUpdates")[0]?.payload.offset).toBe(100);
});

test("a message has its buttons, is edited in place, and files go with it", async () => {
  const buttons = [[{ label: "Allow once", data: "a" }], [{ label: "Open", url: "https://ring.example/inbox" }]];
  const { messageId } = await telegram.send(connection(), "7", { text: "**Run** `ls <x>`?", buttons });
  const shown = api.messages.find((message) => String(message.messageId) === messageId);
  expect(shown).toMatchObject({ html: "<b>Run</b> <code>ls &lt;x&gt;</code>?", buttons: [[{ data: "a" }], [{}]] });
  await telegram.edit(connection(), "7", messageId, { text: "✓ Allowed" });
  expect(shown).toMatchObject({ text: "✓ Allowed", buttons: [] });
  await telegram.send(connection(), "7", {
    text: "",
    files: [{ name: "a.txt", bytes: new TextEncoder().encode("A") }],
  });
  expect(api.messages.at(-1)?.file?.name).toBe("a.txt");
});

test("429 says how long to wait", async () => {
  api.busy.set("sendMessage", { times: 1, seconds: 31 });
  const busy = await telegram.send(connection(), "7", { text: "hi" }).catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(ChannelBusy);
  expect((busy as ChannelBusy).retryAfterSeconds).toBe(31);
});

test("a request to the hook counts only with the secret that Telegram was given", async () => {
  const body = new TextEncoder().encode(JSON.stringify(api.message({ from: petra, text: "hi" })));
  const parse = (secret: string) =>
    telegram.parse(connection(), { headers: new Headers({ "x-telegram-bot-api-secret-token": secret }), body });
  await expect(parse("wrong")).rejects.toThrow(ChannelForged);
  const { updates, response } = await parse(hookSecret(connection()));
  expect([updates[0]?.message?.text, response.status]).toEqual(["hi", 200]);
});

test.each(["", "{", "null", "7", "[]", '{"update_id":"x"}', '{"message":{}}', "\u0000"])(
  "a request to the hook that holds no update is taken, so that Telegram does not send it for ever: %j",
  async (text) => {
    const headers = new Headers({ "x-telegram-bot-api-secret-token": hookSecret(connection()) });
    const { updates, response } = await telegram.parse(connection(), { headers, body: new TextEncoder().encode(text) });
    expect([updates, response.status]).toEqual([[], 200]);
  },
);

test("an update that can't be read never holds up the others; nothing but such ones is an error, not asked for again at once", async () => {
  const own = await new ScriptedTelegram().start();
  try {
    const place = connection({ apiRoot: own.url, allowedPrivateHosts: [own.host] });
    const odd = { update_id: "x" } as unknown as { update_id: number };
    own.bring(odd, { ...own.message({ from: petra, text: "one", more: { entities: 7 } }) });
    own.say({ from: petra, text: "two" });
    const stop = new AbortController();
    const texts: (string | undefined)[] = [];
    const receive = async ({ message }: InboundUpdate) => {
      texts.push(message?.text);
      if (texts.length === 2) stop.abort();
    };
    await telegram.start(place, receive, stop.signal);
    expect(texts).toEqual(["one", "two"]);
    own.bring(odd);
    const alone = telegram.start({ ...place, offset: "1000" }, receive, new AbortController().signal);
    await expect(alone).rejects.toThrow("can't be read");
  } finally {
    await own.close();
  }
});

test("a text of 10,000 characters with a block of code of 6,000 arrives in whole blocks, nothing lost", async () => {
  const line = "const answer = 42; // a line of code";
  const code = Array.from({ length: 165 }, (_, index) => `${line} ${index}`).join("\n");
  const text = `${"Before. ".repeat(250)}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${"After. ".repeat(250)}`;
  const parts = splitText(text, telegram.limits.textCharacters);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(4_096);
    expect(part.match(/^```/gm)?.length ?? 0).toSatisfy((count: number) => count % 2 === 0);
    await telegram.send(connection(), "8", { text: part });
  }
  const shown = api.sentTo(8);
  expect(shown).toHaveLength(parts.length);
  const codeShown = shown.flatMap(({ html }) => [...html.matchAll(/<code class="language-ts">([^<]*)</g)]);
  expect(codeShown.map(([, one]) => one).join("\n")).toBe(code);
});

test("a block of code that fits into one message stays whole, and a line without spaces is cut", () => {
  const block = `\`\`\`\n${"x".repeat(60)}\n\`\`\``;
  expect(splitText(`${"a ".repeat(20)}\n${block}`, 80)).toEqual([`${"a ".repeat(20).trim()}`, block]);
  expect(splitText("y".repeat(25), 10)).toEqual(["y".repeat(10), "y".repeat(10), "y".repeat(5)]);
  expect(splitText("", 10)).toEqual([]);
});
