import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST as runAgUi } from "@/app/agents/[id]/ag-ui/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as stream } from "@/app/agents/[id]/stream/route";
import { ROUTE_MODULES } from "@/app/api/openapi.json/route-modules";
import { POST as createHook } from "@/app/api/webhooks/route";
import { POST as receiveHook } from "@/app/hooks/[hookId]/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { POST as respond } from "@/app/v1/responses/route";
import { startRun } from "@/lib/server/engine/accept";
import { createThread } from "@/lib/server/threads/change-thread";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import type { Route } from "./route";

const MEGABYTE = 1_048_576;
const ONE_MESSAGE = "The text of a message may have 1.0 MB at most";
const ALL_MESSAGES = "The text of all messages of a request may have 8.0 MB at most";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await addAgent(server.database, "plain", { name: "Plain", model: "scripted:m", allow_client_system_messages: true });
});
afterAll(() => server.close());

const user = (content: unknown) => ({ role: "user", content });
const text = (value: string) => ({ type: "text", text: value });
const long = "x".repeat(MEGABYTE + 1);
const half = "y".repeat(MEGABYTE / 2 + 1);

/** Requests whose text is too large, by where it is. */
const TOO_LARGE: Record<string, [messages: unknown[], sentence: string]> = {
  "one text": [[user(long)], ONE_MESSAGE],
  "characters of three bytes": [[user("字".repeat(MEGABYTE / 3 + 1))], ONE_MESSAGE],
  "the parts of one message": [[user([text(half), text(half)])], ONE_MESSAGE],
  "a field beside a part's text": [[user([{ ...text("hi"), cache_control: { note: long } }])], ONE_MESSAGE],
  "a field beside a picture": [
    [user([{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: long } }])],
    ONE_MESSAGE,
  ],
  "an address that is no picture": [[user([{ type: "image_url", image_url: { url: long } }])], ONE_MESSAGE],
  "the name of a field": [[user([{ ...text("hi"), [long]: 1 }])], ONE_MESSAGE],
  "a role": [[{ role: long, content: "hi" }], ONE_MESSAGE],
  "a system message": [[{ role: "system", content: long }, user("hi")], ONE_MESSAGE],
  "a message before the last": [[user(long), user("hi")], ONE_MESSAGE],
  "many messages together": [Array.from({ length: 16 }, () => user(half)), ALL_MESSAGES],
};

/** What only clients of OpenAI send. */
const TOO_LARGE_CHAT: typeof TOO_LARGE = {
  ...TOO_LARGE,
  "an earlier reply": [[user("hi"), { role: "assistant", content: long }, user("more")], ONE_MESSAGE],
  "the arguments of a call": [
    [{ role: "assistant", content: "", tool_calls: [{ function: { name: "f", arguments: long } }] }, user("hi")],
    ONE_MESSAGE,
  ],
  thoughts: [[{ role: "assistant", content: "", reasoning_content: long }, user("hi")], ONE_MESSAGE],
  "a developer's message": [[{ role: "developer", content: [text(long)] }, user("hi")], ONE_MESSAGE],
  "a result of a tool": [[{ role: "tool", tool_call_id: "c", content: long }, user("hi")], ONE_MESSAGE],
};

/** What only clients of OpenAI's newer API send. */
const TOO_LARGE_RESPONSE: typeof TOO_LARGE = {
  ...TOO_LARGE,
  "thoughts of another model": [[{ type: "reasoning", encrypted_content: long }, user("hi")], ONE_MESSAGE],
  "the result of a call": [[{ type: "function_call_output", call_id: "c", output: long }], ONE_MESSAGE],
  "a picture's address beside its part": [[user([{ type: "input_image", image_url: long }])], ONE_MESSAGE],
};

/** Pictures as only clients of AG-UI send them. */
const TOO_LARGE_AG_UI: typeof TOO_LARGE = {
  ...TOO_LARGE,
  "a field beside a picture of AG-UI": [
    [user([{ type: "image", source: { type: "data", mimeType: "image/png", value: "AAAA" }, metadata: long }])],
    ONE_MESSAGE,
  ],
  "the address of a picture of AG-UI": [[user([{ type: "image", source: { type: "url", value: long } }])], ONE_MESSAGE],
};

const onAgents = (route: Route) => (messages: unknown[]) =>
  server.call(route, { as: "member", params: { id: "plain" }, body: { messages } });
const onAgUi = (messages: unknown[]) =>
  server.call(runAgUi, { as: "member", params: { id: "plain" }, body: { threadId: "t", runId: "r", messages } });
const onResponses = (input: unknown[]) => server.call(respond, { as: "member", body: { model: "agent:plain", input } });
const onV1 = (messages: unknown[]) => server.call(complete, { as: "member", body: { model: "agent:plain", messages } });

describe.each([
  ["/agents/{id}/invoke", onAgents(invoke), TOO_LARGE],
  ["/agents/{id}/stream", onAgents(stream), TOO_LARGE],
  ["/agents/{id}/ag-ui", onAgUi, TOO_LARGE_AG_UI],
  ["/v1/chat/completions", onV1, TOO_LARGE_CHAT],
  ["/v1/responses", onResponses, TOO_LARGE_RESPONSE],
])("%s", (_path, send, requests) => {
  test.each(Object.keys(requests))("refuses too much text in %s, and stores nothing", async (where) => {
    const [messages, sentence] = requests[where] ?? [[], ""];
    const reply = await send(messages);
    expect(reply.status, await reply.clone().text()).toBe(413);
    expect((await reply.json()).error.message).toContain(sentence);
    expect(await server.database.thread.count()).toBe(0);
    expect(await server.database.message.count()).toBe(0);
  });
});

const routes = Object.entries(ROUTE_MODULES).flatMap(([path, module]) =>
  Object.entries(module as Record<string, Route>).map(([method, route]) => ({
    name: `${method} ${path}`,
    method,
    route,
  })),
);

test("only routes that limit their texts, or store files, take bodies of more than 1 MB", () => {
  const larger = routes.filter(({ route }) => (route.definition.maxBodyBytes ?? 0) > MEGABYTE);
  expect(larger.map(({ name }) => name).toSorted()).toEqual([
    "POST /agents/[id]/ag-ui",
    "POST /agents/[id]/chat",
    "POST /agents/[id]/invoke",
    "POST /agents/[id]/stream",
    "POST /api/http-tools/import",
    "POST /api/memory",
    "POST /v1/chat/completions",
    "POST /v1/responses",
    "PUT /api/memory/[id]",
    "PUT /api/skills/[name]/files",
  ]);
});

const PARAMS = {
  id: "plain",
  agentId: "plain",
  threadId: "th_1",
  messageId: "msg_1",
  runId: "run_1",
  boardId: "brd_1",
  taskId: "card_1",
  scheduleId: "trg_1",
  webhookId: "trg_1",
  promptId: "prm_1",
};

/** Where people and clients write texts that reach a model. */
const WRITTEN = [
  "POST /agents/[id]/resume",
  "POST /api/agents/[agentId]/preview-prompt",
  "POST /api/agents/import",
  "POST /api/boards",
  "POST /api/boards/[boardId]/tasks",
  "PATCH /api/boards/[boardId]/tasks/[taskId]",
  "POST /api/prompts",
  "POST /api/runs/[runId]/decisions",
  "POST /api/schedules",
  "PATCH /api/schedules/[scheduleId]",
  "POST /api/threads/[threadId]/messages",
  "POST /api/threads/[threadId]/messages/[messageId]/edit",
  "PATCH /api/threads/[threadId]/queue/[messageId]",
  "POST /api/webhooks/[webhookId]/test",
];

test.each(WRITTEN)("%s refuses a text of more than 1 MB", async (name) => {
  const found = routes.find((one) => one.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  const body = { content: long, prompt: long, spec: long };
  const reply = await server.call(found.route, { as: "admin", method: found.method, params: PARAMS, body });
  expect([reply.status, await reply.text()]).toEqual([413, expect.stringContaining("1,048,576 bytes")]);
});

test("a webhook whose template repeats a value refuses a request that would become too long", async () => {
  const template = "{{/a}}".repeat(5_000);
  const body = { direction: "in", agentId: "plain", name: "hook", prompt: template, signature: "none" };
  const { id, secret } = await (await server.call(createHook, { as: "admin", body })).json();
  const receive = (content: string) =>
    server.call(receiveHook, {
      params: { hookId: id },
      path: `/hooks/${id}`,
      key: secret,
      body: content,
    });
  for (const content of [{ a: "x".repeat(1_000_000) }, { a: "x".repeat(250) }, { b: "x".repeat(MEGABYTE - 50) }]) {
    const reply = await receive(JSON.stringify(content));
    expect([reply.status, (await reply.json()).error.message]).toEqual([413, expect.stringContaining("1")]);
  }
  const firings = await server.database.firing.findMany({ where: { triggerId: id } });
  expect(firings.map(({ state, runId }) => [state, runId])).toEqual(firings.map(() => ["refused", null]));
  expect(await server.database.run.count()).toBe(0);
});

test("whatever starts a run, its text has the same limit", async () => {
  const { id: threadId } = await createThread(server.services, { id: "member" }, "plain");
  const request = { ownerId: "member", agentId: "plain", threadId, origin: "channel" as const };
  const messages = [{ role: "user" as const, content: long }];
  const refused = startRun(server.database, { ...request, messages });
  await expect(refused).rejects.toMatchObject({ code: "payload_too_large" });
  expect(await server.database.run.count()).toBe(0);
});
