import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { POST as restore } from "@/app/api/channel-links/[linkId]/restore/route";
import { PATCH as changeAgent, DELETE as unlink } from "@/app/api/channel-links/[linkId]/route";
import { POST as addLink, GET as getLinks } from "@/app/api/channel-links/route";
import { POST as testChannel } from "@/app/api/channels/[channelId]/test/route";
import { POST as addChannel, GET as getChannels } from "@/app/api/channels/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { POST as decideOn } from "@/app/api/runs/[runId]/decisions/route";
import { POST as sendMessage } from "@/app/api/threads/[threadId]/messages/route";
import { POST as hook } from "@/app/hooks/channels/[channelId]/route";
import type { Channel } from "@/lib/schema/channels/channel";
import type { ChannelLinkList } from "@/lib/schema/channels/channel-link";
import { createAgent } from "@/lib/server/agents/publish-version";
import { processState } from "@/lib/server/platform/process-state";
import { createThread } from "@/lib/server/threads/change-thread";
import { openChannel } from "@/lib/server/triggers/channels/connection";
import { forgetUnlinked } from "@/lib/server/triggers/channels/links/unlink";
import { readUpdates } from "@/lib/server/triggers/channels/telegram/read-update";
import { deliver } from "@/lib/server/triggers/deliver";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { makePng } from "@/lib/testing/files/make-png";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, type Person, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";
import { startChannels, stopChannels } from "./hold-channels";
import { receiveUpdate } from "./receive-update";

const STRANGER = "I don't know this code. Get one in Ringmaster, Settings, Channels.";
const CODE = Array.from({ length: 200 }, (_, index) => `line ${index} of the block of code`).join("\n");

let api: ScriptedTelegram;
let server: RunServer;
let channel: Channel;
const gates = new Map<string, PromiseWithResolvers<void>>();

beforeAll(async () => {
  api = await new ScriptedTelegram().start();
  const turns = scriptedTurns({
    hello: [{ text: "Hello from the agent." }],
    write: [{ calls: [{ name: "write_file", args: { path: "a.txt", content: "A" } }] }, { text: "Written." }],
    ask: [
      { calls: [{ name: "ask_user", args: { questions: [{ question: "Which one?", options: ["Red", "Blue"] }] } }] },
      { text: "So be it." },
    ],
    long: [
      { calls: [{ name: "write_file", args: { path: "long.txt", content: "A".repeat(6_000) } }] },
      { text: "Written." },
    ],
    code: [{ text: `Here it is:\n\n\`\`\`\n${CODE}\n\`\`\`` }],
    slow: [{ text: "Late." }],
    tell: [
      { calls: [{ name: "write_file", args: { path: "b.md", content: "B" } }] },
      { calls: [{ name: "message", args: { text: "Half way.", to: "last", files: ["b.md"] } }] },
      { text: "All done." },
    ],
    note: [{ calls: [{ name: "message", args: { text: "Half way." } }] }, { text: "All done." }],
    burst: [
      { calls: ["One.", "Two.", "Three.", "Four."].map((text) => ({ name: "message", args: { text } })) },
      { text: "All done." },
    ],
    pass: [{ calls: [{ name: "handoff", args: { agent: "free", reason: "It is free." } }] }, { text: "Free here." }],
    spread: [{ calls: [{ name: "message", args: { text: "To all.", to: "Everyone" } }] }, { text: "Told." }],
  });
  server = await startRunServer(
    (request) => {
      const said = String(request.messages?.findLast(({ role }) => role === "user")?.content);
      const [word = ""] = said.replace(/^\w+: /, "").split("\n");
      const messages = (request.messages ?? []).map((one) => (one.content === said ? { ...one, content: word } : one));
      const isDesk = request.tools?.some(({ function: { name } }) => name === "handoff");
      const gate = gates.get(isDesk ? `${word} at the desk` : word);
      return { ...turns({ ...request, messages }), ...(gate === undefined ? {} : { gate: gate.promise }) };
    },
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host, RINGMASTER_PUBLIC_URL: "https://ring.example" },
  );
  const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
  const base = { model: "scripted:m", retries: 0, backend: { type: "state" }, tools: ["ask_user", "message"] };
  await createAgent({ agentId: "asks", raw: { ...base, name: "Asks", permissions }, createdById: null });
  const free = { ...base, name: "Free", permissions: { enabled: false } };
  await createAgent({ agentId: "free", raw: free, createdById: null });
  const desk = { ...base, name: "Desk", delegates: ["free"] };
  await createAgent({ agentId: "desk", raw: desk, createdById: null });
  const body = { kind: "telegram", name: "Lab", agentId: "asks", token: BOT_TOKEN, apiRoot: api.url };
  const added = await server.call(addChannel, { as: "admin", body });
  expect(added.status).toBe(201);
  channel = await added.json();
  await startChannels(server.database, { loadCompaction });
});
afterAll(async () => {
  await stopChannels();
  await server.close();
  await api.close();
});
afterEach(() => gates.clear());

let lastPerson = 100;
const newPerson = (name = "Petra"): Person => ({ id: ++lastPerson, first_name: name, username: name.toLowerCase() });
const openRuns = () => server.database.run.count({ where: { endedAt: null, status: { not: "waiting" } } });
const textsTo = ({ id }: Person) => api.sentTo(id).map(({ text }) => text);
const lists = async (as: "member" | "admin" = "member"): Promise<ChannelLinkList> =>
  (await server.call(getLinks, { as })).json();

async function codeFor(as: "member" | "admin"): Promise<string> {
  const reply = await server.call(addLink, { as, body: { channelId: channel.id } });
  return ((await reply.json()) as { code: string }).code;
}

/** From now on in the chat that was linked last. */
async function answeredBy(agentId: string): Promise<void> {
  const { id: linkId } = await server.database.channelLink.findFirstOrThrow({ orderBy: { verifiedAt: "desc" } });
  const choice = { as: "member", method: "PATCH", params: { linkId }, body: { agentId } } as const;
  expect((await server.call(changeAgent, choice)).status).toBe(200);
}

/** The newest message to the person, once it has that many rows of buttons and is stored: presses then count. */
async function asked({ id }: Person, rows = 2) {
  await expect.poll(() => api.sentTo(id).at(-1)?.buttons.length).toBe(rows);
  const where = { channelId: channel.id, externalChat: String(id), isOpen: true };
  await expect.poll(() => server.database.channelMessage.count({ where })).toBe(1);
  const shown = api.sentTo(id).at(-1);
  if (!shown) throw new Error("There is no question.");
  return shown;
}

async function paired(name = "Petra", as: "member" | "admin" = "member"): Promise<Person> {
  const person = newPerson(name);
  api.say({ from: person, text: await codeFor(as) });
  await expect.poll(() => textsTo(person).at(-1)).toContain("Linked to");
  return person;
}

test("an unknown sender gets one fixed sentence; a code links the chat once, and another chat not at all", async () => {
  const [petra, other] = [newPerson(), newPerson("Otto")];
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra)).toEqual([STRANGER]);
  const code = await codeFor("member");
  api.say({ from: petra, text: `/start ${code.replace(" ", "")}` });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("Linked to");
  api.say({ from: other, text: code });
  await expect.poll(() => textsTo(other)).toEqual([STRANGER]);
  expect((await lists()).links).toMatchObject([{ chatName: "@petra", chatKind: "direct", agentId: "asks" }]);
  expect(server.provider.requests).toEqual([]);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toMatchObject([{ kind: "stranger", count: 2 }]);
});

test("a code is no longer good after ten minutes", async () => {
  const petra = newPerson();
  const code = await codeFor("member");
  const row = await server.database.channel.findUniqueOrThrow({ where: { id: channel.id } });
  const { connection } = await openChannel(row);
  for (const update of readUpdates(connection, [api.message({ from: petra, text: code })])) {
    await receiveUpdate(
      server.database,
      channel.id,
      update,
      { loadCompaction },
      new Date(Date.now() + 10 * 60_000 + 1),
    );
  }
  expect(textsTo(petra)).toEqual([STRANGER]);
});

test("a message starts a run in a thread of the person, whose answer comes back; the same update once more does not", async () => {
  const petra = await paired();
  const updateId = api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const again = api.message({ from: petra, text: "hello", updateId });
  api.bring(again);
  api.say({ from: petra, text: "/stop" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Nothing is running here.");
  const runs = await server.database.run.findMany({
    where: { ownerId: "member", originDetails: { contains: `"chatId":"${petra.id}"` } },
  });
  expect(runs).toMatchObject([{ origin: "channel", attended: true, status: "completed" }]);
  expect(textsTo(petra).filter((text) => text === "Hello from the agent.")).toHaveLength(1);
  expect(api.callsOf("sendChatAction").some(({ payload }) => payload.chat_id === String(petra.id))).toBe(true);
  await expect.poll(() => processState("channel-typing", () => new Map()).size).toBe(0);
  const { links, lastId } = await lists();
  expect(links.find(({ id }) => id === lastId)?.threadId).toBe(runs[0]?.threadId);
});

test("an approval is a message with buttons: nobody else's press counts, the owner's does, and it then says who", async () => {
  const [petra, ana] = [await paired(), await paired("Ana", "admin")];
  api.say({ from: petra, text: "write" });
  await expect
    .poll(() =>
      api
        .sentTo(petra.id)
        .at(-1)
        ?.buttons.flat()
        .map(({ text }) => text),
    )
    .toEqual(["Allow once", "Deny", "Open in the browser"]);
  const shown = await asked(petra);
  const data = shown.buttons[0]?.[0]?.data ?? "";
  expect(shown.text).toContain('write_file {"path":"a.txt","content":"A"}');
  const answers = () => api.callsOf("answerCallbackQuery").map(({ payload }) => payload.text);
  api.bring(api.press(ana, { ...shown }, data));
  await expect.poll(() => answers().at(-1)).toBe("This button no longer works. Decide in the inbox.");
  const inChat = api.press(ana, shown, data);
  inChat.callback_query.message.chat = { type: "private", ...petra };
  api.bring(inChat);
  await expect.poll(() => answers().at(-1)).toMatch(/^Only \w+ can decide this\.$/);
  api.bring(api.press(petra, shown, "a.forged-forged-forged-forged"));
  await expect.poll(() => answers().at(-1)).toBe("This button no longer works. Decide in the inbox.");
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Decide above first, or /stop");
  api.bring(api.press(petra, shown, data));
  await expect.poll(() => shown.text).toMatch(/✓ Allowed by \w+ here, \d\d:\d\d$/);
  expect(shown.buttons).toEqual([]);
  await expect.poll(() => textsTo(petra).slice(-2)).toEqual(["Written.", "Hello from the agent."]);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "other_person", count: 1 }),
      expect.objectContaining({ kind: "forged", count: 2 }),
    ]),
  );
});

test("a call that is not shown whole can only be denied in the chat, also with a made-up press of Allow", async () => {
  const petra = await paired();
  api.say({ from: petra, text: "long" });
  const shown = await asked(petra, 1);
  expect(shown.buttons.flat().map(({ text }) => text)).toEqual(["Open in the browser", "Deny"]);
  expect(shown.text).toContain("The whole call is on the page.");
  const deny = shown.buttons.flat().find(({ text }) => text === "Deny")?.data ?? "";
  api.bring(api.press(petra, shown, deny.replace(/^d\./, "a.")));
  const answers = () => api.callsOf("answerCallbackQuery").map(({ payload }) => payload.text);
  await expect.poll(() => answers().at(-1)).toBe("The whole call is not shown here. Open it in the browser.");
  expect(await server.database.approval.count({ where: { status: "pending" } })).toBe(1);
  api.bring(api.press(petra, shown, deny));
  await expect.poll(() => shown.text).toMatch(/Denied by \w+ here/);
});

test("a sender who pairs again belongs to the new person alone, in the groups of before too", async () => {
  const petra = await paired();
  const group = { id: -78, title: "Lab" };
  const greet = () => api.say({ from: petra, group, text: "@ringmaster_lab_bot hello" });
  const owners = async () => {
    const where = { originDetails: { contains: '"chatId":"-78"' }, status: "completed" };
    const runs = await server.database.run.findMany({ where, orderBy: { createdAt: "asc" } });
    return runs.map(({ ownerId }) => ownerId);
  };
  greet();
  await expect.poll(owners).toEqual(["member"]);
  const direct = await server.database.channelLink.findFirstOrThrow({ where: { externalChat: String(petra.id) } });
  await server.call(unlink, { as: "member", method: "DELETE", params: { linkId: direct.id } });
  api.say({ from: petra, text: await codeFor("admin") });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("Linked to");
  await expect.poll(() => server.database.channelLink.count({ where: { externalChat: "-78" } })).toBe(0);
  greet();
  await expect.poll(owners).toEqual(["member", "admin"]);
});

test("a decision in the browser changes the message, and so does a stop", async () => {
  const petra = await paired();
  api.say({ from: petra, text: "write" });
  const first = await asked(petra);
  const approval = await server.database.approval.findFirstOrThrow({ where: { status: "pending" } });
  const decided = await server.call(decideOn, {
    as: "member",
    params: { runId: approval.runId },
    body: { decisions: [{ tool_call_id: approval.toolCallId, decision: "deny" }], via: "page" },
  });
  expect(decided.status).toBe(200);
  await expect.poll(() => first.text).toMatch(/Denied by \w+ /);
  expect(first.buttons).toEqual([]);
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Written.");
  api.say({ from: petra, text: "write" });
  const second = await asked(petra);
  api.say({ from: petra, text: "/stop" });
  await expect.poll(() => second.text).toContain("No longer open: the run was stopped");
  expect(textsTo(petra).at(-1)).toBe("Stopped.");
});

test("a question with options is answered by one press", async () => {
  const petra = await paired();
  api.say({ from: petra, text: "ask" });
  const shown = await asked(petra, 3);
  api.bring(api.press(petra, shown, shown.buttons[1]?.[0]?.data ?? ""));
  await expect.poll(() => shown.text).toMatch(/✓ Answered by \w+ here/);
  await expect.poll(() => textsTo(petra).at(-1)).toBe("So be it.");
  expect(JSON.stringify(server.provider.requests.at(-1)?.body.messages?.at(-1))).toContain("Blue");
});

test("a long answer comes in parts whose blocks of code are whole, and a file reaches the workspace", async () => {
  const petra = await paired();
  const document = { name: "../notes.txt", bytes: new TextEncoder().encode("notes") };
  api.say({ from: petra, text: "code", document });
  const last = CODE.split("\n").at(-1) ?? "";
  await expect.poll(() => textsTo(petra).at(-1)).toContain(last);
  const parts = api.sentTo(petra.id).slice(1);
  expect(parts.length).toBeGreaterThan(1);
  const code = parts.flatMap(({ html }) => [...html.matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, one]) => one));
  expect(code.join("\n")).toBe(CODE);
  const asked = JSON.stringify(server.provider.requests.at(-1)?.body.messages);
  expect(asked).toContain("uploads/notes.txt");
});

test("a picture sent into a chat reaches the model as a picture, as an upload in the browser does", async () => {
  const models = [{ id: "sees", vision: true }];
  const provider = { id: "eyes", kind: "openai-compatible", name: "Eyes", baseUrl: server.provider.url, models };
  expect((await server.call(addProvider, { as: "admin", body: provider })).status).toBe(201);
  const seeing = { name: "Sees", model: "eyes:sees", retries: 0, backend: { type: "state" } };
  await createAgent({ agentId: "sees", raw: seeing, createdById: null });
  const petra = await paired();
  await answeredBy("sees");
  const document = { name: "otter.png", bytes: new Uint8Array(makePng(3, 2)) };
  api.say({ from: petra, text: "hello", document });
  // The script knows texts only: it has no answer to one with a picture.
  await expect.poll(() => textsTo(petra).at(-1)).toBe("done");
  const asked = JSON.stringify(server.provider.requests.at(-1)?.body.messages);
  expect(asked).toContain("uploads/otter.png");
  expect(asked).toContain(`data:image/png;base64,${makePng(3, 2).toString("base64")}`);
});

test("an agent that a chat is handed to answers there, with its name first, and later messages go to it", async () => {
  const petra = await paired();
  await answeredBy("desk");
  api.say({ from: petra, text: "pass" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nFree here.");
  await expect.poll(() => openRuns()).toBe(0);
  const [handed] = await server.database.run.findMany({ where: { origin: "handoff" } });
  const firing = () => server.database.firing.findFirst({ where: { runId: handed?.id ?? "" } });
  await expect.poll(async () => (await firing())?.outcome).toBe("completed");
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const latest = { where: { threadId: handed?.threadId ?? "" }, orderBy: { position: "desc" } } as const;
  expect(await server.database.run.findFirst(latest)).toMatchObject({ agentId: "free", origin: "channel" });
});

test("while the agent that a chat is handed to works, the chat shows it typing; then it stops", async () => {
  const petra = await paired();
  await answeredBy("desk");
  const gate = Promise.withResolvers<void>();
  gates.set("pass", gate);
  const typed = () =>
    api.callsOf("sendChatAction").filter(({ payload }) => payload.chat_id === String(petra.id)).length;
  api.say({ from: petra, text: "pass" });
  await expect.poll(() => server.database.run.count({ where: { origin: "handoff", endedAt: null } })).toBe(1);
  await expect.poll(typed).toBe(2);
  expect(processState("channel-typing", () => new Map()).size).toBe(1);
  gate.resolve();
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nFree here.");
  await expect.poll(() => processState("channel-typing", () => new Map()).size).toBe(0);
});

test("429 is waited for and does not count as an attempt", async () => {
  const petra = await paired();
  api.busy.set("sendMessage", { times: 1, seconds: 31 });
  api.say({ from: petra, text: "hello" });
  const find = () =>
    server.database.delivery.findFirst({
      where: { target: { startsWith: '{"channel"' } },
      orderBy: { createdAt: "desc" },
    });
  await expect.poll(async () => (await find())?.error).toContain("retry after 31");
  const row = await find();
  expect(row).toMatchObject({ state: "pending", attempts: 0 });
  const waitMs = (row?.nextAt?.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0);
  expect(waitMs).toBeGreaterThanOrEqual(31_000);
  await deliver(server.database, row?.id ?? "", new Date((row?.nextAt?.getTime() ?? 0) + 1));
  expect(textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0]).toMatchObject({ waitedSeconds: 31 });
});

test("the next answer does not overtake one that Telegram has delayed", async () => {
  const petra = await paired();
  api.busy.set("sendMessage", { times: 1, seconds: 1 });
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => api.busy.get("sendMessage")?.times).toBe(0);
  api.say({ from: petra, text: "slow" });
  await expect.poll(() => textsTo(petra).slice(-2), { timeout: 10_000 }).toEqual(["Hello from the agent.", "Late."]);
});

test("several messages of one step arrive in the order of their calls", async () => {
  const petra = await paired();
  await answeredBy("free");
  api.say({ from: petra, text: "burst" });
  await expect.poll(() => textsTo(petra).slice(-4).join(" "), { timeout: 10_000 }).toBe("One. Two. Three. Four.");
});

test("what was sent but not recorded is sent once more marked (again), and never a third time", async () => {
  const petra = await paired();
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const { database } = server;
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
    await deliver(database, row.id, now);
  };
  await database.delivery.update({ where: { id: row.id }, data: { state: "pending" } });
  // The service asks to wait: the message may still have arrived before.
  api.busy.set("sendMessage", { times: 1, seconds: 9 });
  await killed();
  const { nextAt } = await database.delivery.findUniqueOrThrow({ where: { id: row.id } });
  await deliver(database, row.id, new Date((nextAt?.getTime() ?? 0) + 1));
  expect(textsTo(petra).at(-1)).toBe("(again) Hello from the agent.");
  const before = textsTo(petra).length;
  await killed();
  expect(textsTo(petra)).toHaveLength(before);
  expect(await database.delivery.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
    state: "uncertain",
    nextAt: null,
  });
});

test("in a group a paired person's mention starts a run in a thread of its own, three at once; others hear one sentence once", async () => {
  const group = { id: -77, title: "Office" };
  const people = [await paired("Ada"), await paired("Ben", "admin"), await paired("Cid"), await paired("Dan", "admin")];
  const stranger = newPerson("Zoe");
  const inGroup = () => api.sentTo(group.id).map(({ text }) => text);
  const mention = "@ringmaster_lab_bot";
  api.say({ from: stranger, group, text: `${mention} hello` });
  api.say({ from: stranger, group, text: `${mention} hello?` });
  api.say({ from: people[0] as Person, group, text: "hello everyone" });
  const gate = Promise.withResolvers<void>();
  gates.set("slow", gate);
  for (const from of people) api.say({ from, group, text: `${mention} slow` });
  const runs = () =>
    server.database.run.findMany({
      where: { originDetails: { contains: '"chatId":"-77"' } },
      orderBy: { createdAt: "asc" },
    });
  const waiting = () => server.database.firing.count({ where: { state: "claimed" } });
  await expect.poll(async () => [(await runs()).length, await waiting()]).toEqual([3, 1]);
  gate.resolve();
  await expect.poll(() => inGroup().filter((text) => text.includes("Late.")).length).toBe(4);
  expect(new Set((await runs()).map(({ threadId }) => threadId)).size).toBe(4);
  expect(inGroup().filter((text) => text === STRANGER)).toHaveLength(1);
  expect(JSON.stringify(server.provider.requests.at(-1)?.body.messages)).toMatch(/(Ada|Ben|Cid|Dan): slow/);
});

test("the tool message says something at once, with a file, and is not said twice; an answer to it goes to its thread", async () => {
  const petra = await paired();
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const { id: threadId } = await createThread({ id: "member" }, "free");
  const sent = await server.call(sendMessage, { as: "member", params: { threadId }, body: { content: "tell" } });
  expect(sent.status).toBe(202);
  await expect.poll(() => api.sentTo(petra.id).at(-1)?.file?.name).toBe("b.md");
  expect(textsTo(petra).at(-2)).toBe("Free\nHalf way.");
  const results = JSON.stringify(server.provider.requests.at(-1)?.body.messages?.at(-1)?.content);
  const link = await server.database.channelLink.findFirstOrThrow();
  expect(JSON.parse(JSON.parse(results))).toEqual({
    delivered_to: link.chatName,
    state: expect.stringMatching(/^(pending|sent)$/),
  });
  const spoken = api.sentTo(petra.id).at(-2)?.messageId;
  api.say({ from: petra, text: "hello", replyTo: spoken ?? 0 });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nHello from the agent.");
  const asked = await server.database.run.findMany({ where: { threadId }, orderBy: { position: "asc" } });
  expect(asked.map(({ origin }) => origin)).toEqual(["api", "channel"]);
  api.say({ from: petra, text: "note" });
  await expect.poll(() => textsTo(petra).filter((text) => text === "Half way.")).toHaveLength(1);
  await expect.poll(() => openRuns()).toBe(0);
  api.say({ from: petra, text: "/stop" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Nothing is running here.");
  expect(textsTo(petra)).not.toContain("All done.");
});

test("a message to a group asks also where permissions are off, and the model knows how a chat is written", async () => {
  const petra = await paired();
  const group = { id: -99, title: "Everyone" };
  api.say({ from: petra, group, text: "@ringmaster_lab_bot hello" });
  await expect.poll(() => api.sentTo(group.id).at(-1)?.text).toContain("Hello");
  const asked = JSON.stringify(server.provider.requests.at(-1)?.body.messages?.[0]);
  expect(asked).toContain("Your answer is read in the group “Everyone” (telegram)");
  const { id: threadId } = await createThread({ id: "member" }, "free");
  await server.call(sendMessage, { as: "member", params: { threadId }, body: { content: "spread" } });
  await expect.poll(() => server.database.approval.count({ where: { threadId, status: "pending" } })).toBe(1);
  expect(api.sentTo(group.id).some(({ text }) => text.includes("To all."))).toBe(false);
});

test("a schedule brings its result to the chat that was used last, and notifies who has none", async () => {
  const petra = await paired();
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const due = new Date();
  const told = { deliver: [{ channel: "last" }], prompt: "hello" };
  await addSchedule(server.database, told, { id: "trg1", ownerId: "member", agentId: "free", nextDueAt: due });
  await addSchedule(server.database, told, { id: "trg2", ownerId: "viewer", agentId: "free", nextDueAt: due });
  await server.database.user.update({ where: { id: "viewer" }, data: { role: "member" } });
  await fireTrigger(server.database, "trg1");
  await fireTrigger(server.database, "trg2");
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nHello from the agent.");
  const targets = () => server.database.delivery.findMany({ where: { triggerId: "trg2" }, select: { target: true } });
  await expect.poll(targets).toEqual([{ target: '{"notify":true}' }]);
  await server.database.user.update({ where: { id: "viewer" }, data: { role: "viewer" } });
});

test("/new begins another thread, and an unlinked chat is a stranger's again", async () => {
  const petra = await paired();
  const threadOf = async () =>
    (await lists()).links.find(({ chatName, lastUsedAt }) => chatName === "@petra" && lastUsedAt !== null && true)
      ?.threadId;
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const before = await threadOf();
  api.say({ from: petra, text: "/new" });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("begins a new thread");
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  expect(await threadOf()).not.toBe(before);
  const { links, lastId } = await lists();
  expect(links[0]?.id).toBe(lastId);
  expect((await server.call(unlink, { as: "member", method: "DELETE", params: { linkId: lastId ?? "" } })).status).toBe(
    204,
  );
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe(STRANGER);
});

test("an unlinked chat is linked again with its thread, by whoever unlinked it and for ten minutes only", async () => {
  const petra = await paired();
  const say = async (answers: number) => {
    api.say({ from: petra, text: "hello" });
    await expect.poll(() => textsTo(petra).filter((text) => text === "Hello from the agent.")).toHaveLength(answers);
  };
  await say(1);
  const [before] = (await lists()).links;
  const params = { linkId: before?.id ?? "" };
  const removeAs = (as: "member" | "admin") => server.call(unlink, { as, method: "DELETE", params });
  const restoreAs = (as: "member" | "admin") => server.call(restore, { as, params });
  expect((await restoreAs("member")).status).toBe(404);
  await removeAs("member");
  expect((await lists()).links.some(({ id }) => id === params.linkId)).toBe(false);
  expect((await restoreAs("admin")).status).toBe(404);
  expect(await (await restoreAs("member")).json()).toMatchObject({ id: before?.id, threadId: before?.threadId });
  await say(2);
  expect((await lists()).links[0]?.threadId).toBe(before?.threadId);
  expect(await server.database.run.count({ where: { threadId: before?.threadId ?? "" } })).toBe(2);

  await removeAs("admin");
  expect((await restoreAs("member")).status).toBe(404);
  const pausedAt = new Date(Date.now() - 10 * 60_000);
  await server.database.trigger.update({ where: { id: params.linkId }, data: { pausedAt } });
  expect((await restoreAs("admin")).status).toBe(404);
  await forgetUnlinked(server.database, new Date());
  expect(await server.database.trigger.count({ where: { id: params.linkId } })).toBe(0);
});

test("Undo does not link a chat twice if it has been linked again", async () => {
  const petra = await paired();
  const linkOf = async () => (await lists()).links.find(({ lastUsedAt }) => lastUsedAt === null)?.id ?? "";
  const linkId = await linkOf();
  await server.call(unlink, { as: "member", method: "DELETE", params: { linkId } });
  api.say({ from: petra, text: await codeFor("member") });
  await expect.poll(() => textsTo(petra).filter((text) => text.startsWith("Linked to"))).toHaveLength(2);
  const reply = await server.call(restore, { as: "member", params: { linkId } });
  expect([reply.status, (await reply.json()).error.message]).toEqual([409, "This chat has already been linked again."]);
  await server.call(unlink, { as: "member", method: "DELETE", params: { linkId: await linkOf() } });
  api.say({ from: petra, text: await codeFor("admin") });
  await expect.poll(() => textsTo(petra).filter((text) => text.startsWith("Linked to"))).toHaveLength(3);
  const other = await server.call(restore, { as: "member", params: { linkId } });
  expect((await other.json()).error.message).toBe("This chat is now linked to someone else.");
});

test("a deactivated owner's chat starts nothing and says so", async () => {
  const petra = await paired();
  await server.database.user.update({ where: { id: "member" }, data: { deactivatedAt: new Date() } });
  const before = await server.database.run.count();
  api.say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toContain("your account may not start runs");
  expect(await server.database.run.count()).toBe(before);
  await server.database.user.update({ where: { id: "member" }, data: { deactivatedAt: null } });
});

test("an unsigned request to the hook is refused and counted", async () => {
  const body = api.message({ from: newPerson(), text: "hello" });
  const reply = await server.call(hook, { params: { channelId: channel.id }, body });
  expect(reply.status).toBe(401);
  const { channels } = await (await server.call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toEqual(expect.arrayContaining([expect.objectContaining({ kind: "signature" })]));
});

test("a revoked token stands on the channel's page in the service's words, and stops the polling", async () => {
  api.isRevoked = true;
  api.bring();
  const read = async () =>
    ((await (await server.call(getChannels, { as: "admin" })).json()) as { channels: Channel[] }).channels[0];
  const refused = { state: "failed", error: "Telegram says: Unauthorized. Replace the token." };
  await expect.poll(read).toMatchObject(refused);
  const polls = api.refusedCalls;
  const test = await server.call(testChannel, { as: "admin", method: "POST", params: { channelId: channel.id } });
  expect(await test.json()).toMatchObject({ ok: false, error: refused.error });
  expect(await read()).toMatchObject(refused);
  expect(api.refusedCalls).toBe(polls + 1);
  api.isRevoked = false;
});
