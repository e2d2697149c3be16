import { expect, test } from "vitest";
import { GET as getChannels } from "@/app/api/channels/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { POST as decideOn } from "@/app/api/runs/[runId]/decisions/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { CODE, STRANGER, telegramChats } from "@/lib/testing/channels/telegram-chats";
import { makePng } from "@/lib/testing/files/make-png";
import type { Person } from "@/lib/testing/servers/scripted-telegram";

const { api, server, gates, newPerson, openRuns, textsTo, lists, answeredBy, asked, paired } = telegramChats();
const typingChats = () => (server().services.states.get("channel-typing") as ReadonlyMap<string, unknown>).size;

test("a message starts a run in a thread of the person, whose answer comes back; the same update once more does not", async () => {
  const petra = await paired();
  const updateId = api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const again = api().message({ from: petra, text: "hello", updateId });
  api().bring(again);
  api().say({ from: petra, text: "/stop" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Nothing is running here.");
  const runs = await server().database.run.findMany({
    where: { ownerId: "member", originDetails: { contains: `"chatId":"${petra.id}"` } },
  });
  expect(runs).toMatchObject([{ origin: "channel", attended: true, status: "completed" }]);
  expect(textsTo(petra).filter((text) => text === "Hello from the agent.")).toHaveLength(1);
  expect(
    api()
      .callsOf("sendChatAction")
      .some(({ payload }) => payload.chat_id === String(petra.id)),
  ).toBe(true);
  await expect.poll(() => typingChats()).toBe(0);
  const { links, lastId } = await lists();
  expect(links.find(({ id }) => id === lastId)?.threadId).toBe(runs[0]?.threadId);
});

test("an approval is a message with buttons: nobody else's press counts, the owner's does, and it then says who", async () => {
  const [petra, ana] = [await paired(), await paired("Ana", "admin")];
  api().say({ from: petra, text: "write" });
  await expect
    .poll(() =>
      api()
        .sentTo(petra.id)
        .at(-1)
        ?.buttons.flat()
        .map(({ text }) => text),
    )
    .toEqual(["Allow once", "Deny", "Open in the browser"]);
  const shown = await asked(petra);
  const data = shown.buttons[0]?.[0]?.data ?? "";
  expect(shown.text).toContain('write_file {"path":"a.txt","content":"A"}');
  const answers = () =>
    api()
      .callsOf("answerCallbackQuery")
      .map(({ payload }) => payload.text);
  api().bring(api().press(ana, { ...shown }, data));
  await expect.poll(() => answers().at(-1)).toBe("This button no longer works. Decide in the inbox.");
  const inChat = api().press(ana, shown, data);
  inChat.callback_query.message.chat = { type: "private", ...petra };
  api().bring(inChat);
  await expect.poll(() => answers().at(-1)).toMatch(/^Only \w+ can decide this\.$/);
  api().bring(api().press(petra, shown, "a.forged-forged-forged-forged"));
  await expect.poll(() => answers().at(-1)).toBe("This button no longer works. Decide in the inbox.");
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Decide above first, or /stop");
  api().bring(api().press(petra, shown, data));
  await expect.poll(() => shown.text).toMatch(/✓ Allowed by \w+ here, \d\d:\d\d$/);
  expect(shown.buttons).toEqual([]);
  await expect.poll(() => textsTo(petra).slice(-2)).toEqual(["Written.", "Hello from the agent."]);
  const { channels } = await (await server().call(getChannels, { as: "admin" })).json();
  expect(channels[0].turnedAway).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "other_person", count: 1 }),
      expect.objectContaining({ kind: "forged", count: 2 }),
    ]),
  );
});

test("a call that is not shown whole can only be denied in the chat, also with a made-up press of Allow", async () => {
  const petra = await paired();
  api().say({ from: petra, text: "long" });
  const shown = await asked(petra, 1);
  expect(shown.buttons.flat().map(({ text }) => text)).toEqual(["Open in the browser", "Deny"]);
  expect(shown.text).toContain("The whole call is on the page.");
  const deny = shown.buttons.flat().find(({ text }) => text === "Deny")?.data ?? "";
  api().bring(api().press(petra, shown, deny.replace(/^d\./, "a.")));
  const answers = () =>
    api()
      .callsOf("answerCallbackQuery")
      .map(({ payload }) => payload.text);
  await expect.poll(() => answers().at(-1)).toBe("The whole call is not shown here. Open it in the browser.");
  expect(await server().database.approval.count({ where: { status: "pending" } })).toBe(1);
  api().bring(api().press(petra, shown, deny));
  await expect.poll(() => shown.text).toMatch(/Denied by \w+ here/);
});

test("a decision in the browser changes the message, and so does a stop", async () => {
  const petra = await paired();
  api().say({ from: petra, text: "write" });
  const first = await asked(petra);
  const approval = await server().database.approval.findFirstOrThrow({ where: { status: "pending" } });
  const decided = await server().call(decideOn, {
    as: "member",
    params: { runId: approval.runId },
    body: { decisions: [{ tool_call_id: approval.toolCallId, decision: "deny" }], via: "page" },
  });
  expect(decided.status).toBe(200);
  await expect.poll(() => first.text).toMatch(/Denied by \w+ /);
  expect(first.buttons).toEqual([]);
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Written.");
  api().say({ from: petra, text: "write" });
  const second = await asked(petra);
  api().say({ from: petra, text: "/stop" });
  await expect.poll(() => second.text).toContain("No longer open: the run was stopped");
  expect(textsTo(petra).at(-1)).toBe("Stopped.");
});

test("a question with options is answered by one press", async () => {
  const petra = await paired();
  api().say({ from: petra, text: "ask" });
  const shown = await asked(petra, 3);
  api().bring(api().press(petra, shown, shown.buttons[1]?.[0]?.data ?? ""));
  await expect.poll(() => shown.text).toMatch(/✓ Answered by \w+ here/);
  await expect.poll(() => textsTo(petra).at(-1)).toBe("So be it.");
  expect(JSON.stringify(server().provider.requests.at(-1)?.body.messages?.at(-1))).toContain("Blue");
});

test("a long answer comes in parts whose blocks of code are whole, and a file reaches the workspace", async () => {
  const petra = await paired();
  const document = { name: "../notes.txt", bytes: new TextEncoder().encode("notes") };
  api().say({ from: petra, text: "code", document });
  const last = CODE.split("\n").at(-1) ?? "";
  await expect.poll(() => textsTo(petra).at(-1)).toContain(last);
  const parts = api().sentTo(petra.id).slice(1);
  expect(parts.length).toBeGreaterThan(1);
  const code = parts.flatMap(({ html }) => [...html.matchAll(/<pre>([^<]*)<\/pre>/g)].map(([, one]) => one));
  expect(code.join("\n")).toBe(CODE);
  const asked = JSON.stringify(server().provider.requests.at(-1)?.body.messages);
  expect(asked).toContain("uploads/notes.txt");
});

test("a picture sent into a chat reaches the model as a picture, as an upload in the browser does", async () => {
  const models = [{ id: "sees", vision: true }];
  const provider = { id: "eyes", kind: "openai-compatible", name: "Eyes", baseUrl: server().provider.url, models };
  expect((await server().call(addProvider, { as: "admin", body: provider })).status).toBe(201);
  const seeing = { name: "Sees", model: "eyes:sees", retries: 0, backend: { type: "state" } };
  await createAgent(server().services, { agentId: "sees", raw: seeing, createdById: null });
  const petra = await paired();
  await answeredBy("sees");
  const document = { name: "otter.png", bytes: new Uint8Array(makePng(3, 2)) };
  api().say({ from: petra, text: "hello", document });
  // The script knows texts only: it has no answer to one with a picture.
  await expect.poll(() => textsTo(petra).at(-1)).toBe("done");
  const asked = JSON.stringify(server().provider.requests.at(-1)?.body.messages);
  expect(asked).toContain("uploads/otter.png");
  expect(asked).toContain(`data:image/png;base64,${makePng(3, 2).toString("base64")}`);
});

test("an agent that a chat is handed to answers there, with its name first, and later messages go to it", async () => {
  const petra = await paired();
  await answeredBy("desk");
  api().say({ from: petra, text: "pass" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nFree here.");
  await expect.poll(() => openRuns()).toBe(0);
  const [handed] = await server().database.run.findMany({ where: { origin: "handoff" } });
  const firing = () => server().database.firing.findFirst({ where: { runId: handed?.id ?? "" } });
  await expect.poll(async () => (await firing())?.outcome).toBe("completed");
  api().say({ from: petra, text: "hello" });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Hello from the agent.");
  const latest = { where: { threadId: handed?.threadId ?? "" }, orderBy: { position: "desc" } } as const;
  expect(await server().database.run.findFirst(latest)).toMatchObject({ agentId: "free", origin: "channel" });
});

test("while the agent that a chat is handed to works, the chat shows it typing; then it stops", async () => {
  const petra = await paired();
  await answeredBy("desk");
  const gate = Promise.withResolvers<void>();
  gates.set("pass", gate);
  const typed = () =>
    api()
      .callsOf("sendChatAction")
      .filter(({ payload }) => payload.chat_id === String(petra.id)).length;
  api().say({ from: petra, text: "pass" });
  await expect.poll(() => server().database.run.count({ where: { origin: "handoff", endedAt: null } })).toBe(1);
  await expect.poll(typed).toBe(2);
  expect(typingChats()).toBe(1);
  gate.resolve();
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Free\nFree here.");
  await expect.poll(() => typingChats()).toBe(0);
});

test("in a group a paired person's mention starts a run in a thread of its own, three at once; others hear one sentence once", async () => {
  const group = { id: -77, title: "Office" };
  const people = [await paired("Ada"), await paired("Ben", "admin"), await paired("Cid"), await paired("Dan", "admin")];
  const stranger = newPerson("Zoe");
  const inGroup = () =>
    api()
      .sentTo(group.id)
      .map(({ text }) => text);
  const mention = "@ringmaster_lab_bot";
  api().say({ from: stranger, group, text: `${mention} hello` });
  api().say({ from: stranger, group, text: `${mention} hello?` });
  api().say({ from: people[0] as Person, group, text: "hello everyone" });
  const gate = Promise.withResolvers<void>();
  gates.set("slow", gate);
  for (const from of people) api().say({ from, group, text: `${mention} slow` });
  const runs = () =>
    server().database.run.findMany({
      where: { originDetails: { contains: '"chatId":"-77"' } },
      orderBy: { createdAt: "asc" },
    });
  const waiting = () => server().database.firing.count({ where: { state: "claimed" } });
  await expect.poll(async () => [(await runs()).length, await waiting()]).toEqual([3, 1]);
  gate.resolve();
  await expect.poll(() => inGroup().filter((text) => text.includes("Late.")).length).toBe(4);
  expect(new Set((await runs()).map(({ threadId }) => threadId)).size).toBe(4);
  expect(inGroup().filter((text) => text === STRANGER)).toHaveLength(1);
  expect(JSON.stringify(server().provider.requests.at(-1)?.body.messages)).toMatch(/(Ada|Ben|Cid|Dan): slow/);
});
