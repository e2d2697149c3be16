import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { PATCH as changeAgent } from "@/app/api/channel-links/[linkId]/route";
import { POST as addLink, GET as getLinks } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import type { Channel } from "@/lib/schema/channels/channel";
import type { ChannelLinkList } from "@/lib/schema/channels/channel-link";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startChannels, stopChannels } from "@/lib/server/channels/hold-channels";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { BOT_TOKEN, type Person, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";

export const STRANGER = "I don't know this code. Get one in Ringmaster, Settings, Channels.";
export const CODE = Array.from({ length: 200 }, (_, index) => `line ${index} of the block of code`).join("\n");

/**
 * A server with a Telegram channel that polls a scripted service, for a file of tests. Its agents are `asks`, `free` and
 * `desk`; what a chat says first decides what they do.
 */
export function telegramChats() {
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
        const messages = (request.messages ?? []).map((one) =>
          one.content === said ? { ...one, content: word } : one,
        );
        const isDesk = request.tools?.some(({ function: { name } }) => name === "handoff");
        const gate = gates.get(isDesk ? `${word} at the desk` : word);
        return { ...turns({ ...request, messages }), ...(gate === undefined ? {} : { gate: gate.promise }) };
      },
      { RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host, RINGMASTER_PUBLIC_URL: "https://ring.example" },
    );
    const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"] };
    const base = { model: "scripted:m", retries: 0, backend: { type: "state" }, tools: ["ask_user", "message"] };
    await createAgent(server.services, {
      agentId: "asks",
      raw: { ...base, name: "Asks", permissions },
      createdById: null,
    });
    const free = { ...base, name: "Free", permissions: { enabled: false } };
    await createAgent(server.services, { agentId: "free", raw: free, createdById: null });
    const desk = { ...base, name: "Desk", delegates: ["free"] };
    await createAgent(server.services, { agentId: "desk", raw: desk, createdById: null });
    const body = { kind: "telegram", name: "Lab", agentId: "asks", token: BOT_TOKEN, apiRoot: api.url };
    const added = await server.call(addChannel, { as: "admin", body });
    expect(added.status).toBe(201);
    channel = await added.json();
    await startChannels(server.services, { loadCompaction });
  });
  afterAll(async () => {
    await stopChannels(server.services);
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

  return {
    api: () => api,
    server: () => server,
    channel: () => channel,
    ...{ gates, newPerson, openRuns, textsTo, lists, codeFor, answeredBy, asked, paired },
  };
}
