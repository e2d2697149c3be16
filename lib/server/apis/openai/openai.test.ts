import { gzipSync } from "node:zlib";
import OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import * as completions from "@/app/v1/chat/completions/route";
import * as oneModel from "@/app/v1/models/[model]/route";
import * as models from "@/app/v1/models/route";
import { publishChange } from "@/lib/server/agents/publish-version";
import { type ServedRoutes, serveRoutes } from "@/lib/testing/clients/serve-routes";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
let client: OpenAI;
let served: ServedRoutes;

const TWO_STEPS = [
  { text: "Let me see.", calls: [{ name: "write_todos", args: { todos: [] } }] },
  { text: "Nothing to do." },
];

async function start(script: Parameters<typeof startRunServer>[0]) {
  server = await startRunServer(script);
  served = await serveRoutes({
    "/v1/chat/completions": completions,
    "/v1/models/[model]": oneModel,
    "/v1/models": models,
  });
  const apiKey = await server.addKey("member", ["read", "chat"]);
  client = new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 0 });
}

afterEach(async () => {
  await served.close();
  await server.close();
});

const user = (content: string) => ({ role: "user" as const, content });
const model = "agent:coder";

test("agents are models", async () => {
  await start([]);
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual([model, "agent:plain"]);
});

test("one model is found by its name, and an unknown one is a 404", async () => {
  await start([]);
  expect(await client.models.retrieve(model)).toMatchObject({ id: model, object: "model" });
  expect(await client.models.retrieve(encodeURIComponent(model))).toMatchObject({ id: model });
  await expect(client.models.retrieve("agent:nobody")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
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
  { tools: [{ type: "function", function: { name: "x" } }], tool_choice: "none" },
  { functions: [{ name: "x" }], function_call: "none" },
  { n: "1" },
  { tools: [null], functions: "", tool_choice: { type: "none" } },
  { tools: [{ type: "function", function: { name: "x" } }], tool_choice: { type: "none" } },
  { response_format: "text", stream_options: {}, modalities: "text" },
  { response_format: {}, metadata: [], stream_options: [], modalities: [] },
  { response_format: { type: null } },
  { max_tokens: "256", max_completion_tokens: 10, stop: [], logit_bias: [], logprobs: null, top_logprobs: null },
  {
    reasoning_effort: "high",
    verbosity: "low",
    web_search_options: {},
    prediction: null,
    thinking: { type: "enabled" },
  },
  { model: " agent:coder" },
  {
    messages: [user("a"), { role: "assistant", content: "b", tool_calls: {}, refusal: null, audio: null }, user("hi")],
  },
  { messages: [{ role: "user", content: { type: "text", text: "hi" } }] },
  { messages: [{ role: "system", content: { type: "text", text: "Be brief." } }, user("hi")] },
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
  ["false", "application/json"],
  [0, "application/json"],
  ["true", "text/event-stream"],
  [1, "text/event-stream"],
])("stream: %j is answered with %s", async (stream, type) => {
  await start([{ text: "Hello." }]);
  const body = { model, messages: [user("hi")], stream };
  const reply = await server.call(completions.POST, { as: "member", path: "/v1/chat/completions", body });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toContain(type);
  expect(await reply.text()).toContain("Hello.");
});

test.each([
  [{ tools: [{ type: "function", function: { name: "x" } }] }, "tools"],
  [{ tools: {} }, "tools"],
  [{ functions: [{ name: "x" }] }, "functions"],
  [{ response_format: { type: "json_schema", json_schema: { name: "x", schema: {} } } }, "response_format"],
  [{ n: 2 }, "n"],
  [{ response_format: { type: "json_object" } }, "response_format"],
  [{ messages: [{ role: "assistant", content: "hi" }] }, "messages"],
  [{ messages: [{ role: "user", content: " \n" }] }, "messages"],
  [{ messages: [{ role: "user", content: null }] }, "messages"],
  [{ messages: [{ role: "system", content: "" }] }, "messages"],
  [{ messages: [{ role: "critic", content: "hi" }] }, "messages.0"],
  [{ messages: [{ content: "hi" }] }, "messages.0"],
  [{ modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } }, "modalities"],
  [{ messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }] }, "messages.0.content"],
])("%o is a 400 in OpenAI's shape", async (change, param) => {
  await start([]);
  const body = { model, messages: [user("hi")], ...change } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
  const error = await client.chat.completions.create(body).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect((error as InstanceType<typeof OpenAI.BadRequestError>).param).toContain(param);
});

test.each([
  ["input_audio", { type: "input_audio", input_audio: { data: "", format: "wav" } }],
  ["file", { type: "file", file: { file_id: "f" } }],
])("a part of the type %s is refused by its name", async (type, part) => {
  await start([]);
  const body = { model, messages: [{ role: "user", content: [{ type: "text", text: "hi" }, part] }] };
  const error = await client.chat.completions.create(body as never).catch((caught: unknown) => caught);
  expect((error as Error).message).toContain(`A part of type "${type}" can't be sent here. Send text and pictures.`);
});

interface Wire {
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
}

/** What the model was sent after its system prompt. */
async function asked(messages: readonly unknown[], more: object = {}) {
  await start([{ text: "Fine." }]);
  const reply = await client.chat.completions.create({ model, messages, ...more } as never);
  expect(reply).toMatchObject({ choices: [{ message: { content: "Fine." } }] });
  const { messages: sent = [] } = (server.provider.requests[0]?.body ?? {}) as Wire;
  return sent.slice(1).map(({ role, content }) => `${role}: ${content}`);
}

const call = { id: "call_1", type: "function", function: { name: "search", arguments: '{"q":"otters"}' } };

test("calls and results of another model are history, as text", async () => {
  const sent = await asked([
    user("Look for otters."),
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "Two found." }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Two." },
      ],
    },
    { role: "assistant", content: "", function_call: { name: "draw", arguments: "{" } },
    { role: "function", name: "draw", content: "Drawn." },
    { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    user("Why?"),
  ]);
  expect(sent).toEqual([
    "user: Look for otters.",
    'assistant: [Called search with {"q":"otters"}]',
    "user: [Result of search]\nTwo found.",
    "assistant: Two.",
    'assistant: [Called draw with {"arguments":"{"}]',
    "user: [Result of draw]\nDrawn.",
    "assistant: No.",
    "user: Why?",
  ]);
});

test("a result at the end is what the agent goes on from", async () => {
  const messages = [user("Go."), { role: "assistant", tool_calls: [call] }, { role: "tool", tool_call_id: "call_1" }];
  expect((await asked(messages)).at(-1)).toBe("user: [Result of search]\n");
});

test.each([
  ["parts without a type", [{ role: "user", content: [{ text: "a" }] }], ["user: a"]],
  [
    "parts of null",
    [{ role: "user", content: [null, { type: "text", text: null }, { type: "text", text: "a" }] }],
    ["user: a"],
  ],
  ["a picture of null", [{ role: "user", content: [{ type: "image_url", image_url: null }, "a"] }], ["user: a"]],
  ["a number", [{ role: "user", content: 5 }], ["user: 5"]],
  [
    "roles in other letters and under other names",
    [
      { role: "Human", content: "a" },
      { role: "ai", content: "b" },
      { role: "User", content: "c" },
    ],
    ["user: a", "assistant: b", "user: c"],
  ],
  [
    "results that are values",
    [
      user("a"),
      { role: "assistant", content: "b", tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: { found: 2 } },
      { role: "tool", tool_call_id: "call_2", content: 7 },
      user("c"),
    ],
    [
      "user: a",
      'assistant: b\n[Called search with {"q":"otters"}]',
      'user: [Result of search]\n{"found":2}',
      "user: 7",
      "user: c",
    ],
  ],
  ["parts as plain text", [{ role: "user", content: ["a", "b"] }], ["user: ab"]],
  [
    "parts by the names of the newer API",
    [{ role: "user", content: [{ type: "input_text", text: "a" }] }],
    ["user: a"],
  ],
  ["an empty reply at the end", [user("a"), { role: "assistant", content: "" }], ["user: a"]],
  ["a blank system prompt", [{ role: "system", content: " \n" }, user("a")], ["user: a"]],
  ["a blank message among others", [user("a"), user(""), { role: "user", content: [] }], ["user: a"]],
  ["instructions alone", [{ role: "system", content: "Name this chat." }], ["user: Name this chat."]],
  [
    "an instruction after the last reply",
    [user("a"), { role: "assistant", content: "b" }, { role: "developer", content: "Go on." }],
    ["user: a", "assistant: b", "user: Go on."],
  ],
  ["fields that no message has here", [{ ...user("a"), name: "ann", cache_control: {}, id: "m1" }], ["user: a"]],
])("%s: what clients send is taken", async (_, messages, want) => {
  expect(await asked(messages)).toEqual(want);
});

test.each([
  ["with a byte order mark", (text: string) => Buffer.from(`\uFEFF${text}`), {}],
  ["packed with gzip", (text: string) => gzipSync(text), { "content-encoding": "gzip" }],
  ["as text/plain", (text: string) => Buffer.from(text), { "content-type": "text/plain;charset=UTF-8" }],
])("a body %s is read", async (_, encode, headers) => {
  await start([{ text: "Fine." }]);
  const body = new Uint8Array(encode(JSON.stringify({ model, messages: [user("héllo 🦦")] })));
  const authorization = `Bearer ${client.apiKey}`;
  const reply = await fetch(`${client.baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization, ...headers },
    body,
  });
  expect(reply.status).toBe(200);
  expect(JSON.stringify(server.provider.requests[0]?.body)).toContain("héllo 🦦");
});

test.each([
  ["a packed body that unpacks to more than may be sent", gzipSync(Buffer.alloc(40_000_000)), "gzip", 413],
  ["a body that is not packed as it says", Buffer.from("{}"), "gzip", 400],
  ["a body packed otherwise", Buffer.from("{}"), "zstd", 400],
])("%s is refused", async (_, bytes, encoding, status) => {
  await start([]);
  const reply = await fetch(`${client.baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${client.apiKey}`, "content-encoding": encoding },
    body: new Uint8Array(bytes),
  });
  expect(reply.status).toBe(status);
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
  await publishChange(server.services, "coder", ({ raw }) => ({ ...raw, system_prompt: "New." }), {
    createdById: null,
  });
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
