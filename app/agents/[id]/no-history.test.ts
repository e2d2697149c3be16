import { afterEach, expect, test } from "vitest";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { type Conversation, saidIn, startConversation } from "@/lib/testing/fixtures/compaction-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { POST as invoke } from "./invoke/route";
import { POST as stream } from "./stream/route";

let talk: Conversation;
afterEach(() => talk.server.close());

const send = (route: typeof invoke, content: string, more: object = { no_history: true }) => {
  const body = { thread_id: "t", messages: [{ role: "user", content }], ...more };
  return talk.server.call(route, { as: "member", params: { id: "talker" }, body });
};

test.each([
  ["invoke", invoke],
  ["stream", stream],
])("%s with no_history sends only the new message, and the next run reads all", async (_, route) => {
  talk = await startConversation({});
  await talk.say("one");
  const reply = await send(route, "alone");
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("fine")]);
  expect(saidIn(talk.requests("turn").at(-1))).toEqual(["user: alone"]);
  await send(invoke, "together", { no_history: false });
  const all = ["user: one", "assistant: fine", "user: alone", "assistant: fine", "user: together"];
  expect(saidIn(talk.requests("turn").at(-1))).toEqual(all);
});

test.each(["pair", "system"] as const)("a summary placed as %s is left out as well", async (placement) => {
  talk = await startConversation({ compaction: { max_messages: 4, keep_last: 2, placement } });
  await talk.turns(3);
  await talk.compacted(1);
  await send(invoke, "alone");
  const request = talk.requests("turn").at(-1);
  expect(saidIn(request)).toEqual(["user: alone"]);
  expect(JSON.stringify(request)).not.toContain("They talked.");
  expect((await talk.state()).summary).toBe("They talked.");
});

test("the trace shows that the model read nothing from before", async () => {
  talk = await startConversation({});
  await talk.say("one");
  await send(invoke, "alone");
  const { database } = talk.server;
  const run = await database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  const where = { runId: run.id, name: "llm.call", endedAt: { not: null } };
  await reached(async () => (await database.span.count({ where })) > 0);
  const { id: spanId, traceId } = await database.span.findFirstOrThrow({ where });
  const open = { as: "member", params: { traceId, spanId }, path: "/x?earlier=true" } as const;
  const body = await (await talk.server.call(getBody, open)).json();
  expect(body.span.attributes).toMatchObject({ no_history: true, message_count: 1 });
  expect(body.modelCall.request).toMatchObject({ earlierCount: 0, earlier: [], fresh: [{ content: "alone" }] });
});

test("no_history must be true or false", async () => {
  talk = await startConversation({});
  const reply = await send(invoke, "alone", { no_history: "yes" });
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, "no_history"]);
});

test("with compact: false the thread is not compacted after this run, but after the next one", async () => {
  talk = await startConversation({ compaction: { max_messages: 1, keep_last: 1 } });
  await send(invoke, "one", { compact: false });
  await (await send(stream, "two", { compact: false })).text();
  await talk.turns(1);
  await talk.compacted(1);
  const [summary, ...others] = talk.requests("summary");
  expect(JSON.stringify(summary)).toContain("two");
  expect(others).toEqual([]);
});
