import { afterEach, expect, test } from "vitest";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { stopProcessHost } from "@/lib/server/wiring/process-host";
import { parseEventStream, type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { GET as listTraces } from "../traces/route";
import { POST as invoke } from "./invoke/route";
import { POST as resume } from "./resume/route";
import { POST as stream } from "./stream/route";

let server: RunServer;
afterEach(() => server.close());

/** An agent that delegates to a subagent, asks before it writes, and compacts after every run. */
async function start() {
  server = await startRunServer(({ messages = [] }) => {
    const replies = messages.filter(({ role }) => role === "assistant").length;
    if (JSON.stringify(messages).includes("You help.") || replies > 1) return { text: "done" };
    if (replies === 1) return { calls: [{ name: "write_file", args: { path: "a.txt", content: "a" } }] };
    return { calls: [{ name: "task", args: { agent: "helper", description: "ask", prompt: "ask" } }] };
  });
  const raw = {
    name: "Boss",
    model: "scripted:m",
    retries: 0,
    backend: { type: "state" },
    permissions: { enabled: true, mode: "accept_edits", ask: ["write_file"] },
    subagents: [{ name: "helper", description: "helps", prompt: "You help." }],
    compaction: { max_messages: 1, keep_last: 1 },
  };
  await createAgent(server.services, { agentId: "boss", raw, createdById: null });
}

const params = { id: "boss" };
const body = { messages: [{ role: "user", content: "go" }], thread_id: "t", trace: false };

test("with trace: false nothing of a run is traced, subagents, approvals and compaction included, and usage counts", async () => {
  await start();
  const asked = await (await server.call(invoke, { as: "member", params, body })).json();
  expect(asked).toMatchObject({ status: "waiting", trace_id: null });
  const decisions = [{ tool_call_id: asked.interrupts[0].tool_call_id, decision: "allow" }];
  const decided = { as: "member", params, body: { thread_id: "t", decisions } } as const;
  const ended = await (await server.call(resume, decided)).json();
  expect(ended).toMatchObject({ status: "completed", trace_id: null, response: "done" });
  expect(ended.usage.total_tokens).toBeGreaterThan(asked.usage.total_tokens);
  const run = await (await server.call(getRun, { as: "member", params: { runId: ended.run_id } })).json();
  expect(run).toMatchObject({ traceId: null, status: "completed" });
  await stopProcessHost(server.services);
  expect(await (await server.call(listTraces, { as: "member" })).json()).toMatchObject({ traces: [] });
  expect(await server.database.trace.count()).toBe(0);
  expect(await server.database.span.count()).toBe(0);
});

test("a stream says so as well", async () => {
  await start();
  const streamed = parseEventStream(await (await server.call(stream, { as: "member", params, body })).text());
  expect(streamed.at(-1)).toMatchObject({ event: "done", data: { data: { trace_id: null } } });
});
