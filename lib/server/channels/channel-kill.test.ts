import { afterEach, beforeEach, expect, inject, onTestFinished, test } from "vitest";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { deliver } from "@/lib/server/triggers/deliver";
import { sweepTriggers } from "@/lib/server/triggers/settle-firing";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { runProcess, startProcess } from "@/lib/testing/processes/start-process";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { startChannels, stopChannels } from "./hold-channels";

const PETRA = { id: 100, first_name: "Petra", username: "petra" };
const ANSWER = "Hello from the agent.";
const isPostgres = inject("testDatabase") === "postgresql";

let api: ScriptedTelegram;
let server: RunServer;
let channelId = "";

/** A chat that Petra has paired; no process receives for it. */
beforeEach(async () => {
  api = await new ScriptedTelegram().start();
  api.keepsUpdates = true;
  server = await startRunServer(() => ({ text: ANSWER }), { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host });
  const body = { kind: "telegram", name: "Lab", agentId: "plain", token: BOT_TOKEN, apiRoot: api.url };
  channelId = (await (await server.call(addChannel, { as: "admin", body })).json()).id;
  await startChannels(server.services, { loadCompaction });
  const { code } = await (await server.call(addLink, { as: "member", body: { channelId } })).json();
  api.say({ from: PETRA, text: code });
  await expect.poll(() => textsToPetra().at(-1)).toContain("Linked to");
  await stopChannels(server.services);
  api.messages.length = 0;
});
afterEach(async () => {
  await stopChannels(server.services);
  await server.close();
  await api.close();
});

const textsToPetra = () => api.sentTo(PETRA.id).map(({ text }) => text);
const runs = () => server.database.run.findMany({ where: { origin: "channel" }, select: { status: true } });
/** As 15 seconds after the process died that held it. */
const expireLease = () =>
  server.database.channel.update({ where: { id: channelId }, data: { leaseUntil: new Date(0) }, select: { id: true } });
const receiving = (place: string) =>
  [
    "lib/testing/processes/killable-channel.ts",
    server.databaseUrl,
    server.dataDirectory,
    new URL(api.url).host,
    place,
  ] as const;

test.for(["received", "claimed", "started"])(
  "a process that is killed once it has %s a message leaves one run and one answer",
  { timeout: 60_000 },
  async (place) => {
    api.say({ from: PETRA, text: "hello" });
    expect(await runProcess(...receiving(place))).toMatchObject({ signal: "SIGKILL", errors: "" });
    await expireLease();
    await startChannels(server.services, { loadCompaction });
    await sweepTriggers(server.services);
    await expect.poll(textsToPetra).toEqual([ANSWER]);
    await expect.poll(runs).toEqual([{ status: "completed" }]);
    // The next message is read behind the first one, which is not read again.
    api.say({ from: PETRA, text: "/stop" });
    await expect.poll(textsToPetra).toEqual([ANSWER, "Nothing is running here."]);
    expect(await runs()).toHaveLength(1);
  },
);

test("a process that is killed between sending and noting it leaves one more message at most, marked (again)", {
  timeout: 60_000,
}, async () => {
  // The service asks to wait: the answer is left to the process that is killed.
  api.busy.set("sendMessage", { times: 1, seconds: 600 });
  await startChannels(server.services, { loadCompaction });
  api.say({ from: PETRA, text: "hello" });
  const only = () => server.database.delivery.findFirst({ where: { target: { startsWith: '{"channel"' } } });
  await expect.poll(async () => (await only())?.error).toContain("retry after 600");
  const { id = "" } = (await only()) ?? {};
  const due = () =>
    server.database.delivery.update({ where: { id }, data: { nextAt: new Date(0) }, select: { id: true } });
  await due();
  const args = [server.databaseUrl, server.dataDirectory, new URL(api.url).host, id] as const;
  const killed = await runProcess("lib/testing/processes/killable-delivery.ts", ...args);
  expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
  expect(textsToPetra()).toEqual([ANSWER]);
  for (let time = 0; time < 3; time++) await deliver(server.services, id);
  expect(textsToPetra()).toEqual([ANSWER, `(again) ${ANSWER}`]);
  expect(await only()).toMatchObject({ state: "uncertain", nextAt: null });
  expect(await runs()).toHaveLength(1);
});

test.runIf(isPostgres)(
  "of two processes one reads a bot's updates; the other takes over when it dies, and nothing is doubled",
  { timeout: 60_000 },
  async () => {
    const first = startProcess(...receiving(""));
    onTestFinished(() => first.kill());
    expect(await first.nextLine()).toBe("started");
    await expect.poll(() => api.polls).toBe(1);
    const holder = async () =>
      (await server.database.channel.findUniqueOrThrow({ where: { id: channelId } })).leaseHolder;
    const holderAtFirst = await holder();
    const second = startProcess(...receiving(""));
    onTestFinished(() => second.kill());
    expect(await second.nextLine()).toBe("started");
    api.say({ from: PETRA, text: "hello" });
    await expect.poll(textsToPetra).toEqual([ANSWER]);
    expect(api.polls).toBe(1);
    expect(await holder()).toBe(holderAtFirst);
    first.kill();
    await first.ended;
    await expireLease();
    api.say({ from: PETRA, text: "hello again" });
    await expect.poll(textsToPetra, { timeout: 15_000 }).toEqual([ANSWER, ANSWER]);
    expect(await holder()).not.toBe(holderAtFirst);
    expect(await runs()).toEqual([{ status: "completed" }, { status: "completed" }]);
  },
);
