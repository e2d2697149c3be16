import { afterEach, expect, test } from "vitest";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { GET as getThread } from "@/app/api/threads/[threadId]/route";
import { GET as apiTraces } from "@/app/api/traces/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { GET as getTrace } from "../traces/[id]/route";
import { GET as listTraces } from "../traces/route";
import { POST as invoke } from "./invoke/route";
import { GET as state } from "./threads/[threadId]/route";

let server: RunServer;
afterEach(() => server.close());

const params = { id: "worker" };
const usage = { input: 70, output: 7 };
const calls: ScriptedAnswer = { calls: [{ name: "calculate", args: { expression: "1+1" } }], usage };
const body = { messages: [{ role: "user", content: "go" }], thread_id: "t" };
const UNKNOWN = { input_tokens: null, output_tokens: null, total_tokens: null, cost_usd: null };

async function start(script: readonly ScriptedAnswer[], config: object = {}) {
  server = await startRunServer(script);
  const raw = { name: "Worker", model: "scripted:m", retries: 0, tools: ["calculate"], ...config };
  await createAgent(server.services, { agentId: "worker", raw, createdById: null });
}

const call = { as: "member" } as const;
const read = async (reply: Promise<Response>) => (await reply).json();

/** The usage of the run, its traces and its thread, as the APIs show it. */
async function shown() {
  const run = await server.database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  const { usage: ofRun } = await read(server.call(getRun, { ...call, params: { runId: run.id } }));
  const { traces } = await read(server.call(listTraces, call));
  const { traces: pageTraces } = await read(server.call(apiTraces, call));
  const thread = await read(server.call(state, { ...call, params: { ...params, threadId: "t" } }));
  const page = await read(server.call(getThread, { ...call, params: { threadId: run.threadId } }));
  return { run, ofRun, trace: traces[0], pageTrace: pageTraces[0], thread: thread.usage, page: page.usage };
}

test("what a stopped call used is unknown everywhere, and what the others used is known", async () => {
  await start([calls, { text: "It i", fault: { kind: "silence" } }]);
  const invoked = server.call(invoke, { ...call, params, body });
  await server.provider.request(2);
  await reached(async () => (await server.database.runEvent.count({ where: { type: "text.delta" } })) > 0);
  const { id: runId } = await server.database.run.findFirstOrThrow();
  await server.call(cancel, { ...call, method: "POST", params: { runId } });
  const known_usage = { input_tokens: 70, output_tokens: 7 };
  expect(await read(invoked)).toMatchObject({ status: "cancelled", usage: { ...UNKNOWN, known_usage } });
  const { ofRun, trace, pageTrace, thread, page } = await shown();
  const unknown = { inputTokens: null, outputTokens: null, cachedReadTokens: null, reasoningTokens: null };
  const knownUsage = expect.objectContaining({ inputTokens: 70, outputTokens: 7 });
  expect(ofRun).toMatchObject({ ...unknown, totalTokens: null, costUsd: null, knownUsage });
  expect(trace).toMatchObject({ input_tokens: null, output_tokens: null, cost_usd: null });
  expect(pageTrace.usage).toMatchObject({ ...unknown, knownUsage });
  expect(thread).toMatchObject({ ...UNKNOWN, known_usage });
  expect(page).toMatchObject({ ...unknown, totalTokens: null, knownUsage });
  const { spans } = await read(server.call(getTrace, { ...call, params: { id: trace.trace_id } }));
  const tokens = spans.flatMap(
    ({ type, attributes }: { type: string; attributes: { input_tokens?: number | null } }) =>
      type === "tool" ? [] : [attributes.input_tokens],
  );
  expect(tokens.toSorted()).toEqual([70, null, null]);
});

test.each<[string, ScriptedAnswer]>([
  ["refused", { fault: { status: 400, message: "no" } }],
  ["broken off", { text: "It i", fault: { kind: "cut" } }],
])("what a call used that was %s is unknown", async (_, answer) => {
  await start([answer]);
  expect((await server.call(invoke, { ...call, params, body })).status).toBe(502);
  const { ofRun, run } = await shown();
  expect([run.status, ofRun.inputTokens, ofRun.costUsd]).toEqual(["failed", null, null]);
});

test("an attempt that broke off before it was repeated makes the run's usage unknown", async () => {
  await start(
    [
      { text: "It i", fault: { kind: "cut" } },
      { text: "It is two.", usage },
    ],
    { retries: 1 },
  );
  const reply = await read(server.call(invoke, { ...call, params, body }));
  expect(reply).toMatchObject({ status: "completed", usage: { ...UNKNOWN, known_usage: { input_tokens: 70 } } });
});

test("the usage of a run whose calls all reported theirs is known", async () => {
  await start([calls, { text: "Two.", usage }]);
  const reply = await read(server.call(invoke, { ...call, params, body }));
  expect(reply.usage).toEqual({
    input_tokens: 140,
    output_tokens: 14,
    total_tokens: 154,
    cost_usd: expect.any(Number),
  });
  expect((await shown()).ofRun).not.toHaveProperty("knownUsage");
});

test("the list of traces says what is known of a run with an unknown call", async () => {
  await start([calls, { text: "It i", fault: { kind: "cut" } }]);
  await server.call(invoke, { ...call, params, body });
  const { trace } = await shown();
  expect(trace).toMatchObject({ input_tokens: null, known_usage: { input_tokens: 70, output_tokens: 7 } });
});

test("the demo model's tokens are marked as estimated everywhere, those of a provider nowhere", async () => {
  await start([{ text: "Fine.", usage }], { model: "demo:demo" });
  const invoked = await read(server.call(invoke, { ...call, params, body }));
  expect(invoked.usage).toEqual({
    input_tokens: expect.any(Number),
    output_tokens: expect.any(Number),
    total_tokens: expect.any(Number),
    cost_usd: invoked.usage.cost_usd,
    estimated: true,
  });
  const { run, ...estimated } = await shown();
  for (const found of Object.values(estimated)) {
    const { usage: ofTrace, ...rest } = found;
    expect(ofTrace ?? rest).toHaveProperty("estimated", true);
  }
  const where = { runId: run.id, type: { in: ["agent", "llm"] }, endedAt: { not: null } };
  await reached(async () => (await server.database.span.count({ where })) === 2);
  const spans = await server.database.span.findMany({ where });
  expect(spans.map(({ attributes }) => JSON.parse(attributes).usage_estimated)).toEqual([true, true]);
  const chat = { model: "agent:worker", messages: [{ role: "user", content: "go" }] };
  expect((await read(server.call(complete, { ...call, body: chat }))).usage).toHaveProperty("estimated", true);

  await server.close();
  await start([{ text: "Fine.", usage }]);
  await read(server.call(invoke, { ...call, params, body }));
  expect(JSON.stringify(await shown())).not.toContain('"estimated":true');
});
