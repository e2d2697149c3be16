import { afterEach, expect, test } from "vitest";
import { POST as stream } from "@/app/agents/[id]/stream/route";
import { POST as carryOn } from "@/app/api/runs/[runId]/continue/route";
import { GET as events } from "@/app/api/runs/[runId]/events/route";
import { POST as compact } from "@/app/api/threads/[threadId]/compact/route";
import { GET as getThread } from "@/app/api/threads/[threadId]/route";
import { type Conversation, saidIn, startConversation } from "@/lib/testing/fixtures/compaction-fixture";
import { parseEventStream } from "@/lib/testing/servers/run-server";
import { lockThread } from "./thread-lock";

let talk: Conversation;
afterEach(() => talk.server.close());

const start = async (...options: Parameters<typeof startConversation>) => {
  talk = await startConversation(...options);
};
const PAIR = [
  "user: [Previous conversation summary]\nThey talked.",
  expect.stringMatching(/^assistant: I understand the context/),
];
const byHand = async () => {
  const { id: threadId } = await talk.thread();
  return talk.server.call(compact, { as: "member", method: "POST", params: { threadId } });
};

test("25 plain turns do not compact; the 26th does, and the next request carries the pair, four messages and the new one", {
  timeout: 60_000,
}, async () => {
  await start({});
  await talk.turns(26);
  await talk.compacted(1);
  expect(talk.requests("summary")).toHaveLength(1);
  await talk.say("and now?");
  expect(saidIn(talk.requests("turn").at(-1))).toEqual([
    ...PAIR,
    "user: question 25",
    "assistant: fine",
    "user: question 26",
    "assistant: fine",
    "user: and now?",
  ]);
});

test("a summary is stored as a call of its run while it is made, so that a kill loses none of what it costs", async () => {
  const open: unknown[] = [];
  const summary = async () => {
    open.push(...(await talk.server.database.followUpCall.findMany({ select: { runId: true } })));
    return { text: "They talked." };
  };
  await start({ compaction: { enabled: false, keep_last: 1 } }, { summary });
  await talk.turns(2);
  expect((await byHand()).status).toBe(200);
  const { id: runId } = await talk.server.database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  expect(open).toEqual([{ runId }]);
  expect(await talk.server.database.followUpCall.count()).toBe(0);
});

test("the spans of a compaction are stored as ended before its thread is free again", async () => {
  await start({ compaction: { enabled: false, keep_last: 1 } });
  await talk.turns(2);
  expect((await byHand()).status).toBe(200);
  const spans = await talk.server.database.span.findMany({ where: { type: "summary" }, select: { endedAt: true } });
  expect(spans).toEqual([{ endedAt: expect.any(Date) }]);
});

test("a compaction ends the spans of the one before it, whose process died while it held the thread", async () => {
  await start({ compaction: { enabled: false, keep_last: 1 } });
  await talk.turns(2);
  const { database } = talk.server;
  const { id: threadId } = await talk.thread();
  const { id: runId, traceId } = await database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  const dead = { traceId, runId, type: "summary", name: "compaction", status: "running", attributes: "{}" };
  await database.span.create({ data: { id: "sp_dead", ...dead, startedAt: new Date() } });
  const compactionUntil = new Date(Date.now() - 1_000);
  await database.thread.update({ where: { id: threadId }, data: { compactionOwner: "dead", compactionUntil } });
  expect((await byHand()).status).toBe(200);
  const span = await database.span.findUniqueOrThrow({ where: { id: "sp_dead" } });
  expect(span).toMatchObject({ status: "interrupted", endedAt: expect.any(Date) });
});

test("the summary call has compaction's own temperature and length and no tools", async () => {
  await start({ temperature: 1, compaction: { max_messages: 4, max_tokens: 900, temperature: 0.2 } });
  await talk.turns(3);
  await talk.compacted(1);
  const [request] = talk.requests("summary");
  expect([request?.temperature, request?.max_tokens ?? request?.max_completion_tokens, request?.tools]).toEqual([
    0.2,
    900,
    undefined,
  ]);
});

test.each([
  ["the absolute threshold", { compaction: { absolute_tokens: 76, keep_last: 1 } }],
  ["three quarters of the window", { context_window: 100, compaction: { keep_last: 1 } }],
])("at 75 tokens nothing happens, at 76 the history has reached %s", async (_, config) => {
  await start(config);
  await talk.say("x".repeat(74 * 4));
  await talk.say("abc");
  await talk.compacted(1);
  expect(talk.requests("summary")).toHaveLength(1);
  expect(saidIn(talk.requests("summary")[0]).join()).toContain("[User]\nabc");
});

test("people still see everything, with a marker behind the last run, and the state says what the model no longer sees in full", async () => {
  await start({ compaction: { max_messages: 4, keep_last: 2 } });
  await talk.turns(3);
  await talk.compacted(1);
  const state = await talk.state();
  expect(state).toMatchObject({
    summary: "They talked.",
    compaction_count: 1,
    model: "scripted:m",
    provider: "scripted",
  });
  expect(state.messages).toHaveLength(6);
  const { id: threadId } = await talk.thread();
  const shown = await (await talk.server.call(getThread, { as: "member", params: { threadId } })).json();
  expect(shown.messages).toHaveLength(6);
  expect(shown.messages.at(-1).parts.at(-1)).toMatchObject({
    type: "data-compaction",
    id: "compaction-1",
    data: { compacted: 4, kept: 2, count: 1, memoryFlushed: false, summary: "They talked." },
  });
  const runId = shown.messages.at(-1).metadata.runId;
  const log = parseEventStream(await (await talk.server.call(events, { as: "member", params: { runId } })).text());
  expect(log.at(-1)).toMatchObject({ event: "run.completed" });
});

test("a summary is cleaned as replies are, and one that only thinks has failed", async () => {
  const summaries = ["<think>Nothing but thoughts.</think>", "<think>What was it?</think>\n\nThey talked."];
  await start({ compaction: { max_messages: 4 } }, { summary: () => ({ text: summaries.shift() ?? "" }) });
  await talk.turns(3);
  await expect.poll(() => talk.requests("summary").length).toBe(1);
  await talk.compacted(0);
  await talk.turns(1);
  await talk.compacted(1);
  expect(await talk.server.database.compaction.findMany()).toMatchObject([{ summary: "They talked.", count: 1 }]);
});

test("an earlier summary and tool results are part of what the next one summarises", async () => {
  let round = 0;
  const turn = () => {
    round += 1;
    return round % 2 === 1 ? { calls: [{ name: "calculate", args: { expression: "6 * 7" } }] } : { text: "It is 42." };
  };
  await start({ tools: ["calculate"], compaction: { max_messages: 3, keep_last: 1 } }, { turn });
  await talk.turns(1);
  await talk.compacted(1);
  expect(saidIn(talk.requests("summary")[0]).join()).toContain("[Result of calculate]\n42");
  await talk.turns(1);
  await talk.compacted(2);
  expect(saidIn(talk.requests("summary")[1]).join()).toContain("[Previous conversation summary]\nThey talked.");
});

test("the summary can be in the system prompt instead", async () => {
  await start({ compaction: { max_messages: 4, placement: "system" } });
  await talk.turns(3);
  await talk.compacted(1);
  await talk.say("and now?");
  const request = talk.requests("turn").at(-1);
  expect(saidIn(request)).toHaveLength(5);
  expect(JSON.stringify(request?.messages?.[0])).toContain("[Previous conversation summary]\\nThey talked.");
});

test("the answer does not wait for the summary, and messages that arrive in the meantime stay", async () => {
  const gate = Promise.withResolvers<void>();
  await start(
    { compaction: { max_messages: 4, keep_last: 2 } },
    { summary: () => ({ text: "Late.", gate: gate.promise }) },
  );
  await talk.turns(3);
  expect((await talk.say("meanwhile")).status).toBe(200);
  gate.resolve();
  await talk.compacted(1);
  await talk.say("and now?");
  expect(saidIn(talk.requests("turn").at(-1)).slice(2)).toEqual([
    "user: question 3",
    "assistant: fine",
    "user: meanwhile",
    "assistant: fine",
    "user: and now?",
  ]);
});

test("a failed summary leaves counter and history, and the next run tries again", async () => {
  let isBroken = true;
  const summary = () => (isBroken ? { fault: { status: 500 } } : { text: "They talked." });
  await start({ compaction: { max_messages: 4 } }, { summary });
  await talk.turns(3);
  await expect.poll(() => talk.requests("summary").length).toBe(1);
  await talk.compacted(0);
  isBroken = false;
  await talk.turns(1);
  expect(saidIn(talk.requests("turn").at(-1))).toHaveLength(7);
  await talk.compacted(1);
});

test("a thread that somebody else compacts is left alone", async () => {
  await start({ compaction: { max_messages: 4 } });
  await talk.turns(2);
  const { id } = await talk.thread();
  expect(await lockThread(talk.server.database, id, 60_000)).not.toBeNull();
  expect(await lockThread(talk.server.database, id, 60_000)).toBeNull();
  await talk.turns(1);
  const reply = await byHand();
  expect([reply.status, (await reply.json()).error.code]).toEqual([409, "busy"]);
  expect(talk.requests("summary")).toHaveLength(0);
  await talk.server.database.thread.update({ where: { id }, data: { compactionUntil: new Date(0) } });
  await talk.turns(1);
  await talk.compacted(1);
  expect(talk.requests("summary")).toHaveLength(1);
});

test("by hand a thread is compacted before it is due, and nothing happens when there is nothing to summarise", async () => {
  await start({});
  await talk.turns(2);
  expect(await (await byHand()).json()).toMatchObject({ compacted: 0, kept: 4 });
  await talk.turns(1);
  const facts = await (await byHand()).json();
  expect(facts).toEqual({ compacted: 2, kept: 4, tokensBefore: 9, tokensAfter: expect.any(Number), estimated: true });
  await talk.compacted(1);
});

test("by hand it is refused while a run is running", async () => {
  const gate = Promise.withResolvers<void>();
  await start({}, { turn: () => ({ text: "late", gate: gate.promise }) });
  const running = talk.say("go");
  await expect.poll(() => talk.server.database.run.count({ where: { status: "running" } })).toBe(1);
  expect((await byHand()).status).toBe(409);
  gate.resolve();
  await running;
});

test("its tokens and spans belong to the run that it followed", async () => {
  const usage = { input: 100, output: 10 };
  await start({ compaction: { max_messages: 4 } }, { summary: () => ({ text: "They talked.", usage }) });
  await talk.turns(3);
  await talk.compacted(1);
  const run = await talk.server.database.run.findFirstOrThrow({ where: { inputTokens: { gte: 100 } } });
  const runs = await talk.server.database.run.aggregate({ _sum: { inputTokens: true, outputTokens: true } });
  expect(await talk.thread()).toMatchObject({ model: "scripted:m", ...runs._sum });
  const spans = () => talk.server.database.span.findMany({ where: { runId: run.id, endedAt: { not: null } } });
  await expect.poll(async () => (await spans()).map(({ name }) => name)).toContain("compaction");
  const all = await spans();
  const outer = all.find(({ name }) => name === "compaction");
  expect(outer).toMatchObject({ type: "summary", status: "completed", parentId: `sp_${run.id}` });
  expect(all.find(({ parentId }) => parentId === outer?.id)).toMatchObject({ type: "llm", name: "llm.call" });
});

test("invoke says how often the thread was compacted", async () => {
  const gate = Promise.withResolvers<void>();
  let summaries = 0;
  // Work after the invoked run may finish before its reply is written.
  const summary = () => ({ text: "They talked.", gate: ++summaries > 1 ? gate.promise : undefined });
  await start({ compaction: { max_messages: 4 } }, { summary });
  await talk.turns(3);
  await talk.compacted(1);
  expect((await (await talk.say("hi")).json()).compaction_count).toBe(1);
  gate.resolve();
});

test("a stream of the agent API ends with its run, whatever follows", async () => {
  await start({ compaction: { max_messages: 1, keep_last: 1 } });
  const body = { thread_id: "t", messages: [{ role: "user", content: "hi" }] };
  const reply = await talk.server.call(stream, { as: "member", params: { id: "talker" }, path: "/?format=run", body });
  await talk.compacted(1);
  expect(parseEventStream(await reply.text()).at(-1)).toMatchObject({ event: "run.completed" });
});

test("continuing a run when everything was summarised begins with the user saying Continue", async () => {
  const calls = [1, 2].map((n) => ({ name: "calculate", args: { expression: `${n}+${n}` } }));
  let asked = 0;
  const turn = () => (++asked === 1 ? { calls } : { text: "Done." });
  await start({ tools: ["calculate"], max_iterations: 1, compaction: { keep_last: 2 } }, { turn });
  await talk.say("go");
  await byHand();
  const { id: runId } = await talk.server.database.run.findFirstOrThrow();
  await talk.server.call(carryOn, { method: "POST", as: "member", params: { runId } });
  await expect.poll(() => talk.requests("turn").length).toBe(2);
  expect(saidIn(talk.requests("turn")[1])).toEqual([...PAIR, "user: Continue."]);
});
