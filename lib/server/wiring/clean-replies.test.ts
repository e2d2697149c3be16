import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as stream } from "@/app/agents/[id]/stream/route";
import { GET as threadState } from "@/app/agents/[id]/threads/[threadId]/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createAgent } from "@/lib/server/agents/publish-version";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { parseEventStream, type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
afterEach(() => server.close());

async function start(script: Parameters<typeof startRunServer>[0], config: Partial<AgentConfigInput> = {}) {
  server = await startRunServer(script);
  const raw = { name: "A", model: "scripted:m", retries: 0, ...config };
  await createAgent(server.services, { agentId: "a", raw, createdById: null });
}
const say = (content: string) => ({ messages: [{ role: "user", content }], thread_id: "t" });

async function ask(content = "hi") {
  const reply = await server.call(invoke, { as: "member", params: { id: "a" }, body: say(content) });
  return reply.json();
}
async function watch(content = "hi") {
  const call = { as: "member", params: { id: "a" }, path: "/?format=run", body: say(content) } as const;
  return parseEventStream(await (await server.call(stream, call)).text());
}
async function state() {
  const reply = await server.call(threadState, { as: "member", params: { id: "a", threadId: "t" } });
  return reply.json();
}
const spanAttributes = async (name: string) => {
  const spans = await server.database.span.findMany({ where: { name } });
  return spans.map(({ attributes }) => JSON.parse(attributes));
};

test("the reply, the stream, the history and the transcript hold the same clean text", async () => {
  await start([{ text: "<think>Who is it?</think>\n\nHello.\n\nHello.\n\n<final>Bye.</final>\n" }]);
  const events = await watch();
  const chunks = events.flatMap(({ event, data }) =>
    event === "chunk" ? [(data as { content: string }).content] : [],
  );
  expect(chunks.join("")).toBe("Hello.\n\nBye.");
  expect((await state()).messages.at(-1)).toEqual({ role: "assistant", content: "Hello.\n\nBye." });
  const transcript = await server.database.transcriptMessage.findFirst({ where: { role: "assistant" } });
  expect(transcript?.text).toBe("Hello.\n\nBye.");
});

test("with sanitize off the reply is as the model wrote it", async () => {
  // Thoughts in the text are told apart before, where the provider's dialect says that they stand there.
  await start([{ text: "<final>Hello.</final> " }], { sanitize: { enabled: false } });
  expect((await ask()).response).toBe("<final>Hello.</final> ");
});

test("a silent reply is an empty answer without a notice, and is stored nowhere", async () => {
  await start([{ text: "NO_REPLY" }, { text: "Here I am." }]);
  expect(await ask("psst")).toMatchObject({ status: "completed", response: "", tool_calls: [] });
  expect((await state()).messages).toEqual([{ role: "user", content: "psst" }]);
  expect(await server.database.transcriptMessage.count({ where: { role: "assistant" } })).toBe(0);
  expect(await ask("hello?")).toMatchObject({ response: "Here I am." });
});

test("the trace says that the reply was silent", async () => {
  await start([{ text: "NO_REPLY" }]);
  await ask();
  await reached(async () => (await spanAttributes("a"))[0]?.silent === true);
  expect(await spanAttributes("llm.call")).toMatchObject([{ silent: true }]);
});

test("a stream of a silent reply shows nothing, or voids what it has shown", async () => {
  await start([{ text: "NO_REPLY" }, { text: "Nothing new. NO_REPLY" }]);
  const kinds = (events: Awaited<ReturnType<typeof watch>>) => events.map(({ event }) => event);
  expect(kinds(await watch())).toEqual(["run.started", "run.completed"]);
  const events = await watch();
  expect(events.findLast(({ event }) => event === "chunk")?.data).toMatchObject({ content: "", reset: true });
  expect(events.at(-1)?.data).toMatchObject({ status: "completed", silent: true });
});

test.each([
  [80, ""],
  [81, "x".repeat(81)],
])("with %i characters beside the token the answer is %j", async (count, response) => {
  await start([{ text: `NO_REPLY ${"x".repeat(count)}` }]);
  expect((await ask()).response).toBe(response);
});

test.each([
  [4, ""],
  [5, ""],
  [6, "x".repeat(6)],
])("with max_other_chars 5 and %i characters beside the token the answer is %j", async (count, response) => {
  await start([{ text: `${"x".repeat(count)} NO_REPLY` }], { silent_replies: { max_other_chars: 5 } });
  expect((await ask()).response).toBe(response);
});

test("a silent reply of /v1 is an empty message, also when text was sent before the token", async () => {
  await start([{ text: "Nothing new. NO_REPLY" }]);
  const body = { model: "agent:a", messages: [{ role: "user", content: "hi" }] };
  const reply = await (await server.call(complete, { as: "member", body })).json();
  expect(reply.choices[0]).toMatchObject({ message: { content: "" }, finish_reason: "stop" });
  const streamed = await (await server.call(complete, { as: "member", body: { ...body, stream: true } })).text();
  expect(streamed).not.toContain("error");
  expect(streamed).toContain('"finish_reason":"stop"');
});

test("a call of a tool before the silence stays visible", async () => {
  await start([{ calls: [{ name: "calculate", args: { expression: "1+1" } }] }, { text: "NO_REPLY" }], {
    tools: ["calculate"],
  });
  expect(await ask()).toMatchObject({ response: "", tool_calls: [{ name: "calculate", output: "2" }] });
  const transcript = await server.database.transcriptMessage.findFirst({ where: { role: "assistant" } });
  expect(transcript?.parts).toContain("calculate");
});
