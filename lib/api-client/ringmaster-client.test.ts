import { afterAll, beforeAll, expect, test } from "vitest";
import * as decisions from "@/app/api/runs/[runId]/decisions/route";
import * as events from "@/app/api/runs/[runId]/events/route";
import * as oneRun from "@/app/api/runs/[runId]/route";
import * as files from "@/app/api/threads/[threadId]/files/route";
import * as messages from "@/app/api/threads/[threadId]/messages/route";
import * as thread from "@/app/api/threads/[threadId]/route";
import * as threadStream from "@/app/api/threads/[threadId]/stream/route";
import * as threads from "@/app/api/threads/route";
import { type ServedRoutes, serveRoutes } from "@/lib/testing/clients/serve-routes";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";
import { createClient, type RingmasterClient, RingmasterError, type RunEvent } from "./ringmaster-client";

const ROUTES = {
  "/api/threads": threads,
  "/api/threads/[threadId]": thread,
  "/api/threads/[threadId]/messages": messages,
  "/api/threads/[threadId]/stream": threadStream,
  "/api/threads/[threadId]/files": files,
  "/api/runs/[runId]": oneRun,
  "/api/runs/[runId]/events": events,
  "/api/runs/[runId]/decisions": decisions,
};

let open = () => {};
const gate = new Promise<void>((resolve) => {
  open = resolve;
});
const { server } = approvalServer({
  Hello: [{ text: "Hello there." }],
  "Write it": [writes("a.txt"), { text: "Finished." }],
  Slowly: [{ text: "One two three.", gate }],
});

let served: ServedRoutes;
let client: RingmasterClient;
beforeAll(async () => {
  served = await serveRoutes(ROUTES);
  client = createClient({ url: `${served.url}/`, apiKey: await server().addKey("member", ["read", "chat"]) });
});
afterAll(() => served.close());

async function send(content: string): Promise<string> {
  const { id: threadId } = await client.call("POST /api/threads", { body: { agentId: "asks" } });
  const sent = await client.call("POST /api/threads/{threadId}/messages", { path: { threadId }, body: { content } });
  if (!("runId" in sent)) throw new Error("The message was a command.");
  return sent.runId;
}

async function collect(stream: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of stream) all.push(event);
  return all;
}
const typesOf = (all: readonly RunEvent[]) => all.map(({ type }) => type);
const textOf = (all: readonly RunEvent[]) => all.map((event) => (event.type === "chunk" ? event.content : "")).join("");

test("a thread is made, a message sent, and its run followed to the end", async () => {
  const runId = await send("Hello");
  const all = await collect(client.followRun(runId));
  expect(textOf(all)).toBe("Hello there.");
  expect([all[0], all.at(-1)]).toMatchObject([
    { type: "run.started", run_id: runId, agent_id: "asks" },
    { type: "run.completed", status: "completed" },
  ]);
});

test("a run that asks goes on in the same loop once it is answered there", async () => {
  const runId = await send("Write it");
  const types: string[] = [];
  for await (const event of client.followRun(runId)) {
    types.push(event.type);
    if (event.type !== "run.waiting") continue;
    const allowed = event.interrupts.map(({ tool_call_id }) => ({ tool_call_id, decision: "allow" as const }));
    await client.call("POST /api/runs/{runId}/decisions", { path: { runId }, body: { decisions: allowed } });
  }
  expect(types.filter((type) => type !== "chunk")).toEqual([
    "run.started",
    "tool.call",
    "approval.requested",
    "run.waiting",
    "run.started",
    "file.changed",
    "tool.result",
    "run.completed",
  ]);
});

test("a loop that answers nothing ends where the run waits, and another begins behind it", async () => {
  const runId = await send("Write it");
  const before = await collect(client.followRun(runId));
  expect(typesOf(before).at(-1)).toBe("run.waiting");
  const [last] = before.slice(-1);
  const asked = last?.type === "run.waiting" ? last.interrupts : [];
  const denied = asked.map(({ tool_call_id }) => ({ tool_call_id, decision: "deny" as const, reason: "Not now." }));
  await client.call("POST /api/runs/{runId}/decisions", { path: { runId }, body: { decisions: denied } });
  const after = await collect(client.followRun(runId, { after: last?.after }));
  expect(typesOf(after).filter((type) => type !== "chunk")).toEqual(["run.started", "tool.result", "run.completed"]);
});

test("a connection that breaks is opened again where it broke off, without an event twice or lost", async () => {
  const requests = server().provider.requests.length;
  const runId = await send("Slowly");
  await server().provider.request(requests + 1);
  const all: RunEvent[] = [];
  let opened = 0;
  const breaking: typeof fetch = async (address, init) => {
    opened += 1;
    const reply = await fetch(address, init);
    return opened === 1 ? new Response(cutAfter(reply, "run.started"), reply) : reply;
  };
  const options = { url: served.url, apiKey: await server().addKey("member", ["read"]), fetch: breaking };
  for await (const event of createClient(options).followRun(runId)) {
    all.push(event);
    open();
  }
  expect(opened).toBe(2);
  expect(typesOf(all).filter((type) => type === "run.started")).toHaveLength(1);
  expect(textOf(all)).toBe("One two three.");
});

/** The reply until it has sent this; then its connection breaks. */
function cutAfter(reply: Response, text: string): ReadableStream<Uint8Array> {
  let sent = "";
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      sent += new TextDecoder().decode(bytes);
      controller.enqueue(bytes);
      if (sent.includes(text)) controller.error(new TypeError("terminated"));
    },
  });
  return (reply.body as ReadableStream<Uint8Array>).pipeThrough(cut);
}

test("a loop ends when its signal aborts", async () => {
  const runId = await send("Hello");
  const stop = new AbortController();
  const all: RunEvent[] = [];
  for await (const event of client.followRun(runId, { signal: stop.signal })) {
    all.push(event);
    stop.abort();
  }
  expect(all).toHaveLength(1);
});

test("any other stream is followed with its data parsed", async () => {
  const { id: threadId } = await client.call("POST /api/threads", { body: { agentId: "asks" } });
  await client.call("POST /api/threads/{threadId}/messages", { path: { threadId }, body: { content: "Hello" } });
  const types: unknown[] = [];
  for await (const { data } of client.follow("GET /api/threads/{threadId}/stream", { path: { threadId } })) {
    const { type } = data as { type: string };
    types.push(type);
    if (type === "data-run-end") break;
  }
  expect(types[0]).toBe("data-run-start");
});

test("a refusal is an error with the code of the API, its status and the request's id", async () => {
  const refused = client.call("GET /api/threads/{threadId}", { path: { threadId: "th/none" } });
  const error = await refused.catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(RingmasterError);
  expect(error).toMatchObject({ status: 404, code: "not_found", requestId: expect.any(String) });
  const invalid = client.call("POST /api/threads", { body: { agentId: "asks", more: 1 } as never });
  await expect(invalid).rejects.toMatchObject({ status: 400, code: "invalid_input", details: [{ path: "more" }] });
});

test("a stream that the server refuses is an error and no endless loop", async () => {
  await expect(collect(client.followRun("run_none"))).rejects.toMatchObject({ status: 404 });
});

test("a server that does not answer is an error that says so", async () => {
  const nobody = createClient({ url: "http://127.0.0.1:9" });
  await expect(nobody.call("GET /agents")).rejects.toMatchObject({ status: 0, code: "unreachable" });
});

test("what is no JSON comes as the response, and nothing as nothing", async () => {
  const runId = await send("Hello");
  const streamed = await client.call("GET /api/runs/{runId}/events", { path: { runId } });
  expect(await streamed.text()).toContain("Hello there.");
  const { id: threadId } = await client.call("POST /api/threads", { body: { agentId: "asks" } });
  const nothing = await client.call("DELETE /api/threads/{threadId}", { path: { threadId } });
  expect(nothing).toBeUndefined();
});
