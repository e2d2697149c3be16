import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { createThread } from "@/lib/server/threads/change-thread";
import { ended, ends, outline, started, threadStreamTests } from "@/lib/testing/fixtures/thread-stream-fixture";
import { frameIn, readStream } from "@/lib/testing/servers/read-thread-stream";
import { writeCall } from "@/lib/testing/servers/scripted-turns";
import { POST as cancel } from "../runs/[runId]/cancel/route";
import { POST as carryOn } from "../runs/[runId]/continue/route";
import { POST as decide } from "../runs/[runId]/decisions/route";
import { GET as runStream } from "../runs/[runId]/stream/route";
import { GET as getThread } from "./[threadId]/route";
import { GET as threadStream } from "./[threadId]/stream/route";

const { server, threadId, useThread, openGate, say, follow } = threadStreamTests((gate) => ({
  one: [{ text: "Answer to one." }],
  two: [{ text: ["Answer ", "to two."] }],
  three: [{ text: "Answer to three." }],
  slow: [{ text: ["Answer ", "to slow."], gate }],
  write: [{ text: "On it.", calls: [writeCall("a.txt")] }, { text: "Answer to write." }],
}));

test("one stream carries the run that begins while it is open and the next ones, in two tabs alike", async () => {
  const tab = await follow();
  const first = await say("slow");
  await tab.until((events) => events.length > 1);
  const other = await follow();
  const second = await say("two");
  openGate();
  for (const reader of [tab, other]) await reader.until(ends(2));
  expect(outline(tab)).toEqual([
    started(first),
    "text Answer to slow.",
    ended(),
    started(second),
    "text Answer to two.",
    ended(),
  ]);
  expect(other.events).toEqual(tab.events);
});

test("between its frames a run has the chunks of its own stream, and each id names run and row", async () => {
  const runId = await say("write");
  const reader = await follow();
  await reader.until(ends(1));
  const own = readStream(await server().call(runStream, { as: "member", params: { runId } }));
  await own.until((events) => events.at(-1)?.data === "[DONE]");
  const numbered = own.events.slice(0, -1).map(({ id, data }) => ({ data, id: id && `${runId}:${id}` }));
  const chunks = reader.events.filter((event) => frameIn(event) === null);
  const isAfterEnd = (id: string | undefined) => id !== undefined && id === reader.events.at(-1)?.id;
  expect(chunks.map(({ id, data }) => ({ data, id }))).toEqual(
    numbered.map(({ id, data }) => ({ data, id: isAfterEnd(id) ? undefined : id })),
  );
  const [first] = reader.events;
  expect(first).toMatchObject({ id: `${runId}:0` });
  expect(first && frameIn(first)).toMatchObject({ kind: "run-start" });
});

/** The chunks as the AI SDK's own client reads them, run by run, until that many have ended. */
async function readWithSdk(count: number): Promise<UIMessageChunk[][]> {
  const transport = new DefaultChatTransport({
    fetch: async () => server().call(threadStream, { as: "member", params: { threadId: threadId() } }),
  });
  const chunks = await transport.reconnectToStream({ chatId: threadId() });
  const runs: UIMessageChunk[][] = [];
  let ended = 0;
  for await (const chunk of chunks ?? []) {
    if (chunk.type === "data-run-start") runs.push([]);
    runs.at(-1)?.push(chunk);
    if (chunk.type === "data-run-end") ended += 1;
    if (ended === count) break;
  }
  return runs;
}

async function lastMessage(chunks: readonly UIMessageChunk[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: UIMessage | undefined;
  const onError = (error: unknown) => expect.fail(String(error));
  for await (const message of readUIMessageStream({ stream, onError })) last = message;
  return last;
}

test("the AI SDK reads the stream, and what is between two boundaries as the message that is stored", async () => {
  await say("write");
  const first = await follow();
  await first.until((events) => events.length > 1);
  await say("two");
  const runs = await readWithSdk(2);
  expect(runs.map((chunks) => [chunks[0]?.type, chunks.at(-1)?.type])).toEqual(
    runs.map(() => ["data-run-start", "data-run-end"]),
  );
  const thread = await server().call(getThread, { as: "member", params: { threadId: threadId() } });
  const { messages } = (await thread.json()) as { messages: UIMessage[] };
  const replies = messages.filter(({ role }) => role === "assistant");
  expect(replies).toHaveLength(2);
  for (const [index, chunks] of runs.entries()) {
    const { id, parts } = (await lastMessage(chunks)) ?? {};
    expect({ id, parts }).toMatchObject({ id: replies[index]?.id, parts: replies[index]?.parts });
  }
  const reply = await server().call(threadStream, { as: "member", params: { threadId: threadId() } });
  expect(reply.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
  await reply.body?.cancel();
});

test("a reader that reconnects after any event gets what follows, without repeats or gaps", async () => {
  await say("write");
  const whole = await follow();
  await whole.until(ends(1));
  await say("two");
  await whole.until(ends(2));
  for (const [index, { id: cursor }] of whole.events.entries()) {
    if (cursor === undefined) continue;
    const rest = await follow({ cursor });
    await rest.until(({ length }) => length >= whole.events.length - index - 1);
    expect(rest.events).toEqual(whole.events.slice(index + 1));
    await rest.close();
  }
});

test("a new reader gets the last run from its start, and with a run's id only what follows that run", async () => {
  const first = await say("one");
  const both = await follow();
  const second = await say("two");
  await both.until(ends(2));
  const whole = await follow({ cursor: first });
  await whole.until(ends(1));
  const last = await follow();
  await last.until(ends(1));
  for (const reader of [whole, last]) {
    expect(outline(reader)).toEqual([started(second), "text Answer to two.", ended()]);
  }
  const rest = await follow({ cursor: second });
  const third = await say("three");
  await rest.until(ends(1));
  expect(outline(rest)).toEqual([started(third), "text Answer to three.", ended()]);
});

test("a run that waits for a person is one run from its start to its end, in the stream that stays open", async () => {
  useThread((await createThread(server().services, { id: "member" }, "asks")).id);
  const reader = await follow();
  const runId = await say("write");
  await reader.until((events) => events.some(({ data }) => data.includes('"waiting"')));
  expect(reader.isOver).toBe(false);
  const approval = await server().database.approval.findFirstOrThrow({ where: { runId } });
  const decisions = [{ tool_call_id: approval.toolCallId, decision: "allow" }];
  await server().call(decide, { as: "member", params: { runId }, body: { decisions } });
  await reader.until(ends(1));
  expect(outline(reader)).toEqual([started(runId), "text On it.Answer to write.", ended()]);
  const whole = await follow();
  await whole.until(ends(1));
  const parsed = ({ events }: typeof whole) =>
    events.map(({ id, data }) => ({ id, data: JSON.parse(data) as unknown }));
  expect(parsed(whole)).toEqual(parsed(reader));
});

test("a continuation says which run it continues", async () => {
  const continuesRunId = await say("slow");
  const reader = await follow();
  await reader.until((events) => events.length > 1);
  await server().call(cancel, { method: "POST", as: "member", params: { runId: continuesRunId } });
  await reader.until(ends(1));
  openGate();
  const reply = await server().call(carryOn, { method: "POST", as: "member", params: { runId: continuesRunId } });
  const { runId } = await reply.json();
  await reader.until(ends(2));
  expect(outline(reader)).toContain(`run-start {"runId":"${runId}","continues":"${continuesRunId}"}`);
});

test("a message removed from the queue leaves no trace in the stream", async () => {
  const first = await say("slow");
  const reader = await follow();
  const removed = await say("two");
  const third = await say("three");
  await server().call(cancel, { method: "POST", as: "member", params: { runId: removed } });
  openGate();
  await reader.until(ends(2));
  const outlines = outline(reader).filter((line) => line.startsWith("run-start"));
  expect(outlines).toEqual([started(first), started(third)]);
});

test("a stopped run ends as cancelled", async () => {
  const reader = await follow();
  const runId = await say("slow");
  await reader.until((events) => events.length > 1);
  await server().call(cancel, { method: "POST", as: "member", params: { runId } });
  await reader.until(ends(1));
  expect(outline(reader)).toEqual([started(runId), ended("cancelled")]);
});
