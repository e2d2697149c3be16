import { afterEach, expect, test } from "vitest";
import { GET as exportTrace } from "@/app/api/traces/[traceId]/export/route";
import { GET as getTrace } from "@/app/api/traces/[traceId]/route";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import type { SpanBody } from "@/lib/schema/traces/span-body";
import type { Trace } from "@/lib/schema/traces/trace";
import { type Answer, type Conversation, startConversation, textOf } from "@/lib/testing/fixtures/compaction-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";
import { flushSpans } from "./recorder";

let talk: Conversation;
afterEach(() => talk.server.close());

/** Every model call of all traces in span order, with its request as the API reports it. */
async function recordedRequests(): Promise<Told[]> {
  const { database } = talk.server;
  const load = async () => {
    await flushSpans();
    const where = { type: { in: ["llm", "summary"] }, endedAt: { not: null } };
    const rows = await database.span.findMany({ where, orderBy: { startedAt: "asc" } });
    return rows.filter(({ attributes }) => attributes.includes('"max_tokens":'));
  };
  await reached(async () => (await load()).length === talk.server.provider.requests.length);
  const sending = await load();
  return Promise.all(sending.map(async ({ id: spanId, traceId }) => tellRecorded(await bodyOf(traceId, spanId))));
}

async function bodyOf(traceId: string, spanId: string): Promise<SpanBody> {
  const open = { as: "admin", params: { traceId, spanId }, path: "/x?earlier=true" } as const;
  return (await (await talk.server.call(getBody, open)).json()) as SpanBody;
}

interface Told {
  readonly system: string;
  readonly messages: readonly string[];
  readonly tools: readonly string[];
  readonly maxTokens: unknown;
}

/** What was sent according to a span's body. */
function tellRecorded({ system, modelCall }: SpanBody): Told {
  const request = modelCall?.request;
  if (!request) throw new Error("the request is not recorded");
  const messages = [...(request.earlier ?? []), ...request.fresh];
  return {
    system: (system ?? []).map(({ text }) => text).join("\n\n"),
    messages: messages.map((message) => (message ? tellMessage(message) : "gone")),
    tools: (request.tools ?? []).map(({ name }) => name),
    maxTokens: request.maxTokens,
  };
}

function tellMessage(message: Message): string {
  const calls = message.role === "assistant" ? message.toolCalls.map(({ name, rawArgs }) => `${name}${rawArgs}`) : [];
  return [message.role, message.content, ...calls].join("|");
}

/** What the provider received. */
function tellReceived(body: ChatRequestBody): Told {
  const { messages = [], tools = [] } = body;
  const system = messages.filter(({ role }) => role === "system").map(textOf);
  const others = messages.filter(({ role }) => role !== "system");
  return {
    system: system.join("\n\n"),
    messages: others.map((message) => {
      const calls = (message.tool_calls ?? []).map(({ function: call }) => `${call.name}${call.arguments}`);
      return [message.role, message.content ? textOf(message) : "", ...calls].join("|");
    }),
    tools: tools.map(({ function: tool }) => tool.name),
    maxTokens: body.max_tokens,
  };
}

const inOrder = (requests: readonly Told[]) => requests.map((request) => JSON.stringify(request)).toSorted();

const received = () => talk.server.provider.requests.map(({ body }) => tellReceived(body));

const calculateThenAnswer: Answer = ({ messages = [] }) => {
  const steps = messages.length - messages.findLastIndex(({ role }) => role === "user");
  return steps < 5 ? { calls: [{ name: "calculate", args: { expression: `1 + ${steps}` } }] } : { text: "done" };
};

test.each<[string, Partial<AgentConfigInput>, string[]]>([
  ["a run of several steps", { tools: ["calculate"], system_prompt: "You count." }, ["one", "two"]],
  [
    "a last answer without tools",
    { tools: ["calculate"], system_prompt: "You count.", max_iterations: 1, on_limit: "final_answer" },
    ["one", "two"],
  ],
  ["an injected context", { tools: ["calculate"], inject_context: "It rains." }, ["one", "two"]],
  ["a long message that was cut", { max_message_chars: 40 }, ["word ".repeat(30), "two"]],
  ["a compaction", { compaction: { max_messages: 2, keep_last: 1 } }, ["one", "two", "three"]],
  [
    "an in-run summary",
    { context_window: 100, summarization: { enabled: true }, compaction: { enabled: false } },
    ["x".repeat(360), "a", "b"],
  ],
  [
    "pruned tool results",
    {
      tools: ["calculate"],
      context_window: 1000,
      pruning: {
        enabled: true,
        soft_ratio: 0.01,
        soft_max_chars: 1,
        soft_head: 1,
        soft_tail: 0,
        keep_last_assistants: 1,
      },
    },
    ["one", "two", "three"],
  ],
])("the trace tells what was sent to the letter: %s", async (_, config, messages) => {
  talk = await startConversation(config, { turn: calculateThenAnswer });
  for (const message of messages) await talk.say(message);
  if (config.compaction?.max_messages) await talk.compacted(messages.length);
  const told = await recordedRequests();
  // A summary is sent within the call that it shortens, whose span began earlier.
  expect(inOrder(told)).toEqual(inOrder(received()));
});

test("what a call read is unchanged when the agent, its history rules and the thread change", async () => {
  talk = await startConversation({ tools: ["calculate"], inject_context: "It rains." }, { turn: calculateThenAnswer });
  await talk.say("one");
  await talk.say("two");
  const before = await recordedRequests();
  const { database } = talk.server;
  const config = JSON.stringify({ name: "Other", history: { limit_turns: 1 }, inject_context: "The sun shines." });
  await database.agentVersion.updateMany({ data: { config } });
  const {
    id: cutMessageId,
    threadId,
    runId,
  } = await database.message.findFirstOrThrow({ orderBy: { position: "desc" } });
  const summary = { id: "cmp_1", threadId, afterRunId: runId, cutMessageId, summary: "Something else.", count: 1 };
  await database.compaction.create({ data: summary });
  expect(await recordedRequests()).toEqual(before);
});

test("the calls of a running run can already be opened", async () => {
  const gate = Promise.withResolvers<void>();
  const turn: Answer = ({ messages = [] }) =>
    messages.at(-1)?.role === "tool"
      ? { text: "done", gate: gate.promise }
      : { calls: [{ name: "calculate", args: { expression: "1 + 1" } }] };
  talk = await startConversation({ tools: ["calculate"] }, { turn });
  const saying = talk.say("one");
  await talk.server.provider.request(2);
  const run = await talk.server.database.run.findFirstOrThrow();
  const open = { as: "member", params: { traceId: run.traceId } } as const;
  const trace = (await (await talk.server.call(getTrace, open)).json()) as Trace;
  const calls = trace.spans.filter(({ name }) => name === "llm.call");
  const told = await Promise.all(calls.map(async ({ id }) => tellRecorded(await bodyOf(run.traceId, id))));
  expect(told).toEqual(received());
  gate.resolve();
  await saying;
});

test("a message is stored once, however many calls have read it", async () => {
  talk = await startConversation({ tools: ["calculate"] }, { turn: calculateThenAnswer });
  const rare = "an unusual question";
  await talk.say(rare);
  await talk.say("two");
  await recordedRequests();
  const { database } = talk.server;
  const texts = (await database.blob.findMany()).map(({ content }) => new TextDecoder().decode(content));
  expect(texts.filter((text) => text.includes(rare))).toEqual([]);
  expect(await database.message.count({ where: { content: rare } })).toBe(1);
  expect(await database.span.count({ where: { attributes: { contains: rare } } })).toBe(0);
});

test("the thread's history takes no space in the trace of each run", async () => {
  talk = await startConversation({}, { turn: () => ({ text: "done" }) });
  for (const message of ["one", "two", "three"]) await talk.say(message);
  await recordedRequests();
  const calls = await talk.server.database.span.findMany({ where: { type: "llm" }, orderBy: { startedAt: "asc" } });
  const names = calls.map(({ attributes }) => JSON.parse(attributes).message_hashes);
  expect(names).toEqual([
    [expect.any(String)],
    [[expect.any(Number), expect.any(Number)], expect.any(String)],
    [[expect.any(Number), expect.any(Number)], expect.any(String)],
  ]);
  expect(names.slice(1).map(([[first, last]]) => last - first + 1)).toEqual([2, 4]);
});

test("a row of the history that is gone leaves a gap", async () => {
  talk = await startConversation({}, { turn: () => ({ text: "done" }) });
  for (const message of ["one", "two"]) await talk.say(message);
  await recordedRequests();
  await talk.server.database.message.deleteMany({ where: { content: "one" } });
  const [, second] = await recordedRequests();
  expect(second?.messages).toEqual(["gone", "assistant|done", "user|two"]);
});

test("an export holds every text that its spans name", async () => {
  talk = await startConversation(
    { tools: ["calculate"], system_prompt: "You count.", inject_context: "It rains." },
    { turn: calculateThenAnswer },
  );
  await talk.say("one");
  await recordedRequests();
  const { traceId } = await talk.server.database.run.findFirstOrThrow();
  const file = await (await talk.server.call(exportTrace, { as: "admin", params: { traceId } })).json();
  const calls = file.trace.spans.filter(({ name }: { name: string }) => name === "llm.call");
  const named = calls.flatMap(({ attributes }: Trace["spans"][number]) => [
    ...(attributes.message_hashes as string[]),
    attributes.reply_hash,
  ]);
  expect(named.filter((hash: string) => !(hash in file.texts))).toEqual([]);
  const texts = Object.values(file.texts).join();
  for (const text of ["You count.", "It rains.", '"content":"one"', '"name":"calculate"', '"content":"done"']) {
    expect(texts).toContain(text);
  }
});
