import { afterEach, expect, test } from "vitest";
import { PATCH as patchThread } from "@/app/api/threads/[threadId]/route";
import { GET as getTrace } from "@/app/api/traces/[traceId]/route";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import type { SpanBody } from "@/lib/schema/traces/span-body";
import { type Conversation, startConversation } from "@/lib/testing/fixtures/compaction-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";

let talk: Conversation;
afterEach(() => talk.server.close());

/** The body of the latest run's own `llm.call` span, not a summary's, once it is stored. */
async function lastCall(query = ""): Promise<SpanBody> {
  const run = await talk.server.database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  const where = { runId: run.id, name: "llm.call", endedAt: { not: null }, attributes: { contains: `"step":` } };
  await reached(async () => (await talk.server.database.span.count({ where })) > 0);
  const { id: spanId, traceId } = await talk.server.database.span.findFirstOrThrow({ where });
  const reply = await talk.server.call(getBody, { as: "admin", params: { traceId, spanId }, path: `/x${query}` });
  return (await reply.json()) as SpanBody;
}

const earlier = async () => {
  const { modelCall } = await lastCall("?earlier=true");
  return modelCall?.request?.earlier?.map((message) => message?.content);
};

test("after a compaction a model call has read the summary pair and the messages kept", async () => {
  talk = await startConversation({ compaction: { max_messages: 4, keep_last: 2 } });
  await talk.turns(3);
  await talk.compacted(1);
  await talk.say("and now?");
  expect((await lastCall()).modelCall?.request).toMatchObject({ earlierCount: 4, fresh: [{ content: "and now?" }] });
  const first = "[Previous conversation summary]\nThey talked.";
  expect(await earlier()).toEqual([first, expect.stringMatching(/^I understand/), "question 3", "fine"]);
});

test("a later compaction changes nothing of what an earlier call had read", async () => {
  talk = await startConversation({ compaction: { max_messages: 4, keep_last: 2 } });
  await talk.turns(3);
  await talk.compacted(1);
  expect(await earlier()).toEqual(["question 1", "fine", "question 2", "fine"]);
});

test("an in-run summary replaces what it summarises", async () => {
  const compaction = { enabled: false };
  talk = await startConversation({ context_window: 100, summarization: { enabled: true }, compaction });
  await talk.say("x".repeat(86 * 4));
  await talk.say("a");
  expect((await lastCall()).modelCall?.request).toMatchObject({ earlierCount: 2, fresh: [{ content: "a" }] });
  expect(await earlier()).toEqual(["[Summary of the conversation so far]\nThey talked.", "fine"]);
});

test("the texts of the system prompt are stored once and opened from the span", async () => {
  talk = await startConversation({ system_prompt: "You talk.", extra_context: "It rains." });
  await talk.turns(2);
  const body = await lastCall();
  expect(body.system?.map(({ name, text }) => [name, text])).toEqual([
    ["identity", "You talk."],
    ["extra_context", expect.stringContaining("It rains.")],
  ]);
  expect(JSON.stringify(body.span.attributes)).not.toContain("You talk.");
  // Besides them the list of tools, of the prompt's sections and of the rules: the messages are rows of the thread.
  expect(await talk.server.database.blob.count()).toBe(5);
});

test.each([
  [true, 1],
  [false, 0],
])("with trace.verbose %j what a summary's model reads stands on %i span", async (verbose, count) => {
  const asked = { attributes: { contains: "<conversation>" }, endedAt: { not: null } };
  const found = () => talk.server.database.span.count({ where: asked });
  const ended = (name: string) => reached(async () => (await countEnded(name)) > 0);
  const countEnded = (name: string) => talk.server.database.span.count({ where: { name, endedAt: { not: null } } });

  talk = await startConversation({ trace: { verbose }, compaction: { max_messages: 2, keep_last: 1 } });
  await talk.turns(2);
  await ended("compaction");
  expect(await found()).toBe(count);
  await talk.server.close();

  const inRun = { context_window: 100, summarization: { enabled: true }, compaction: { enabled: false } };
  talk = await startConversation({ trace: { verbose }, ...inRun });
  await talk.say("x".repeat(86 * 4));
  await talk.say("a");
  await ended("summary");
  expect(await found()).toBe(count);
});

test("a thread that is renamed renames its traces", async () => {
  talk = await startConversation({});
  await talk.turns(1);
  const { id: threadId } = await talk.thread();
  const change = { as: "member", method: "PATCH", params: { threadId }, body: { title: "Otters" } } as const;
  expect((await talk.server.call(patchThread, change)).status).toBe(200);
  const { traceId } = await talk.server.database.run.findFirstOrThrow();
  const trace = await talk.server.call(getTrace, { as: "member", params: { traceId } });
  expect((await trace.json()).title).toBe("Otters");
});
