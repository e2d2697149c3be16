import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PATCH as patchAgent } from "@/app/agents/[id]/route";
import { createThread } from "@/lib/server/threads/change-thread";
import { getThread } from "@/lib/server/threads/get-thread";
import { stopProcessHost } from "@/lib/server/wiring/process-host";
import { parseEventStream, type RunServer, type SentEvent, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { GET as feed } from "../events/route";
import { POST as send } from "../threads/[threadId]/messages/route";
import { POST as cancel } from "./[runId]/cancel/route";
import { GET as events } from "./[runId]/events/route";
import { GET as run } from "./[runId]/route";
import { GET as stream } from "./[runId]/stream/route";
import { POST as cancelAll } from "./cancel-all/route";

let server: RunServer;
let threadId: string;

const SCRIPT: ScriptedServerOptions["script"] = [
  { reasoning: "Hm.", text: "On it.", calls: [{ name: "write_file", args: { path: "a.txt", content: "hello\n" } }] },
  { text: "All of it is done now." },
];

async function start(script: ScriptedServerOptions["script"]): Promise<void> {
  server = await startRunServer(script);
  threadId = (await createThread(server.services, { id: "member" }, "coder")).id;
}

beforeEach(() => start(SCRIPT));
afterEach(() => server.close());

async function say(content: string, headers: Record<string, string> = {}): Promise<string> {
  const reply = await server.call(send, { as: "member", params: { threadId }, body: { content }, headers });
  expect(reply.status).toBe(202);
  return ((await reply.json()) as { runId: string }).runId;
}

async function read(route: typeof stream, runId: string, headers: Record<string, string> = {}): Promise<SentEvent[]> {
  const reply = await server.call(route, { as: "member", params: { runId }, headers });
  return parseEventStream(await reply.text());
}

async function fold(sent: readonly SentEvent[]) {
  const chunks = sent.flatMap(({ data }) => (data === "[DONE]" ? [] : [data as UIMessageChunk]));
  const source = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: source })) last = message;
  return last;
}

test("a message starts a run whose stream, live, replayed and reconnected anywhere, gives one message", async () => {
  const runId = await say("write a.txt");
  const live = await read(stream, runId);
  const whole = await fold(live);
  expect(live.at(-1)?.data).toBe("[DONE]");
  expect(await fold(await read(stream, runId))).toEqual(whole);
  const ids = live.flatMap(({ id }) => id ?? []);
  for (const id of ids) {
    const cut = live.findIndex((event) => event.id === id) + 1;
    const rest = await read(stream, runId, { "last-event-id": String(id) });
    expect(await fold([...live.slice(0, cut), ...rest])).toEqual(whole);
  }
  const thread = await getThread(server.services, threadId, { id: "member" });
  expect(thread.messages.at(-1)).toEqual(JSON.parse(JSON.stringify(whole)));
});

test("events resume after a cursor with nothing lost and nothing twice", async () => {
  const runId = await say("write a.txt");
  const all = await read(events, runId);
  for (const { id } of all) {
    const rest = await read(events, runId, { "last-event-id": String(id) });
    expect(rest).toEqual(all.filter((event) => (event.id ?? 0) > (id ?? 0)));
  }
});

test("the same post with one Idempotency-Key is one run", async () => {
  const sent = await Promise.all([1, 2].map(() => say("hi", { "idempotency-key": "k1" })));
  expect(sent[0]).toBe(sent[1]);
});

test("a run shows its status and usage to its owner and to admins", async () => {
  const runId = await say("hi");
  await read(events, runId);
  const own = await (await server.call(run, { as: "member", params: { runId } })).json();
  expect(own).toMatchObject({
    id: runId,
    threadId,
    agentId: "coder",
    status: "completed",
    traceId: expect.any(String),
  });
  expect((await server.call(run, { as: "admin", params: { runId } })).status).toBe(200);
  expect((await server.call(run, { as: "viewer", params: { runId } })).status).toBe(404);
  for (const route of [stream, events]) {
    expect((await server.call(route, { as: "admin", params: { runId } })).status).toBe(404);
  }
});

test("cancel is for the owner and admins, works twice, and cancel-all stops the caller's", async () => {
  await server.close();
  await start([{ text: "x", fault: { kind: "silence" } }]);
  const first = await say("1");
  expect((await server.call(cancel, { method: "POST", as: "viewer", params: { runId: first } })).status).toBe(403);
  expect((await server.call(cancel, { method: "POST", as: "admin", params: { runId: first } })).status).toBe(200);
  expect((await server.call(cancel, { method: "POST", as: "member", params: { runId: first } })).status).toBe(200);
  await say("2");
  expect(await (await server.call(cancelAll, { method: "POST", as: "member" })).json()).toEqual({
    cancelled: expect.any(Number),
  });
  await expect
    .poll(async () => (await server.database.run.findMany()).map(({ status }) => status))
    .toEqual(["cancelled", "cancelled"]);
});

test("the trace of a run has a root span, model calls and tool calls below it", async () => {
  const runId = await say("write a.txt");
  await read(events, runId);
  await expect.poll(() => server.database.span.count({ where: { runId, endedAt: { not: null } } })).toBe(4);
  const spans = await server.database.span.findMany({
    where: { runId },
    orderBy: [{ startedAt: "asc" }, { id: "asc" }],
  });
  expect(spans.filter(({ parentId }) => parentId === null).map(({ type }) => type)).toEqual(["agent"]);
  expect(spans.map(({ name }) => name).toSorted()).toEqual(["coder", "llm.call", "llm.call", "tool.call"]);
  expect(await server.database.trace.findFirst()).toMatchObject({ status: "completed", steps: 2, droppedSpans: 0 });
});

test("a run that trace.sample leaves out keeps its row, events and usage and has no spans", async () => {
  await server.call(patchAgent, {
    as: "admin",
    method: "PATCH",
    params: { id: "coder" },
    body: { trace: { sample: 0 } },
  });
  const runId = await say("write a.txt");
  expect((await read(events, runId)).at(-1)?.event).toBe("run.completed");
  await stopProcessHost(server.services);
  expect(await server.database.span.count()).toBe(0);
  expect(await server.database.trace.findFirst()).toMatchObject({ runId, status: "completed", steps: 2 });
});

test("the stream of a run whose events were swept is the message that was stored", async () => {
  const runId = await say("write a.txt");
  const live = await fold(await read(stream, runId));
  await server.database.runEvent.deleteMany();
  const sent = await read(stream, runId);
  expect(sent.at(-1)?.data).toBe("[DONE]");
  const message = await fold(sent);
  expect(message?.parts.map(({ type }) => type)).toEqual(live?.parts.map(({ type }) => type));
  expect(message).toMatchObject({ id: live?.id, metadata: { runId, status: "completed" } });
});

test("the events of a run that were swept end with how it ended", async () => {
  const runId = await say("write a.txt");
  await read(stream, runId);
  await server.database.runEvent.deleteMany();
  expect((await read(events, runId)).map(({ event }) => event)).toEqual(["run.completed"]);
});

test("the user's feed reports runs and files as they change", async () => {
  const reply = await server.call(feed, { as: "member" });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  await read(events, await say("write a.txt"));
  let text = "";
  while (!text.includes('"status":"completed"')) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const names = parseEventStream(text).map(({ event }) => event);
  expect(names).toEqual(["ready", "run.changed", "file.changed", "run.changed"]);
});
