import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { POST as runAgUi } from "@/app/agents/[id]/ag-ui/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as addLink } from "@/app/api/channel-links/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { GET as stream } from "@/app/api/runs/[runId]/stream/route";
import { PUT as upload } from "@/app/api/threads/[threadId]/files/route";
import { POST as fork } from "@/app/api/threads/[threadId]/fork/route";
import { GET as list, POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { POST as newThread } from "@/app/api/threads/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { POST as respond } from "@/app/v1/responses/route";
import { startChannels, stopChannels } from "@/lib/server/channels/hold-channels";
import { makeJpeg } from "@/lib/testing/files/make-jpeg";
import { makePng } from "@/lib/testing/files/make-png";
import { mcpInstallation } from "@/lib/testing/fixtures/mcp-fixture";
import { BOT_TOKEN, ScriptedTelegram } from "@/lib/testing/servers/scripted-telegram";
import { loadCompaction } from "./load-compaction";

const SOUND = makeJpeg(24, 16);
const DAMAGED = [
  ["broke off in the head", Buffer.from("/9j/4AAQSkY=", "base64")],
  ["broke off in the data", makePng(30, 20).subarray(0, -20)],
  ["has a flipped byte", flipped(makePng(12, 9))],
] as const;
const ADA = { id: 42, first_name: "Ada", username: "ada" };

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf("IDAT") + 8;
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

const api = await new ScriptedTelegram().start();
const own = mcpInstallation({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: api.host });
let channelId = "";

beforeAll(async () => {
  const { provider, call } = own.server();
  const models = [{ id: "m", vision: true }];
  const body = { id: "eyes", kind: "openai-compatible", name: "Eyes", baseUrl: provider.url, models };
  expect((await call(addProvider, { as: "admin", body })).status).toBe(201);
  const agentId = await agent();
  const channel = { kind: "telegram", name: "Lab", agentId, token: BOT_TOKEN, apiRoot: api.url };
  channelId = (await (await call(addChannel, { as: "admin", body: channel })).json()).id;
  await startChannels(own.server().services, { loadCompaction });
  const { code } = await (await call(addLink, { as: "member", body: { channelId } })).json();
  api.say({ from: ADA, text: code });
  await vi.waitUntil(() => api.sentTo(ADA.id).at(-1)?.text.includes("Linked to"), { timeout: 10_000 });
});
afterAll(async () => {
  await stopChannels(own.server().services);
  await api.close();
});

const agent = () => own.addAgent({ model: "eyes:m", tools: ["mcp__*"], backend: { type: "state" } });

async function uploaded(bytes: Buffer, agentId?: string): Promise<string> {
  const body = { agentId: agentId ?? (await agent()) };
  const { id: threadId } = await (await own.server().call(newThread, { as: "member", body })).json();
  const form = new FormData();
  form.set("path", "uploads/a.png");
  form.set("file", new Blob([new Uint8Array(bytes)]), "a.png");
  const request = new Request("http://127.0.0.1:3000/", { method: "PUT", body: form });
  request.headers.set("authorization", `Bearer ${await own.server().addKey("member", ["chat"])}`);
  expect((await upload(request, { params: Promise.resolve({ threadId }) })).ok).toBe(true);
  return threadId;
}

async function say(threadId: string, body: object): Promise<void> {
  const { runId } = await (await own.server().call(send, { as: "member", params: { threadId }, body })).json();
  await (await own.server().call(stream, { as: "member", params: { runId } })).text();
}

async function askTool(bytes: Buffer, name: string): Promise<void> {
  const threadId = await uploaded(bytes);
  own.script({ name, args: { path: "uploads/a.png" } });
  await say(threadId, { content: "Look at the picture" });
  await say(threadId, { content: "And now?" });
}

async function askMcp(content: object): Promise<void> {
  own.mcp().set({ name: "look", annotations: { readOnlyHint: true }, run: () => ({ content: [content] }) as never });
  await own.addServer();
  await own.acceptAll();
  expect((await own.say(await agent(), { name: "mcp__own__look" })).status).toBe("completed");
}

const asking = (bytes: Buffer) => [
  {
    role: "user" as const,
    content: [
      { type: "text" as const, text: "What is this?" },
      { type: "image_url" as const, image_url: { url: `data:image/png;base64,${bytes.toString("base64")}` } },
    ],
  },
];

/** Each brings the picture to a model that sees, by the way that it names. */
const ENTRANCES: Record<string, (bytes: Buffer) => Promise<void>> = {
  "attached to a message": async (bytes) => say(await uploaded(bytes), { content: "?", files: ["uploads/a.png"] }),
  "in a fork of the thread": async (bytes) => {
    const threadId = await uploaded(bytes);
    await say(threadId, { content: "?", files: ["uploads/a.png"] });
    const { call } = own.server();
    const { messages } = await (await call(list, { as: "member", params: { threadId } })).json();
    const body = { messageId: messages.at(-1).id };
    const { id } = await (await call(fork, { as: "member", params: { threadId }, body })).json();
    await say(id, { content: "And now?" });
  },
  "looked at in the workspace": (bytes) => askTool(bytes, "view_image"),
  "read as a file": (bytes) => askTool(bytes, "read_file"),
  "returned by an MCP server": (bytes) =>
    askMcp({ type: "image", mimeType: "image/png", data: bytes.toString("base64") }),
  "returned by an MCP server as a resource": (bytes) =>
    askMcp({
      type: "resource",
      resource: { uri: "file:///a.png", mimeType: "image/png", blob: bytes.toString("base64") },
    }),
  "returned by an MCP server as a resource of no stated type": (bytes) =>
    askMcp({ type: "resource", resource: { uri: "file:///a", blob: bytes.toString("base64") } }),
  "sent to an agent by the API": async (bytes) => {
    const body = { messages: asking(bytes) };
    await own.server().call(invoke, { as: "member", params: { id: await agent() }, body });
  },
  "sent by a client of AG-UI": async (bytes) => {
    const source = { type: "data", value: bytes.toString("base64"), mimeType: "image/png" };
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image", source },
    ];
    const body = { threadId: crypto.randomUUID(), runId: "r", messages: [{ id: "m", role: "user", content }] } as never;
    const reply = await own.server().call(runAgUi, { as: "member", params: { id: await agent() }, body });
    await reply.text();
  },
  "in a chat completion": async (bytes) => {
    const body = { model: `agent:${await agent()}`, messages: asking(bytes) as never };
    await own.server().call(complete, { as: "member", body });
  },
  "in a response": async (bytes) => {
    const image_url = `data:image/png;base64,${bytes.toString("base64")}`;
    const content = [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url, detail: "auto" },
    ];
    const body = { model: `agent:${await agent()}`, input: [{ role: "user", content }] } as never;
    await own.server().call(respond, { as: "member", body });
  },
  "sent in a chat of Telegram": async (bytes) => {
    const before = api.sentTo(ADA.id).length;
    api.say({ from: ADA, text: "?", document: { name: "a.png", bytes } });
    await vi.waitUntil(() => api.sentTo(ADA.id).length > before, { timeout: 10_000 });
  },
};

/** The pictures in the model calls meanwhile, each once. */
async function shownDuring(act: () => Promise<void>): Promise<Buffer[]> {
  const { requests } = own.server().provider;
  const before = requests.length;
  await act();
  const text = JSON.stringify(requests.slice(before).map(({ body }) => body));
  const found = [...text.matchAll(/data:image\/[a-z]+;base64,([A-Za-z0-9+/=]+)/g)].map(([, data = ""]) => data);
  return [...new Set(found)].map((data) => Buffer.from(data, "base64"));
}

describe.each(Object.entries(ENTRANCES))("a picture %s", (entrance, bring) => {
  test("is shown to a model that sees if it can be decoded", async () => {
    const shown = await shownDuring(() => bring(SOUND));
    expect(shown.map((one) => one.equals(SOUND))).toEqual(entrance === "read as a file" ? [] : [true]);
  });

  test.each(DAMAGED)("is not shown if it %s", async (_, bytes) => {
    const shown = await shownDuring(() => bring(bytes));
    expect(shown.filter((one) => !one.equals(SOUND))).toEqual([]);
  });
});

const picture = (bytes: Buffer) => ({
  role: "user" as const,
  content: [{ type: "image_url" as const, image_url: { url: `data:image/png;base64,${bytes.toString("base64")}` } }],
});

test("view_image says to a model that can't see what the picture is, and that it is not shown", async () => {
  const { provider } = own.server();
  const agentId = await own.addAgent({ model: "scripted:blind", tools: ["view_image"], backend: { type: "state" } });
  const threadId = await uploaded(SOUND, agentId);
  own.script({ name: "view_image", args: { path: "uploads/a.png" } });
  await say(threadId, { content: "Look at the picture" });
  const sent = JSON.stringify(provider.requests.at(-1)?.body.messages);
  expect(sent).toContain("uploads/a.png: JPEG, 24 × 16 pixels, ");
  expect(sent).toContain("this model can't see images");
  expect(sent).not.toContain("base64");
});

test("a picture without a word is shown alone", async () => {
  const model = `agent:${await agent()}`;
  const { call, provider } = own.server();
  const body = { model, messages: [picture(SOUND)] };
  expect((await call(complete, { as: "member", body })).status).toBe(200);
  const { content } = provider.requests.at(-1)?.body.messages?.at(-1) ?? {};
  expect(content).toEqual([expect.objectContaining({ type: "image_url" })]);
});

test("a damaged picture in the history that a client sends along does not stop its next message", async () => {
  const model = `agent:${await agent()}`;
  const { call, provider } = own.server();
  const [[, damaged]] = DAMAGED;
  const reply = { role: "assistant" as const, content: "Seen." };
  const messages = [picture(damaged), reply, { role: "user" as const, content: "And now?" }];
  expect((await call(complete, { as: "member", body: { model, messages } })).status).toBe(200);
  const sent = JSON.stringify(provider.requests.at(-1)?.body.messages);
  expect(sent).toContain("[A picture that can't be shown.]");
  expect((await call(complete, { as: "member", body: { model, messages: [picture(damaged)] } })).status).toBe(400);
});

test("a picture that is not shown is named in the chat that it came from", async () => {
  const [, [, bytes]] = DAMAGED;
  await ENTRANCES["sent in a chat of Telegram"]?.(bytes);
  expect(api.sentTo(ADA.id).at(-1)).toMatchObject({
    text: expect.stringMatching(/^done\n\n.*\.png is damaged\. The model was not shown it\.$/),
    html: expect.stringContaining("<i>"),
  });
});

test("a picture of an MCP server that is shown to nobody is named to the model and the person", async () => {
  const [[, bytes]] = DAMAGED;
  await askMcp({ type: "image", mimeType: "image/jpeg", data: bytes.toString("base64") });
  const { database, provider } = own.server();
  expect(JSON.stringify(provider.requests.at(-1)?.body.messages)).toContain("not shown, this picture is damaged");
  const events = await database.runEvent.findMany({ where: { type: "model.completed" } });
  const notices = events.flatMap(({ data }) => JSON.parse(data).reply?.notices ?? []);
  expect(notices).toContain("picture-1.jpeg is damaged. The model was not shown it.");
});
