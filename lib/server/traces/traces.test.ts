import { expect, test } from "vitest";
import { GET as getAgent } from "@/app/agents/[id]/route";
import { GET as agentTrace } from "@/app/agents/traces/[id]/route";
import { GET as agentTraces } from "@/app/agents/traces/route";
import { GET as agentDetail } from "@/app/api/agents/[agentId]/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { GET as exportOne } from "@/app/api/traces/[traceId]/export/route";
import { GET as getOne } from "@/app/api/traces/[traceId]/route";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { GET as list } from "@/app/api/traces/route";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { storeBlob } from "@/lib/server/files/blobs";
import type { Route } from "@/lib/server/http/route";
import { addMessages, addSpan, addTrace, START, traceInstallation } from "@/lib/testing/fixtures/trace-fixture";

const { server, read } = traceInstallation();

test("a key of an admin without the scope admin reads what is the admin's own", async () => {
  await addTrace(server(), "a");
  await addTrace(server(), "own", { owner: "admin", minute: 1 });
  const key = await server().addKey("admin", ["read", "chat"]);
  const { traces } = await (await server().call(list, { key })).json();
  expect(traces.map(({ id }: { id: string }) => id)).toEqual(["tr_own"]);
  const status = async (route: Route, params: Record<string, string>) =>
    (await server().call(route, { key, params })).status;
  expect(await status(getOne, { traceId: "tr_a" })).toBe(404);
  expect(await status(exportOne, { traceId: "tr_a" })).toBe(404);
  expect(await status(agentTrace, { id: "tr_a" })).toBe(404);
  expect(await status(getRun, { runId: "run_a" })).toBe(404);
  const agent = await (await server().call(getAgent, { key, params: { id: "writer" } })).json();
  const detail = await (await server().call(agentDetail, { key, params: { agentId: "writer" } })).json();
  expect([agent.system_prompt, detail.config, detail.yaml]).toEqual([null, null, null]);
});

const SECRET = "You are the secret prompt.";

/** A model call whose span names the text of its prompt and, being verbose, contains it. */
async function addPrompted() {
  await addTrace(server(), "a");
  const bytes = new TextEncoder().encode(SECRET);
  const hash = await storeBlob(server().database, bytes);
  const sections = [{ name: "identity", tokens: 7, hash }];
  const input = JSON.stringify({ system: [{ name: "identity", text: SECRET }] });
  await addSpan(server(), "a", { id: "s1" }, { step: 1, message_hashes: [], sections, input, max_tokens: 9 });
}

async function readings(as: Role) {
  const replies = [
    await server().call(getBody, { as, params: { traceId: "tr_a", spanId: "s1" } }),
    await server().call(getOne, { as, params: { traceId: "tr_a" } }),
    await server().call(exportOne, { as, params: { traceId: "tr_a" } }),
    await server().call(agentTrace, { as, params: { id: "tr_a" } }),
  ];
  return Promise.all(replies.map(async (reply) => `${reply.status} ${await reply.text()}`));
}

test("members read names and tokens of a system prompt, and no text of it anywhere", async () => {
  await addPrompted();
  const told = await readings("member");
  for (const text of told) expect(text).toMatch(/^200 /);
  expect(told.filter((text) => text.includes(SECRET))).toEqual([]);
  const { system, isPromptHidden } = JSON.parse(told[0]?.slice(4) ?? "");
  expect([system, isPromptHidden]).toMatchObject([[{ name: "identity", tokens: 7, text: null }], true]);
  const seen = (await readings("admin")).map((text) => text.includes(SECRET));
  expect(seen).toEqual([true, false, true, true]);
});

test("an agent may show its prompt to everyone", async () => {
  await createAgent(server().services, {
    agentId: "open",
    raw: { name: "Open", trace: { show_prompt: "everyone" } },
    createdById: null,
  });
  await addPrompted();
  await server().database.run.updateMany({ data: { agentId: "open" } });
  expect((await readings("member")).map((text) => text.includes(SECRET))).toEqual([true, false, true, true]);
});

test("a trace is read by its own id or its run's; spans are light", async () => {
  await addTrace(server(), "a");
  await addSpan(
    server(),
    "a",
    { id: "s1" },
    {
      step: 1,
      input: "verbose",
      output_preview: "long",
      content_preview: "x".repeat(500),
    },
  );
  const trace = await (await read("member", "run_a")).json();
  expect(trace).toMatchObject({
    id: "tr_a",
    droppedSpans: 0,
    spans: [{ id: "s1", startedAtMs: START, endedAtMs: START + 40 }],
  });
  expect(trace.spans[0].attributes.content_preview).toHaveLength(161);
  expect(trace.spans[0].attributes).not.toHaveProperty("input");
  expect(trace.spans[0].attributes).not.toHaveProperty("output_preview");
});

test("the list knows how many things a tool was given", async () => {
  await addTrace(server(), "a");
  const todos = Array.from({ length: 6 }, (_, index) => ({ id: String(index), title: "x" }));
  await addSpan(server(), "a", { id: "s1", type: "tool" }, { tool_args: JSON.stringify({ todos }) });
  const trace = await (await read("member", "tr_a")).json();
  expect(trace.spans[0].attributes.tool_args.todos).toHaveLength(6);
});

test("long arguments of a tool stay readable in the list", async () => {
  await addTrace(server(), "a");
  const args = JSON.stringify({ path: "notes.md", content: "x".repeat(5000) });
  await addSpan(server(), "a", { id: "s1", type: "tool" }, { tool_args: args });
  const trace = await (await read("member", "tr_a")).json();
  expect(trace.spans[0].attributes.tool_args).toEqual({ path: "notes.md", content: `${"x".repeat(160)}…` });
});

test("someone else's trace looks the same as an absent one", async () => {
  await addTrace(server(), "a");
  await addSpan(server(), "a", { id: "s1" });
  expect((await read("viewer", "tr_a")).status).toBe(404);
  expect((await read("member", "tr_none")).status).toBe(404);
  const params = { traceId: "tr_a", spanId: "s1", id: "tr_a" };
  for (const route of [getBody, exportOne, agentTrace]) {
    expect((await server().call(route, { as: "viewer", params })).status).toBe(404);
  }
});

test("an admin's access to another person's trace is in the audit log, once while it continues", async () => {
  await addTrace(server(), "a");
  await read("admin", "tr_a");
  await read("admin", "tr_a");
  await read("member", "tr_a");
  const entries = await server().database.auditEntry.findMany({ where: { action: "trace.viewed" } });
  expect(entries).toMatchObject([{ actorId: "admin", target: "trace:tr_a" }]);
});

test("a span of another trace is not found through one's own", async () => {
  await addTrace(server(), "a");
  await addTrace(server(), "b", { owner: "viewer" });
  await addSpan(server(), "b", { id: "s1" });
  const reply = await server().call(getBody, { as: "member", params: { traceId: "tr_a", spanId: "s1" } });
  expect(reply.status).toBe(404);
});

test("an export holds the spans in full and the run's messages", async () => {
  await addTrace(server(), "a");
  await addMessages(server(), "a", {
    before: [
      { id: "h1", role: "user", content: "Before" },
      { id: "h2", role: "assistant", content: "Earlier answer" },
    ],
    own: [
      { id: "m1", role: "user", content: "Go" },
      { id: "m2", role: "assistant", content: "Done" },
    ],
  });
  await addSpan(server(), "a", { id: "s1" }, { content_preview: "x".repeat(500) });
  const reply = await server().call(exportOne, { as: "member", params: { traceId: "tr_a" } });
  expect(reply.headers.get("content-disposition")).toBe('attachment; filename="trace-tr_a.json"');
  const file = await reply.json();
  expect(file).toMatchObject({ format: "ringmaster.trace", version: 1, earlierMessages: 2 });
  expect(file.messages.map(({ content }: { content: string }) => content)).toEqual(["Go", "Done"]);
  expect(file.trace.spans[0].attributes.content_preview).toHaveLength(500);
});

test("the agent API answers in snake_case with the client's thread id", async () => {
  await addTrace(server(), "a", { status: "failed", error: "Boom" });
  await addSpan(server(), "a", { id: "s1" }, { step: 1 });
  const page = await (await server().call(agentTraces, { as: "member", path: "/agents/traces?limit=1" })).json();
  expect(page).toEqual({
    traces: [
      {
        trace_id: "tr_a",
        run_id: "run_a",
        agent_id: "writer",
        thread_id: "client-a",
        status: "failed",
        started_at: "2026-11-20T12:00:00.000Z",
        duration_ms: 1500,
        input_tokens: 100,
        output_tokens: 7,
        cost_usd: 0.5,
        error: "Boom",
      },
    ],
    next_cursor: null,
  });
  const one = await (await server().call(agentTrace, { as: "member", params: { id: "tr_a" } })).json();
  expect(one.spans).toMatchObject([
    { id: "s1", parent_id: null, type: "llm", duration_ms: 40, attributes: { step: 1 } },
  ]);
  expect((await server().call(agentTraces, { as: "member", path: "/agents/traces?odd=1" })).status).toBe(400);
});

test("a run that trace.sample leaves out says so", async () => {
  await addTrace(server(), "a");
  expect(await (await read("member", "tr_a")).json()).toMatchObject({ isSampled: true });
  const { id } = await server().database.agentVersion.create({
    data: { id: "av_9", agentId: "writer", number: 9, config: '{"name":"W","trace":{"sample":0}}', configHash: "x" },
  });
  await server().database.trace.updateMany({ data: { agentVersionId: id } });
  expect(await (await read("member", "tr_a")).json()).toMatchObject({ isSampled: false, spans: [] });
});
