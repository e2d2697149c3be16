import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { GET as models } from "@/app/v1/models/route";
import { publishChange } from "@/lib/server/agents/publish-version";
import type { Route } from "@/lib/server/http/route";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
let client: OpenAI;
let close: () => void;

const TWO_STEPS = [
  { text: "Let me see.", calls: [{ name: "write_todos", args: { todos: [] } }] },
  { text: "Nothing to do." },
];

async function start(script: Parameters<typeof startRunServer>[0]) {
  server = await startRunServer(script);
  const routes: Record<string, Route> = { "/v1/chat/completions": complete, "/v1/models": models };
  const http = createServer(async (incoming, outgoing) => {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk);
    const headers = new Headers(incoming.headers as Record<string, string>);
    const init = { method: incoming.method, headers, body: body.length > 0 ? Buffer.concat(body) : undefined };
    const reply = await routes[incoming.url ?? ""]?.(new Request(`http://127.0.0.1${incoming.url}`, init));
    outgoing.writeHead(reply?.status ?? 404, Object.fromEntries(reply?.headers ?? []));
    if (reply?.body) for await (const chunk of reply.body) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const apiKey = await server.addKey("member", ["read", "chat"]);
  client = new OpenAI({ apiKey, baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
  close = () => void http.close();
}

beforeEach(() => {
  close = () => {};
});
afterEach(async () => {
  close();
  await server.close();
});

const user = (content: string) => ({ role: "user" as const, content });
const model = "agent:coder";

test("agents are models", async () => {
  await start([]);
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual([model, "agent:plain"]);
});

test("a completion has the text of every step, a reason and the usage", async () => {
  await start(TWO_STEPS);
  const reply = await client.chat.completions.create({ model, messages: [user("hi")] });
  expect(reply.choices[0]).toMatchObject({
    message: { role: "assistant", content: "Let me see.\n\nNothing to do." },
    finish_reason: "stop",
  });
  expect(reply.usage?.total_tokens).toBeGreaterThan(0);
});

test.each([false, true])("a reply that max_tokens cut has the reason length (stream: %s)", async (stream) => {
  await start([{ text: "Half an ans", finishReason: "length" }]);
  const request = { model, messages: [user("hi")] };
  const { completions } = client.chat;
  const whole = stream ? await completions.stream(request).finalChatCompletion() : await completions.create(request);
  expect(whole.choices[0]).toMatchObject({ message: { content: "Half an ans" }, finish_reason: "length" });
});

test("a stream gives the same text and its usage when asked", async () => {
  await start(TWO_STEPS);
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  const stream = await client.chat.completions.create({ model, messages: [user("hi")], ...options });
  let text = "";
  const reasons = [];
  let total = 0;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    if (chunk.choices[0]?.finish_reason) reasons.push(chunk.choices[0].finish_reason);
    total += chunk.usage?.total_tokens ?? 0;
  }
  expect([text, reasons, total > 0]).toEqual(["Let me see.\n\nNothing to do.", ["stop"], true]);
});

test("the messages are the history of a thread that nobody lists", async () => {
  await start([{ text: "Blue." }]);
  const messages = [user("I like blue."), { role: "assistant" as const, content: "Noted." }, user("Which one?")];
  await client.chat.completions.create({ model, messages });
  const thread = await server.database.thread.findFirstOrThrow({
    include: { messages: { orderBy: { position: "asc" } } },
  });
  expect(thread.ephemeral).toBe(true);
  expect(thread.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    "user: I like blue.",
    "assistant: Noted.",
    "user: Which one?",
    "assistant: Blue.",
  ]);
});

test("a named thread continues, with only what follows the last reply", async () => {
  await start([{ text: "One." }, { text: "Two." }]);
  const metadata = { thread_id: "mine" };
  await client.chat.completions.create({ model, metadata, messages: [user("first")] });
  const messages = [user("first"), { role: "assistant" as const, content: "One." }, user("second")];
  await client.chat.completions.create({ model, metadata, messages });
  const rows = await server.database.message.findMany({ orderBy: { position: "asc" } });
  expect(rows.map(({ content }) => content)).toEqual(["first", "One.", "second", "Two."]);
  expect(await server.database.thread.count()).toBe(1);
});

test.each([
  { tools: [], functions: [], tool_choice: "none" },
  { tools: null, functions: null, tool_choice: "auto", parallel_tool_calls: true },
  { response_format: { type: "text" }, n: 1, logprobs: false, stop: null, temperature: null, user: null },
  {
    metadata: { thread_id: null },
    stream_options: null,
    stream: null,
    modalities: ["text"],
    audio: null,
    store: false,
  },
  { messages: [{ role: "system", content: null }, { role: "assistant", content: null, tool_calls: [] }, user("hi")] },
])("defaults that ask for nothing are no request: %o", async (defaults) => {
  await start([{ text: "Hello." }]);
  const body = {
    model,
    messages: [user("hi")],
    ...defaults,
  } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const reply = await client.chat.completions.create(body);
  expect(reply.choices[0]?.message.content).toBe("Hello.");
});

test.each([
  [{ tools: [{ type: "function", function: { name: "x" } }] }, "tools"],
  [{ tools: {} }, "tools"],
  [{ functions: [{ name: "x" }] }, "functions"],
  [{ response_format: { type: "json_schema", json_schema: { name: "x", schema: {} } } }, "response_format"],
  [{ n: 2 }, "n"],
  [{ response_format: { type: "json_object" } }, "response_format"],
  [{ messages: [{ role: "assistant", content: "hi" }] }, "messages"],
  [{ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] }, "messages.0.content"],
])("%o is a 400 in OpenAI's shape", async (change, param) => {
  await start([]);
  const body = { model, messages: [user("hi")], ...change } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const error = await client.chat.completions.create(body).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect((error as InstanceType<typeof OpenAI.BadRequestError>).param).toContain(param);
});

test("an unknown model is a 404 and a wrong key a 401", async () => {
  await start([]);
  const ask = (name: string) => client.chat.completions.create({ model: name, messages: [user("hi")] });
  await expect(ask("gpt-4")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(ask("agent:nobody")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  client.apiKey = "rm_wrong";
  await expect(ask(model)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

test("parameters without meaning here are ignored", async () => {
  await start([{ text: "ok" }]);
  const reply = await client.chat.completions.create({
    model,
    messages: [user("hi")],
    temperature: 1,
    seed: 4,
    user: "u",
  });
  expect(reply.choices[0]?.message.content).toBe("ok");
});

test("a version is asked for by its name behind an @", async () => {
  await start([{ text: "ok" }]);
  await publishChange("coder", ({ raw }) => ({ ...raw, system_prompt: "New." }), { createdById: null });
  await server.database.agentAlias.create({
    data: { agentId: "coder", name: "prod", version: 1, updatedAt: new Date() },
  });
  const ask = (name: string) => client.chat.completions.create({ model: name, messages: [user("hi")] });
  expect((await ask("agent:coder@prod")).model).toBe("agent:coder@prod");
  expect(server.provider.requests[0]?.body.messages?.[0]?.content).toBe("You code.");
  await expect(ask("agent:coder@staging")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(ask("agent:coder@1")).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual([model, "agent:coder@prod", "agent:plain"]);
});
