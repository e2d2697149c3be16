import { afterEach, expect, test } from "vitest";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import {
  type Answer,
  type Conversation,
  saidIn,
  startConversation,
  textOf,
} from "@/lib/testing/fixtures/compaction-fixture";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

let talk: Conversation;
afterEach(() => talk.server.close());

const MEMORY: Partial<AgentConfigInput> = {
  system_prompt: "You talk.",
  backend: { type: "state" },
  memory: { paths: ["AGENTS.md"] },
  compaction: { max_messages: 4, keep_last: 2 },
  memory_flush: { always: true },
};

async function start(config: Partial<AgentConfigInput>, answers: Partial<Record<"flush" | "summary", Answer>> = {}) {
  talk = await startConversation({ ...MEMORY, ...config }, answers);
}

const flushes = () => talk.requests("flush");
/** Requests that open a flush, recognised by the flush's own last message. */
const opening = ({ messages = [] }: ChatRequestBody) =>
  textOf(messages.at(-1) ?? { role: "none" }).includes("NO_REPLY");
const write = (content: string) => ({ calls: [{ name: "write_file", args: { path: "AGENTS.md", content } }] });
const flushSpan = () =>
  expect.poll(async () =>
    talk.server.database.span.findFirst({ where: { name: "memory_flush", endedAt: { not: null } } }),
  );

test("what must last is written before the summary, as a version of its run, and nothing of it enters the thread", async () => {
  let calls = 0;
  await start({}, { flush: () => (++calls === 1 ? write("Ada likes tea.\n") : { text: "NO_REPLY" }) });
  await talk.turns(3);
  await talk.compacted(1);
  const version = await talk.server.database.fileVersion.findFirst({ where: { path: { endsWith: "AGENTS.md" } } });
  expect(version).toMatchObject({ version: 1, runId: expect.stringMatching(/^run_/), spanId: expect.any(String) });
  expect(version).toMatchObject({ step: null, toolCallId: expect.any(String) });
  const [document, ...others] = await talk.server.database.memoryVersion.findMany();
  expect(document?.lineHashes).toHaveLength(16);
  expect(others).toEqual([]);
  expect((await talk.state()).messages).toHaveLength(6);
  const kinds = talk.server.provider.requests.map(({ body }) => JSON.stringify(body).includes("<conversation>"));
  expect(kinds.indexOf(true)).toBe(kinds.length - 1);
  await flushSpan().toMatchObject({ type: "summary", status: "completed" });
  const [call] = await talk.server.database.call.findMany();
  expect(call).toMatchObject({ tool: "write_file", step: 0, status: "completed", runId: version?.runId });
  const steps = await talk.server.database.runStep.findMany({ where: { runId: version?.runId ?? "" } });
  expect(steps.map(({ step, readSeq }) => [step, readSeq])).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test("the turn has the minimal prompt, the ten most recent messages, and the two file tools", async () => {
  await start({ compaction: { max_messages: 12, keep_last: 2 }, prompt: { mode: "full" } });
  await talk.turns(7);
  await talk.compacted(1);
  const [request] = flushes();
  expect(request?.tools?.map((tool) => tool.function.name).toSorted()).toEqual(["read_file", "write_file"]);
  expect(saidIn(request)).toHaveLength(11);
  expect(saidIn(request)[0]).toBe("user: question 3");
  const [flush = "", turn = ""] = [request, talk.requests("turn")[0]].map((sent) =>
    JSON.stringify(sent?.messages?.[0]),
  );
  expect(flush).toMatch(/You talk\..*- read_file: .*about to be replaced.*AGENTS\.md/);
  expect([turn, flush].map((text) => text.includes("## Silent replies"))).toEqual([true, false]);
});

test("it makes at most five model calls", async () => {
  await start({}, { flush: () => write("again") });
  await talk.turns(3);
  await talk.compacted(1);
  expect(flushes()).toHaveLength(5);
  await flushSpan().toMatchObject({ attributes: expect.stringContaining('"note":"5 writes"') });
});

test("it stops at its time limit, and the summary is still written", async () => {
  await start({ memory_flush: { always: true, timeout_ms: 50 } }, { flush: () => ({ gate: new Promise(() => {}) }) });
  await talk.turns(3);
  await talk.compacted(1);
  await flushSpan().toMatchObject({ status: "failed", error: expect.stringContaining("memory_flush.timeout_ms") });
});

test("it happens once per cycle: not again after a failed summary, but again before the next one", async () => {
  let summaries = 0;
  const summary = () => (++summaries === 1 ? { fault: { status: 500 } } : { text: "They talked." });
  await start({}, { summary });
  await talk.turns(3);
  await expect.poll(() => talk.requests("summary").length).toBe(1);
  await talk.compacted(0);
  await talk.turns(1);
  await talk.compacted(1);
  expect(flushes().filter(opening)).toHaveLength(1);
  await talk.turns(2);
  await talk.compacted(2);
  expect(flushes().filter(opening)).toHaveLength(2);
});

test("without `always` it happens only from the window's reserve on", async () => {
  const memory_flush = { reserve_tokens: 20, soft_threshold: 4 };
  await start({ context_window: 100, memory_flush });
  await talk.say("x".repeat(74 * 4));
  await talk.say("abc");
  await talk.compacted(1);
  expect(flushes()).toHaveLength(1);
  await talk.server.close();
  await start({ context_window: 101, memory_flush });
  await talk.say("x".repeat(74 * 4));
  await talk.say("abc");
  await talk.compacted(1);
  expect(flushes()).toHaveLength(0);
});

test.each([
  ["no memory", { memory: { paths: [] } }],
  ["no backend", { backend: null }],
  ["it switched off", { memory_flush: { enabled: false } }],
] satisfies [string, Partial<AgentConfigInput>][])("an agent with %s has no flush", async (_, config) => {
  await start(config);
  await talk.turns(3);
  await talk.compacted(1);
  expect(flushes()).toHaveLength(0);
});

test("permissions apply in it too, and nobody is asked", async () => {
  await start({ permissions: { enabled: true, deny: ["write_file"] } }, { flush: () => write("no") });
  await talk.turns(3);
  await talk.compacted(1);
  expect(await talk.server.database.fileVersion.count()).toBe(0);
  expect(flushes()[0]?.tools?.map((tool) => tool.function.name)).toEqual(["read_file"]);
  await flushSpan().toMatchObject({ attributes: expect.stringContaining('"note":"nothing written"') });
});

test.each([
  ["S4's own words", undefined, "Store durable memories now, if nothing to store reply NO_REPLY."],
  ["what the agent says instead", "Keep what matters, or NO_REPLY.", "Keep what matters, or NO_REPLY."],
])("it is asked with %s", async (_, prompt, asked) => {
  await start({ memory_flush: { always: true, ...(prompt === undefined ? {} : { prompt }) } });
  await talk.turns(3);
  await talk.compacted(1);
  expect(saidIn(flushes()[0]).at(-1)).toBe(`user: ${asked}`);
});
