import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, type Person, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { startChannels, stopChannels } from "./hold-channels";

const ADA: Person = { id: 42, first_name: "Ada", username: "ada" };

let api: ScriptedTelegram;
let server: RunServer;
beforeAll(async () => {
  api = await new ScriptedTelegram().start();
  server = await startRunServer(
    (request) => ({ text: `You said: ${request.messages?.findLast(({ role }) => role === "user")?.content}` }),
    { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host },
  );
  const raw = { name: "Desk", model: "scripted:m", retries: 0, backend: { type: "state" }, tools: [] };
  await createAgent(server.services, { agentId: "desk", raw, createdById: null });
  const body = { kind: "telegram", name: "Lab", agentId: "desk", token: BOT_TOKEN, apiRoot: api.url };
  const { id: channelId } = await (await server.call(addChannel, { as: "admin", body })).json();
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

const said = (text: string) => expect.poll(() => api.sentTo(ADA.id).at(-1)?.text).toBe(`You said: ${text}`);

test.each([
  ["a NUL", "before\u0000after", "beforeafter"],
  ["half of a character", "cut \ud83d here", "cut \ufffd here"],
])("a text and a name with %s are answered, and so is what comes after", async (_, text, expected) => {
  api.say({ from: { ...ADA, first_name: text }, text });
  await said(expected);
  api.say({ from: ADA, text: "and then" });
  await said("and then");
});
