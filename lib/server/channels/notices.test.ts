import { afterAll, beforeAll, expect, test } from "vitest";
import { DELETE as unlink } from "@/app/api/channel-links/[linkId]/route";
import { POST as addLink, GET as getLinks } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { PATCH as change, GET as show } from "@/app/api/notifications/route";
import { POST as decideOn } from "@/app/api/runs/[runId]/decisions/route";
import type { ChangeNotificationsBody, NotificationSettings } from "@/lib/schema/users/notification";
import { createAgent } from "@/lib/server/agents/publish-version";
import { deliver } from "@/lib/server/triggers/deliver";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { notifyOfRun } from "@/lib/server/triggers/notify/notify-run";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, type Person, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";
import { startChannels, stopChannels } from "./hold-channels";

let api: ScriptedTelegram;
let server: RunServer;
let channelId: string;

beforeAll(async () => {
  api = await new ScriptedTelegram().start();
  const call = { calls: [{ name: "write_file", args: { path: "a.txt", content: "A" } }] };
  server = await startRunServer(
    scriptedTurns({ hello: [{ text: "Hello from the agent." }], write: [call, { text: "Written." }] }),
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host, RINGMASTER_PUBLIC_URL: "https://ring.example" },
  );
  const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
  const base = { model: "scripted:m", retries: 0, backend: { type: "state" }, tools: [] };
  await createAgent(server.services, {
    agentId: "asks",
    raw: { ...base, name: "Asks", permissions },
    createdById: null,
  });
  const body = { kind: "telegram", name: "Lab", agentId: "asks", token: BOT_TOKEN, apiRoot: api.url };
  channelId = (await (await server.call(addChannel, { as: "admin", body })).json()).id;
  await startChannels(server.services, { loadCompaction });
});
afterAll(async () => {
  await stopChannels(server.services);
  await server.close();
  await api.close();
});

let lastPerson = 100;
const sentTo = ({ id }: Person) => api.sentTo(id);
const textsTo = (person: Person) => sentTo(person).map(({ text }) => text);
const labels = (person: Person) =>
  sentTo(person)
    .at(-1)
    ?.buttons.flat()
    .map(({ text }) => text);

/** The member's only chat from now on, with these choices. */
async function chatWith(body: ChangeNotificationsBody): Promise<Person> {
  for (const { id: linkId } of (await (await server.call(getLinks, { as: "member" })).json()).links) {
    await server.call(unlink, { as: "member", method: "DELETE", params: { linkId } });
  }
  const person: Person = { id: ++lastPerson, first_name: "Petra", username: "petra" };
  const { code } = await (await server.call(addLink, { as: "member", body: { channelId } })).json();
  api.say({ from: person, text: code });
  await expect.poll(() => textsTo(person).at(-1)).toContain("Linked to");
  await choose(body);
  return person;
}

async function choose(body: ChangeNotificationsBody): Promise<NotificationSettings> {
  const none = { page: false, push: false, email: false, channel: false };
  const ways = { decision: none, finished: none, failed: none, budget: none, ...body.ways };
  return (
    await server.call(change, { as: "member", method: "PATCH", body: { quietHours: null, ...body, ways } })
  ).json();
}

let schedules = 0;
/** Runs the member's agent by a schedule; resolves once the run waits or has ended. */
async function runBySchedule(prompt: string, config: Record<string, unknown> = {}): Promise<string> {
  const id = `trg${++schedules}`;
  const where = { id, ownerId: "member", agentId: "asks", nextDueAt: new Date() };
  await addSchedule(server.database, { prompt, ...config }, where);
  await fireTrigger(server.services, id);
  const find = () => server.database.firing.findFirst({ where: { triggerId: id }, select: { runId: true } });
  await expect.poll(async () => (await find())?.runId).toEqual(expect.any(String));
  const runId = (await find())?.runId ?? "";
  const status = async () => (await server.database.run.findUniqueOrThrow({ where: { id: runId } })).status;
  await expect.poll(status).toMatch(/^(waiting|completed)$/);
  return runId;
}

const notices = (runId: string) =>
  server.database.delivery.findMany({
    where: { runId, target: { startsWith: '{"chat":' } },
    orderBy: { createdAt: "asc" },
  });
const outcome = async (runId: string) => (await notices(runId)).map(({ state, error }) => [state, error]);

test("what a schedule's run waits for is asked in the chat, whose button decides and then says who did", async () => {
  const petra = await chatWith({ ways: { decision: { channel: true } }, words: "full" });
  const runId = await runBySchedule("write");
  await expect.poll(() => labels(petra)).toEqual(["Allow once", "Deny", "Open in the browser"]);
  const where = { externalChat: String(petra.id), isOpen: true };
  await expect.poll(() => server.database.channelMessage.count({ where })).toBe(1);
  const shown = sentTo(petra).at(-1);
  if (!shown) throw new Error("Nothing was sent.");
  expect(shown.text).toContain('write_file {"path":"a.txt","content":"A"}');
  await expect.poll(() => outcome(runId)).toEqual([["sent", null]]);
  api.bring(api.press(petra, shown, shown.buttons[0]?.[0]?.data ?? ""));
  await expect.poll(() => shown.text).toMatch(/✓ Allowed by \w+ here, \d\d:\d\d$/);
  expect(shown.buttons).toEqual([]);
});

test("a person who wants few words reads none of the call in the chat, not even once it is decided", async () => {
  const petra = await chatWith({ ways: { decision: { channel: true } }, words: "short" });
  const runId = await runBySchedule("write");
  await expect.poll(() => labels(petra)).toEqual(["Open in the browser", "Deny"]);
  const shown = sentTo(petra).at(-1);
  expect(shown?.text).toBe("Something is waiting for you");
  const { toolCallId: tool_call_id } = await server.database.approval.findFirstOrThrow({ where: { runId } });
  const body = { decisions: [{ tool_call_id, run_id: runId, decision: "allow" }] };
  await server.call(decideOn, { as: "member", params: { runId }, body });
  await expect.poll(() => shown?.text).toMatch(/^Something is waiting for you\n\n✓ Allowed by \w+/);
});

test("a chat whose run asks and answers there is not told a second time", async () => {
  const all = { channel: true };
  const petra = await chatWith({ ways: { decision: all, finished: all, failed: all }, words: "full" });
  api.say({ from: petra, text: "write" });
  await expect.poll(() => labels(petra)).toEqual(["Allow once", "Deny", "Open in the browser"]);
  const { id, runId } = await server.database.approval.findFirstOrThrow({
    where: { status: "pending", run: { origin: "channel" } },
  });
  const row = () => server.database.delivery.count({ where: { runId, state: "failed" } });
  await expect.poll(row).toBe(1);
  expect(await outcome(runId)).toEqual([["failed", "Not sent: the run itself writes to this chat."]]);
  await expect.poll(() => server.database.channelMessage.count({ where: { approvalId: id } })).toBe(1);
  api.say({ from: petra, text: "/stop" });
  await expect.poll(() => textsTo(petra).at(-1)).toMatch(/[Ss]topped/);

  const told = await runBySchedule("hello", { deliver: [{ channel: "last" }] });
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Asks\nHello from the agent.");
  await expect.poll(() => outcome(told)).toEqual([["failed", "Not sent: the run itself writes to this chat."]]);
});

test("the end of a run is told in the chat with a way to its thread", async () => {
  const petra = await chatWith({ ways: { finished: { channel: true } }, words: "full" });
  const runId = await runBySchedule("hello");
  await expect.poll(() => textsTo(petra).at(-1)).toBe("Asks has finished\nHello from the agent.");
  const { threadId } = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  expect(sentTo(petra).at(-1)?.buttons.flat()).toMatchObject([{ url: `https://ring.example/threads/${threadId}` }]);
});

test("in quiet hours a chat is told nothing, and afterwards everything in one message", async () => {
  const hour = (by: number) => `${String((new Date().getHours() + by + 24) % 24).padStart(2, "0")}:00`;
  const quietHours = { from: hour(-2), to: hour(2), decisionsPass: false, summary: true };
  const petra = await chatWith({ ways: { finished: { channel: true } }, words: "full", quietHours });
  const before = textsTo(petra);
  const runId = await runBySchedule("hello");
  const find = () => server.database.delivery.findFirst({ where: { runId, target: '{"summary":{"way":"channel"}}' } });
  await expect.poll(find).toMatchObject({ state: "pending" });
  const held = await find();
  expect(textsTo(petra)).toEqual(before);
  await deliver(server.services, held?.id ?? "", held?.nextAt ?? undefined);
  expect(textsTo(petra).at(-1)).toBe("1 thing came up\n1 run has finished");
});

test("the settings name the chat; without one nothing is queued", async () => {
  await chatWith({ ways: { finished: { channel: true } } });
  const settings = async (): Promise<NotificationSettings> => (await server.call(show, { as: "member" })).json();
  expect((await settings()).chat).toEqual({ kind: "telegram", channelName: "Lab", chatName: "@petra" });
  const { links } = await (await server.call(getLinks, { as: "member" })).json();
  await server.call(unlink, { as: "member", method: "DELETE", params: { linkId: links[0].id } });
  expect((await settings()).chat).toBeNull();
  const runId = await runBySchedule("hello");
  await notifyOfRun(server.services, runId);
  expect(await notices(runId)).toEqual([]);
});
