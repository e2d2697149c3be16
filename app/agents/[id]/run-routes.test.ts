import { afterEach, expect, test } from "vitest";
import { publishChange } from "@/lib/server/agents/publish-version";
import { stopProcessHost } from "@/lib/server/wiring/process-host";
import { parseEventStream, type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { GET as trace } from "../traces/[id]/route";
import { GET as listFiles } from "./files/list/route";
import { POST as invoke } from "./invoke/route";
import { POST as resume } from "./resume/route";
import { POST as stream } from "./stream/route";
import { GET as state } from "./threads/[threadId]/route";

let server: RunServer;
afterEach(() => server.close());

const WRITES_A_FILE: ScriptedServerOptions["script"] = [
  {
    text: "On it.",
    calls: [
      { name: "write_todos", args: { todos: [{ id: "1", title: "Write a.txt", status: "done" }] } },
      { name: "write_file", args: { path: "/workspace/a.txt", content: "hello\n" } },
    ],
  },
  { text: "Wrote it." },
];

async function start(script: ScriptedServerOptions["script"]) {
  server = await startRunServer(script);
}

const ask = (content: string, more: object = {}) => ({ messages: [{ role: "user", content }], ...more });
const params = { id: "coder" };

test("invoke runs the agent to its end and answers with text, calls, todos, files and usage", async () => {
  await start(WRITES_A_FILE);
  const reply = await server.call(invoke, { as: "member", params, body: ask("write a.txt", { thread_id: "mine" }) });
  expect(reply.status).toBe(200);
  expect(await reply.json()).toMatchObject({
    thread_id: "mine",
    status: "completed",
    response: "Wrote it.",
    tool_calls: [
      { name: "write_todos", output: "Updated 1 todo(s)" },
      { name: "write_file", args: { path: "/workspace/a.txt" } },
    ],
    todos: [{ id: "1", title: "Write a.txt", status: "done" }],
    files: { "a.txt": "hello\n" },
    usage: { total_tokens: expect.any(Number) },
    interrupted: false,
    interrupts: [],
    compaction_count: 0,
  });
});

test("the trace is whole as soon as invoke has answered", async () => {
  await start(WRITES_A_FILE);
  const reply = await server.call(invoke, { as: "member", params, body: ask("write a.txt") });
  const { trace_id: id } = await reply.json();
  const { spans } = await (await server.call(trace, { as: "member", params: { id } })).json();
  expect(spans.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    "coder",
    "llm.call",
    "llm.call",
    "tool.call",
    "tool.call",
  ]);
  expect(spans.filter(({ status }: { status: string }) => status !== "completed")).toEqual([]);
});

test("a server that shuts down tells waiting clients which run continues", async () => {
  await start([{ text: "never", gate: new Promise(() => {}) }]);
  const call = { as: "member", params, body: ask("wait") } as const;
  const streamed = (await server.call(stream, call)).text();
  const invoked = server.call(invoke, call);
  await server.provider.request(2);
  await stopProcessHost(server.services);
  const reply = await invoked;
  expect(reply.status).toBe(503);
  const { error } = await reply.json();
  const run = await server.database.run.findUniqueOrThrow({ where: { id: error.details.run_id } });
  expect(run.endedAt).toBeNull();
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining(`/api/runs/${run.id}/events`) });
  const last = parseEventStream(await streamed).at(-1);
  expect(last).toMatchObject({ event: "error", data: { event: "error", data: { code: "unavailable" } } });
});

test("the thread's state has the whole conversation, and another user's thread of that name is absent", async () => {
  await start(WRITES_A_FILE);
  await server.call(invoke, { as: "member", params, body: ask("write a.txt", { thread_id: "mine" }) });
  const place = { ...params, threadId: "mine" };
  const reply = await server.call(state, { as: "member", params: place });
  const body = await reply.json();
  expect(body).toMatchObject({ thread_id: "mine", status: "completed", files: { "a.txt": "hello\n" }, summary: null });
  expect(body.messages.map((message: { role: string }) => message.role)).toEqual([
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
  ]);
  expect((await server.call(state, { as: "admin", params: place })).status).toBe(404);
});

test("stream sends S0's events in order and ends with exactly one done", async () => {
  await start(WRITES_A_FILE);
  const reply = await server.call(stream, { as: "member", params, body: ask("write a.txt") });
  expect(reply.headers.get("content-type")).toContain("text/event-stream");
  expect(reply.headers.get("cache-control")).toBe("no-cache, no-transform");
  const events = parseEventStream(await reply.text());
  const names = events.map(({ event }) => event).filter((name, index, all) => name !== all[index - 1]);
  expect(names).toEqual([
    "on_chat_model_start",
    "on_chat_model_stream",
    "on_chat_model_end",
    "on_tool_start",
    "on_tool_end",
    "on_chat_model_start",
    "on_chat_model_stream",
    "on_chat_model_end",
    "done",
  ]);
  expect(events.every(({ data }) => typeof (data as { run_id: unknown }).run_id === "string")).toBe(true);
  expect(events.at(-1)?.data).toMatchObject({ data: { status: "completed" } });
});

test("stream speaks S4's names with format=run", async () => {
  await start(WRITES_A_FILE);
  const reply = await server.call(stream, { as: "member", params, path: "/?format=run", body: ask("go") });
  const names = new Set(parseEventStream(await reply.text()).map(({ event }) => event));
  for (const name of ["run.started", "chunk", "tool.call", "tool.result", "todo.updated", "file.changed"]) {
    expect(names).toContain(name);
  }
  expect([...names].at(-1)).toBe("run.completed");
});

test("the events of format=run have S4's keys and ours", async () => {
  await start([
    { calls: [{ id: "call_a", name: "read_file", args: { path: "none.txt" } }] },
    { text: "Hm.", calls: [{ id: "call_b", name: "write_todos", args: { todos: [] } }] },
    { fault: { status: 401 } },
  ]);
  const reply = await server.call(stream, { as: "member", params, path: "/?format=run", body: ask("go") });
  const events = parseEventStream(await reply.text());
  const dataOf = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);
  const run_id = expect.any(String);
  expect(dataOf("chunk")).toEqual([{ run_id, content: "Hm." }]);
  expect(dataOf("tool.call")).toEqual([
    { run_id, name: "read_file", id: "call_a", args: { path: "none.txt" } },
    { run_id, name: "write_todos", id: "call_b", args: { todos: [] } },
  ]);
  const more = { run_id, duration_ms: expect.any(Number), output: expect.any(String) };
  expect(dataOf("tool.result")).toEqual([
    { ...more, name: "read_file", id: "call_a", is_error: true, error: expect.stringContaining("none.txt") },
    { ...more, name: "write_todos", id: "call_b", is_error: false },
  ]);
  expect(dataOf("run.failed")).toEqual([
    { run_id, error: expect.stringContaining("LLM call: "), code: "model_failed", status: "failed" },
  ]);
});

test("bad input is a JSON error before any stream opens", async () => {
  await start([{ text: "x" }]);
  const call = (body: unknown, as: "member" | "viewer" = "member", id = "coder") =>
    server.call(stream, { as, params: { id }, body });
  expect((await call({ messages: [] })).status).toBe(400);
  expect((await call(ask("x", { extra: 1 }))).status).toBe(400);
  expect((await call({ messages: [{ role: "assistant", content: "x" }] })).status).toBe(400);
  expect((await call(ask("\u0000"))).status).toBe(400);
  expect((await call(ask("x"), "viewer")).status).toBe(403);
  expect((await call(ask("x"), "member", "nobody")).status).toBe(404);
  expect(await server.database.run.count()).toBe(0);
});

test("a provider that fails is 502 with the run's ids, and the message is kept", async () => {
  await start([{ fault: { status: 401 } }]);
  const reply = await server.call(invoke, { as: "member", params, body: ask("hi", { thread_id: "t" }) });
  expect(reply.status).toBe(502);
  const body = await reply.json();
  expect(body).toMatchObject({ status: "failed", error: { code: "model_failed", details: { thread_id: "t" } } });
  const thread = await server.call(state, { as: "member", params: { ...params, threadId: "t" } });
  expect(await thread.json()).toMatchObject({ status: "failed", messages: [{ role: "user", content: "hi" }] });
});

test("a client that disconnects from an attached run cancels it; a detached one continues", async () => {
  await start([{ text: "x", fault: { kind: "silence" } }]);
  for (const [detach, status] of [
    [false, "cancelled"],
    [true, "running"],
  ] as const) {
    const client = new AbortController();
    const key = await server.addKey("member", ["chat"]);
    const request = new Request("http://127.0.0.1:3000/", {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(ask("hi", { thread_id: `t-${detach}`, detach })),
      signal: client.signal,
    });
    await stream(request, { params: Promise.resolve(params) });
    client.abort();
    const where = { thread: { clientId: `t-${detach}` } };
    await expect.poll(async () => (await server.database.run.findFirst({ where }))?.status).toBe(status);
  }
});

test("resume is not_waiting while nothing can wait", async () => {
  await start([{ text: "hi" }]);
  const decisions = [{ tool_call_id: "call_1", decision: "allow" }];
  const body = { thread_id: "t", decisions };
  expect((await server.call(resume, { as: "member", params, body })).status).toBe(404);
  await server.call(invoke, { as: "member", params, body: ask("hi", { thread_id: "t" }) });
  const reply = await server.call(resume, { as: "member", params, body });
  expect(reply.status).toBe(409);
  expect(await reply.json()).toMatchObject({ error: { code: "not_waiting" } });
});

test("a run uses the version that ?version= names; members name aliases only", async () => {
  await start([{ text: "one" }, { text: "two" }, { text: "three" }]);
  await publishChange(
    server.services,
    "coder",
    (current) => ({ ...current.raw, system_prompt: "You code in verse." }),
    {
      createdById: null,
    },
  );
  await server.database.agentAlias.create({
    data: { agentId: "coder", name: "prod", version: 1, updatedAt: new Date() },
  });
  const call = (version: string, as: "admin" | "member" = "member") =>
    server.call(invoke, { as, params, path: `/?version=${version}`, body: ask("hi", { thread_id: `t-${version}` }) });
  const ran = await (await call("prod")).json();
  await (
    await server.call(stream, { as: "member", params, path: "/?version=prod&format=run", body: ask("hi") })
  ).text();
  expect((await call("1", "admin")).status).toBe(200);
  expect(server.provider.requests.map(({ body }) => body.messages?.[0]?.content)).toEqual(Array(3).fill("You code."));
  const spans = (await (await server.call(trace, { as: "member", params: { id: ran.trace_id } })).json()).spans;
  expect(spans[0].attributes.agent_version).toBe(1);
  const files = (version: string) =>
    server.call(listFiles, { as: "member", params, path: `/?version=${version}&path=` });
  expect([(await files("prod")).status, (await files("staging")).status]).toEqual([200, 404]);
  const refused = await Promise.all([call("1"), call("draft"), call("staging"), call("9", "admin")]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 404, 404]);
  expect(await server.database.run.count()).toBe(3);
});
