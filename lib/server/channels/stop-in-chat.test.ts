import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, type Person, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { startChannels, stopChannels } from "./hold-channels";

const ADA: Person = { id: 42, first_name: "Ada", username: "ada" };
const BOB: Person = { id: 77, first_name: "Bob", username: "bob" };

let api: ScriptedTelegram;
let server: RunServer;
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  api = await new ScriptedTelegram().start();
  server = await startRunServer(
    (request) => {
      const said = String(request.messages?.findLast(({ role }) => role === "user")?.content);
      return said.includes("slow") ? { text: "Late.", gate: gate.promise } : { text: `You said: ${said}` };
    },
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host },
  );
  const raw = { name: "Desk", model: "scripted:m", retries: 0, backend: { type: "state" }, tools: [] };
  await createAgent(server.services, { agentId: "desk", raw, createdById: null });
  const body = { kind: "telegram", name: "Lab", agentId: "desk", token: BOT_TOKEN, apiRoot: api.url };
  const { id: channelId } = await (await server.call(addChannel, { as: "admin", body })).json();
  await startChannels(server.services, { loadCompaction });
  for (const [person, as] of [
    [ADA, "member"],
    [BOB, "admin"],
  ] as const) {
    const { code } = await (await server.call(addLink, { as, body: { channelId } })).json();
    api.say({ from: person, text: code });
    await vi.waitUntil(() => api.sentTo(person.id).at(-1)?.text.includes("Linked to"), { timeout: 10_000 });
  }
});
beforeEach(() => {
  gate = Promise.withResolvers();
});
afterAll(async () => {
  gate.resolve();
  await stopChannels(server.services);
  await server.close();
  await api.close();
});

const last = () => api.sentTo(ADA.id).at(-1);
const says = (text: string) => expect.poll(() => last()?.text, { timeout: 10_000 }).toBe(text);
const buttons = () => last()?.buttons.flat() ?? [];
const running = () => expect.poll(() => server.database.run.count({ where: { status: "running" } })).toBe(1);

function pressed(label: string, from = ADA): void {
  const message = last();
  const data = buttons().find(({ text }) => text === label)?.data ?? "";
  if (!message) throw new Error("There is no message.");
  api.bring(api.press(from, message, data));
}

test("/stop right after a text holds it, and Send answers it once", async () => {
  const before = await server.database.run.count();
  api.say({ from: ADA, text: "hello" });
  api.say({ from: ADA, text: "/stop" });
  await says("1 message is held.");
  expect(buttons().map(({ text }) => text)).toEqual(["Send", "Drop"]);
  expect(await server.database.run.findMany({ where: { origin: "channel" } })).toMatchObject([
    { status: "queued", epoch: 0 },
  ]);
  const message = last();
  pressed("Send");
  await says("You said: hello");
  expect(message?.text).toBe("Sent 1 message.");
  expect(message?.buttons).toEqual([]);
  expect(await server.database.run.count()).toBe(before + 1);
});

test("/stop during a run holds what came after it; nobody else's press counts; Drop removes it", async () => {
  api.say({ from: ADA, text: "slow" });
  await running();
  api.say({ from: ADA, text: "one" });
  await expect.poll(() => server.database.run.count({ where: { status: "queued" } })).toBe(1);
  api.say({ from: ADA, text: "two" });
  api.say({ from: ADA, text: "/stop" });
  await says("Stopped. 2 messages are held.");
  pressed("Send", BOB);
  const answers = () => api.callsOf("answerCallbackQuery").map(({ payload }) => payload.text);
  await expect.poll(() => answers().at(-1)).toBe("Only whoever wrote these messages can send or drop them.");
  expect(await server.database.run.count({ where: { heldAt: { not: null } } })).toBe(2);
  // What is written from now on does not wait for them.
  api.say({ from: ADA, text: "three" });
  await says("You said: three");
  api.say({ from: ADA, text: "/stop" });
  await says("2 messages are held.");
  const message = last();
  pressed("Drop");
  await expect.poll(() => message?.text).toBe("Dropped 2 messages.");
  expect(await server.database.run.count({ where: { heldAt: { not: null } } })).toBe(0);
  api.say({ from: ADA, text: "/stop" });
  await says("Nothing is running here.");
});

test("a button with the id of another thread of the same person does nothing", async () => {
  api.say({ from: ADA, text: "again" });
  api.say({ from: ADA, text: "/stop" });
  await says("1 message is held.");
  const message = last();
  if (!message) throw new Error("There is no message.");
  api.bring(api.press(ADA, message, "send.th_another"));
  const answers = () => api.callsOf("answerCallbackQuery").map(({ payload }) => payload.text);
  await expect.poll(() => answers().at(-1)).toContain("Only whoever wrote");
  expect(await server.database.run.count({ where: { heldAt: { not: null } } })).toBe(1);
});
