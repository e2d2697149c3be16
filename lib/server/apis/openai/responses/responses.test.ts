import OpenAI from "openai";
import { expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { responsesServer } from "@/lib/testing/clients/responses-server";

const { start, server, client, clientOf, asked } = responsesServer();
const model = "agent:coder";
const TWO_STEPS = [
  { text: "Let me see.", calls: [{ name: "write_todos", args: { todos: [] } }] },
  { text: "Nothing to do." },
];

test("a response has the text of each step, the calls between them, and the usage", async () => {
  await start(TWO_STEPS);
  const response = await client().responses.create({ model, input: "hi", metadata: { topic: "otters" } });
  expect(response).toMatchObject({
    id: expect.stringMatching(/^resp_run_/),
    object: "response",
    status: "completed",
    error: null,
    incomplete_details: null,
    model,
    metadata: { topic: "otters" },
    output_text: "Let me see.Nothing to do.",
  });
  expect(response.output).toMatchObject([
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Let me see." }],
    },
    { type: "mcp_call", server_label: "ringmaster", name: "write_todos", arguments: '{"todos":[]}', error: null },
    { type: "message", content: [{ text: "Nothing to do." }] },
  ]);
  expect(response.usage?.total_tokens).toBeGreaterThan(0);
  expect(new Set(response.output.map(({ id }) => id)).size).toBe(3);
});

test("a stream has the documented events, numbered from 0, and the same response", async () => {
  await start(TWO_STEPS);
  const stream = client().responses.stream({ model, input: "hi" });
  const events: { type: string; sequence_number: number; response?: unknown }[] = [];
  let text = "";
  for await (const event of stream) {
    events.push(event);
    if (event.type === "response.output_text.delta") text += event.delta;
  }
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  const types = events.map(({ type }) => type);
  const MESSAGE = [
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
  ];
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    "response.created",
    "response.in_progress",
    ...MESSAGE,
    "response.output_item.added",
    "response.mcp_call.in_progress",
    "response.mcp_call_arguments.delta",
    "response.mcp_call_arguments.done",
    "response.mcp_call.completed",
    "response.output_item.done",
    ...MESSAGE,
    "response.completed",
  ]);
  const streamed = await stream.finalResponse();
  expect([text, streamed.output_text]).toEqual(["Let me see.Nothing to do.", "Let me see.Nothing to do."]);
  const stored = await client().responses.retrieve(streamed.id);
  expect({ ...stored, output_text: undefined }).toEqual(events.at(-1)?.response);
});

test.each([false, true])("a reply that was cut is incomplete (stream: %s)", async (stream) => {
  await start([{ text: "Half an ans", finishReason: "length" }]);
  const { responses } = client();
  const request = { model, input: "hi" };
  const response = stream ? await responses.stream(request).finalResponse() : await responses.create(request);
  const cut = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output_text: "Half an ans" };
  expect(response).toMatchObject(cut);
  expect(await responses.retrieve(response.id)).toMatchObject(cut);
});

test("a call that failed has its error", async () => {
  await start([{ calls: [{ name: "no_such_tool", args: {} }] }, { text: "Well." }]);
  const { output } = await client().responses.create({ model, input: "hi" });
  expect(output[0]).toMatchObject({ type: "mcp_call", status: "failed", output: null, error: expect.any(String) });
});

test("instructions hold for one response alone", async () => {
  await start([{ text: "One." }, { text: "Two." }]);
  const first = await client().responses.create({ model, input: "a", instructions: "Speak like a pirate." });
  expect(first.instructions).toBe("Speak like a pirate.");
  await client().responses.create({ model, input: "b", previous_response_id: first.id });
  expect(asked(0).join("\n")).toContain("Speak like a pirate.");
  expect(asked(1).join("\n")).not.toContain("pirate");
  expect(asked(1).slice(-3)).toEqual(["user: a", "assistant: One.", "user: b"]);
});

test("an agent that takes no system messages takes no instructions", async () => {
  await start([]);
  const raw = { name: "Strict", model: "scripted:m", allow_client_system_messages: false };
  await createAgent(server().services, { agentId: "strict", raw, createdById: null });
  const refused = client().responses.create({ model: "agent:strict", input: "hi", instructions: "Obey me." });
  await expect(refused).rejects.toMatchObject({ status: 400, param: "instructions" });
});

test("a response continues the one that it names, in the same thread, and each branch has its own history", async () => {
  await start([{ text: "One." }, { text: "Two." }, { text: "Three." }, { text: "Four." }]);
  const after = (input: string, previous?: string) =>
    client().responses.create({ model, input, ...(previous ? { previous_response_id: previous } : {}) });
  const first = await after("a");
  const second = await after("b", first.id);
  expect(second.previous_response_id).toBe(first.id);
  const third = await after("c", second.id);
  const other = await after("d", first.id);
  expect(asked(2).slice(1)).toEqual(["user: a", "assistant: One.", "user: b", "assistant: Two.", "user: c"]);
  expect(asked(3).slice(1)).toEqual(["user: a", "assistant: One.", "user: d"]);
  const thread = await server().database.thread.findFirstOrThrow();
  expect(await server().database.thread.count()).toBe(1);
  expect([thread.ephemeral, thread.isBranched]).toEqual([false, true]);
  expect([third.output_text, other.output_text]).toEqual(["Three.", "Four."]);
});

test("a chain without branches stays a thread without branches", async () => {
  await start([{ text: "One." }, { text: "Two." }]);
  const { id } = await client().responses.create({ model, input: "a" });
  await client().responses.create({ model, input: "b", previous_response_id: id });
  expect(await server().database.thread.findFirstOrThrow()).toMatchObject({ isBranched: false });
});

test("two that continue the same response at once do not read each other", async () => {
  await start([{ text: "One." }, { text: "Two." }]);
  const { id } = await client().responses.create({ model, input: "a" });
  const ask = (input: string) => client().responses.create({ model, input, previous_response_id: id });
  await Promise.all([ask("b"), ask("c")]);
  const sent = [asked(1), asked(2)].map((messages) => messages.slice(1).join(", ")).toSorted();
  expect(sent).toEqual(["user: a, assistant: One., user: b", "user: a, assistant: One., user: c"]);
});

test("history that a client sends comes first in its thread, also for a branch", async () => {
  await start([{ text: "Blue." }, { text: "Sure." }, { text: "Yes." }]);
  const input = [
    { role: "user" as const, content: "I like blue." },
    { role: "assistant" as const, content: "Noted." },
    { role: "user" as const, content: "Which one?" },
  ];
  const { id } = await client().responses.create({ model, input });
  await client().responses.create({ model, input: "Sure?", previous_response_id: id });
  await client().responses.create({ model, input: "Really?", previous_response_id: id });
  const history = ["user: I like blue.", "assistant: Noted.", "user: Which one?"];
  expect(asked(0).slice(1)).toEqual(history);
  expect(asked(2).slice(1)).toEqual([...history, "assistant: Blue.", "user: Really?"]);
});

const NO_RESPONSE = { status: 404, type: "invalid_request_error", code: "not_found" };

test("somebody else's response is a 404 in every way, as one that does not exist", async () => {
  await start([{ text: "Mine." }]);
  const { id } = await client().responses.create({ model, input: "a" });
  const { responses } = await clientOf("admin");
  for (const name of [id, "resp_run_0", "resp_1", "x".repeat(200), "run_0", "resp_run_0%"]) {
    const stranger = name === id ? responses : client().responses;
    const next = stranger.create({ model, input: "b", previous_response_id: name });
    await expect(next).rejects.toMatchObject({ ...NO_RESPONSE, param: "previous_response_id" });
    await expect(stranger.retrieve(name)).rejects.toMatchObject(NO_RESPONSE);
    await expect(stranger.delete(name)).rejects.toMatchObject(NO_RESPONSE);
  }
  expect(await server().database.run.count()).toBe(1);
});

test("a run that no response began has none, and an ordinary thread is not continued", async () => {
  await start([{ text: "One." }]);
  const { id } = await client().responses.create({ model, input: "a" });
  const run = await server().database.run.findFirstOrThrow();
  const input = JSON.stringify({ ...JSON.parse(run.input), response: undefined });
  await server().database.run.updateMany({ data: { input } });
  await expect(client().responses.retrieve(id)).rejects.toMatchObject(NO_RESPONSE);
});

test("another agent can't continue a response", async () => {
  await start([{ text: "One." }]);
  const { id } = await client().responses.create({ model, input: "a" });
  const other = client().responses.create({ model: "agent:plain", input: "b", previous_response_id: id });
  await expect(other).rejects.toMatchObject({ status: 400, param: "model" });
});

test("without store a response is neither read nor continued, and its thread is not listed", async () => {
  await start([{ text: "One." }]);
  const response = await client().responses.create({ model, input: "a", store: false });
  expect(response).toMatchObject({ store: false, output_text: "One." });
  await expect(client().responses.retrieve(response.id)).rejects.toMatchObject(NO_RESPONSE);
  const next = client().responses.create({ model, input: "b", previous_response_id: response.id });
  await expect(next).rejects.toMatchObject(NO_RESPONSE);
  expect(await server().database.thread.findFirstOrThrow()).toMatchObject({ ephemeral: true });
});

test("a response is deleted with its thread, unless others belong to it", async () => {
  await start([{ text: "One." }, { text: "Two." }]);
  const { responses } = client();
  const first = await responses.create({ model, input: "a" });
  const second = await responses.create({ model, input: "b", previous_response_id: first.id });
  await expect(responses.delete(first.id)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining("/api/threads/th_"),
  });
  await expect(responses.delete(second.id)).rejects.toBeInstanceOf(OpenAI.ConflictError);
  const alone = await responses.create({ model, input: "c" });
  await responses.delete(alone.id);
  await expect(responses.retrieve(alone.id)).rejects.toMatchObject(NO_RESPONSE);
  expect((await responses.retrieve(first.id)).output_text).toBe("One.");
});

test("a response can be read while it is made", async () => {
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await start([{ text: "One.", gate }]);
  const stream = await client().responses.create({ model, input: "a", stream: true });
  const iterator = stream[Symbol.asyncIterator]();
  const { value } = await iterator.next();
  const id = value?.type === "response.created" ? value.response.id : "";
  const made = await client().responses.retrieve(id);
  expect(["queued", "in_progress"]).toContain(made.status);
  expect([made.usage, made.output]).toEqual([null, []]);
  await expect(client().responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 400 });
  finish();
  let last = "";
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) last = next.value.type;
  expect(last).toBe("response.completed");
});

test("an Idempotency-Key gives the same response once", async () => {
  await start([{ text: "One." }, { text: "Two." }]);
  const ask = () => client().responses.create({ model, input: "a" }, { headers: { "idempotency-key": "k" } });
  expect((await ask()).id).toBe((await ask()).id);
  expect(await server().database.run.count()).toBe(1);
});

test("an ask is a deny that says why, because nobody can answer here", async () => {
  await start([{ calls: [{ name: "write_file", args: { path: "a.txt", content: "x" } }] }, { text: "Then not." }]);
  const permissions = { enabled: true, ask: ["write_file"] };
  const raw = { name: "Asks", model: "scripted:m", backend: { type: "state" }, permissions };
  await createAgent(server().services, { agentId: "asks", raw, createdById: null });
  const { output, status } = await client().responses.create({ model: "agent:asks", input: "hi" });
  expect(status).toBe("completed");
  expect(output[0]).toMatchObject({
    type: "mcp_call",
    status: "failed",
    error: expect.stringMatching(/approv|ask|person/i),
  });
});

test.each([false, true])("a budget that is reached before the first call is a 402 (stream: %s)", async (stream) => {
  await start([{ text: "Worth it." }]);
  const raw = { name: "Spends", model: "scripted:m", retries: 0, max_tokens: 50, budget: { run_tokens: 40 } };
  await createAgent(server().services, { agentId: "spends", raw, createdById: null });
  const spent = client().responses.create({ model: "agent:spends", input: "go", stream });
  await expect(spent).rejects.toMatchObject({ status: 402, code: "budget_reached" });
  expect(server().provider.requests).toEqual([]);
});
