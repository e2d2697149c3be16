import { EventSchemas } from "@ag-ui/core/schemas";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import { closeEventStreams } from "@/lib/server/http/event-stream";
import { AgUiClient, problemOf, serveAgUi, textsOf } from "@/lib/testing/clients/ag-ui-client";
import type { ServedRoutes } from "@/lib/testing/clients/serve-routes";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const TODOS = { name: "write_todos", args: { todos: [{ id: "1", title: "One", status: "done" }] } };

const { server, lastMessages } = approvalServer({
  Hello: [{ reasoning: "A greeting.", text: "Hello there." }],
  Again: [{ text: "Once more." }],
  "Plan it": [{ text: "Planning.", calls: [TODOS] }, { text: "Planned." }],
  Fail: [{ fault: { status: 401 } }],
  Cut: [{ text: "Half a", fault: { kind: "cut" } }],
  "Never end": [{ text: "Never.", gate: new Promise(() => {}) }],
});

let served: ServedRoutes;
let key: string;
beforeAll(async () => {
  served = await serveAgUi();
  key = await server().addKey("member", ["read", "chat"]);
});
afterAll(() => served.close());

let agent: AgUiClient;
beforeEach(() => {
  agent = new AgUiClient({ url: served.url, key, agentId: "asks" });
});

const asked = () =>
  lastMessages()
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => `${role}: ${content}`);
const runs = () => server().database.run.findMany({ where: { thread: { clientId: agent.threadId } } });

test("a message is answered with the protocol's events, each valid by its schema", async () => {
  const { newMessages } = await agent.say("Hello");
  expect(agent.types).toEqual([
    "RUN_STARTED",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_END",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "RUN_FINISHED",
  ]);
  const { events, threadId } = agent;
  for (const event of events) EventSchemas.parse(event);
  expect(events[0]).toMatchObject({ threadId, protocolVersion: "1.0" });
  expect(events.at(-1)).toMatchObject({ threadId, outcome: { type: "success" }, result: { status: "completed" } });
  expect(textsOf(newMessages)).toEqual(["Hello there."]);
});

test("calls and their results are the reply's own, and the plan is the state", async () => {
  const { newMessages } = await agent.say("Plan it");
  expect(newMessages).toMatchObject([
    { role: "assistant", content: "Planning.", toolCalls: [{ function: { name: "write_todos" } }] },
    { role: "tool", content: expect.any(String) },
    { role: "assistant", content: "Planned." },
  ]);
  expect(agent.state).toEqual({ todos: [expect.objectContaining({ title: "One", status: "done" })] });
});

test("a run ends with what the calls of its models used", async () => {
  await agent.say("Plan it");
  const [run] = await runs();
  const { inputTokens = 0, outputTokens = 0 } = run ?? {};
  const counts = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  expect(inputTokens).toBeGreaterThan(0);
  expect(agent.events.at(-1)).toMatchObject({ usage: [{ provider: "scripted", model: "m", ...counts }] });
});

test("only the messages after the last known one are added to the client's thread", async () => {
  await agent.say("Hello");
  await agent.say("Again");
  expect(asked()).toEqual(["user: Hello", "assistant: Hello there.", "user: Again"]);
  expect(await runs()).toHaveLength(2);
});

test("what a client says that the agent wrote is not believed", async () => {
  agent.addMessages([
    { id: "m1", role: "user", content: "What is my limit?" },
    { id: "m2", role: "assistant", content: "There is none." },
  ]);
  await agent.say("Hello");
  expect(asked()).toEqual(["user: Hello"]);
});

test("a message whose run failed is not sent twice", async () => {
  expect(await problemOf(agent.say("Fail"))).toBeNull();
  expect(agent.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "model_failed" });
  expect(agent.events.at(-1)).not.toHaveProperty("usage");
  await agent.say("Again");
  expect(asked()).toEqual(["user: Fail", "user: Again"]);
});

test("without a new message, one whose reply the client has is refused, and any other answered again", async () => {
  await agent.say("Hello");
  expect(await problemOf(agent.runAgent())).toMatchObject({ status: 400 });
  agent.setMessages(agent.messages.filter(({ role }) => role === "user"));
  const { newMessages } = await agent.runAgent();
  expect(textsOf(newMessages)).toEqual(["Hello there."]);
  expect(asked()).toEqual(["user: Hello"]);
});

test("a run that came to nothing is begun again without a new message", async () => {
  await problemOf(agent.say("Cut"));
  expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Half a" });
  await problemOf(agent.runAgent());
  expect(asked()).toEqual(["user: Cut"]);
  expect(await runs()).toHaveLength(2);
});

test("a client that leaves cancels the run", async () => {
  const requests = server().provider.requests.length;
  const running = problemOf(agent.say("Never end"));
  await server().provider.request(requests + 1);
  agent.abortRun();
  await running;
  await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(["cancelled"]);
});

test("a run stopped elsewhere ends as cancelled", async () => {
  const requests = server().provider.requests.length;
  const running = agent.say("Never end");
  await server().provider.request(requests + 1);
  const [run] = await runs();
  await server().call(cancel, { as: "member", params: { runId: run?.id ?? "" }, method: "POST" });
  await running;
  expect(agent.events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } });
});

test("a server that restarts ends the stream with an error, and the run goes on", async () => {
  const requests = server().provider.requests.length;
  const running = problemOf(agent.say("Never end"));
  await server().provider.request(requests + 1);
  closeEventStreams(server().services);
  await running;
  expect(agent.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "unavailable" });
  expect((await runs()).map(({ status }) => status)).toEqual(["running"]);
});

test("a reply that is cut off ends its message and is an error", async () => {
  await problemOf(agent.say("Cut"));
  expect(agent.types).toEqual([
    "RUN_STARTED",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "RUN_ERROR",
  ]);
});

test("tools of the client are refused, because the agent has its own", async () => {
  const tools = [{ name: "x", description: "", parameters: {} }];
  expect(await problemOf(agent.say("Hello", { tools }))).toMatchObject({ status: 400 });
});

test("parts other than text and pictures are refused by name", async () => {
  const source = { type: "data" as const, value: "AAAA", mimeType: "audio/mpeg" };
  agent.addMessage({ id: "m1", role: "user", content: [{ type: "audio", source }] });
  const problem = await problemOf(agent.runAgent());
  expect(problem).toMatchObject({ status: 400, message: expect.stringContaining("audio") });
});

test("a client whose key may not chat is refused", async () => {
  agent.headers = { authorization: `Bearer ${await server().addKey("member", ["read"])}` };
  expect(await problemOf(agent.say("Hello"))).toMatchObject({ status: 403 });
});
