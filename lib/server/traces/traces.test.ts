import { afterEach, beforeEach, expect, test } from "vitest";
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
import { foldTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import { selectTracesWith } from "@/lib/server/platform/db/queries/search/trace-index";
import { addMessages, addSpan, addTrace, START } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

const read = async (as: Role, id: string) => server.call(getOne, { as, params: { traceId: id } });
const listed = async (as: Role, query = "") => {
  const reply = await server.call(list, { as, path: `/api/traces${query}` });
  return (await reply.json()) as { traces: { id: string }[]; nextCursor: string | null };
};
const ids = async (as: Role, query = "") => (await listed(as, query)).traces.map(({ id }) => id);
test("everybody lists their own traces, an admin everyone's", async () => {
  await addTrace(server, "a");
  await addTrace(server, "b", { owner: "viewer", minute: 1 });
  expect(await ids("member")).toEqual(["tr_a"]);
  expect(await ids("admin")).toEqual(["tr_b", "tr_a"]);
  expect(await ids("admin", "?mine=true")).toEqual([]);
});

test("a key of an admin without the scope admin reads what is the admin's own", async () => {
  await addTrace(server, "a");
  await addTrace(server, "own", { owner: "admin", minute: 1 });
  const key = await server.addKey("admin", ["read", "chat"]);
  const { traces } = await (await server.call(list, { key })).json();
  expect(traces.map(({ id }: { id: string }) => id)).toEqual(["tr_own"]);
  const status = async (route: Route, params: Record<string, string>) =>
    (await server.call(route, { key, params })).status;
  expect(await status(getOne, { traceId: "tr_a" })).toBe(404);
  expect(await status(exportOne, { traceId: "tr_a" })).toBe(404);
  expect(await status(agentTrace, { id: "tr_a" })).toBe(404);
  expect(await status(getRun, { runId: "run_a" })).toBe(404);
  const agent = await (await server.call(getAgent, { key, params: { id: "writer" } })).json();
  const detail = await (await server.call(agentDetail, { key, params: { agentId: "writer" } })).json();
  expect([agent.system_prompt, detail.config, detail.yaml]).toEqual([null, null, null]);
});

const SECRET = "You are the secret prompt.";

/** A model call whose span names the text of its prompt and, being verbose, contains it. */
async function addPrompted() {
  await addTrace(server, "a");
  const bytes = new TextEncoder().encode(SECRET);
  const hash = await storeBlob(server.database, bytes);
  const sections = [{ name: "identity", tokens: 7, hash }];
  const input = JSON.stringify({ system: [{ name: "identity", text: SECRET }] });
  await addSpan(server, "a", { id: "s1" }, { step: 1, message_hashes: [], sections, input, max_tokens: 9 });
}

async function readings(as: Role) {
  const replies = [
    await server.call(getBody, { as, params: { traceId: "tr_a", spanId: "s1" } }),
    await server.call(getOne, { as, params: { traceId: "tr_a" } }),
    await server.call(exportOne, { as, params: { traceId: "tr_a" } }),
    await server.call(agentTrace, { as, params: { id: "tr_a" } }),
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
  await createAgent(server.services, {
    agentId: "open",
    raw: { name: "Open", trace: { show_prompt: "everyone" } },
    createdById: null,
  });
  await addPrompted();
  await server.database.run.updateMany({ data: { agentId: "open" } });
  expect((await readings("member")).map((text) => text.includes(SECRET))).toEqual([true, false, true, true]);
});

test("pages have every trace once, newest first, whatever shares a start", async () => {
  for (const [index, name] of ["a", "b", "c", "d", "e"].entries())
    await addTrace(server, name, { minute: Math.floor(index / 2) });
  const seen: string[] = [];
  let query = "?limit=2";
  for (;;) {
    const page = await listed("member", query);
    seen.push(...page.traces.map(({ id }) => id));
    if (page.nextCursor === null) break;
    query = `?limit=2&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(["tr_e", "tr_d", "tr_c", "tr_b", "tr_a"]);
});

test("the list is sorted by the time worked or waited, a page at a time, without runs that go on", async () => {
  const times = { a: [30, 5], b: [10, 50], c: [20, 5], going: [null, 0] } as const;
  for (const [minute, [name, [workedMs, waitedMs]]] of Object.entries(times).entries()) {
    await addTrace(server, name, { minute, open: workedMs === null });
    await server.database.trace.update({ where: { id: `tr_${name}` }, data: { workedMs, waitedMs } });
  }
  const allPages = async (sort: string) => {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await listed("member", `?sort=${sort}&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.traces.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    return seen;
  };
  expect(await allPages("worked")).toEqual(["tr_a", "tr_c", "tr_b"]);
  expect(await allPages("waited")).toEqual(["tr_b", "tr_c", "tr_a"]);
  expect(await allPages("started")).toEqual(["tr_going", "tr_c", "tr_b", "tr_a"]);
});

test("a run during which the clock was set back has no negative duration", async () => {
  await addTrace(server, "a");
  await server.database.trace.update({ where: { id: "tr_a" }, data: { endedAt: new Date(START - 3_600_000) } });
  expect((await listed("member")).traces).toMatchObject([{ durationMs: 0 }]);
});

test("filters narrow the list", async () => {
  await addTrace(server, "a", { status: "failed", error: "The model refused the key" });
  await addTrace(server, "b", { status: "running", minute: 5, model: "openai:gpt" });
  expect(await ids("member", "?status=failed,limit")).toEqual(["tr_a"]);
  expect(await ids("member", "?q=REFUSED")).toEqual(["tr_a"]);
  expect(await ids("member", "?q=run_b")).toEqual(["tr_b"]);
  expect(await ids("member", "?model=openai:gpt")).toEqual(["tr_b"]);
  expect(await ids("member", "?since=2026-11-20T12:03:00Z")).toEqual(["tr_b"]);
  expect(await ids("member", "?until=2026-11-20T12:03:00Z")).toEqual(["tr_a"]);
  expect(await ids("member", "?agentId=other")).toEqual([]);
});

test("an id finds its trace, run or thread alone; what is no id is searched for in titles", async () => {
  await addTrace(server, "a");
  await addTrace(server, "b", { owner: "viewer", minute: 1 });
  await addTrace(server, "c", { minute: 2 });
  await server.database.trace.update({ where: { id: "tr_c" }, data: { title: "About run_a, tr_a, th_a and run_b" } });
  for (const id of ["tr_a", "run_a", "th_a"]) expect(await ids("admin", `?q=${id}`)).toEqual(["tr_a"]);
  expect(await ids("admin", "?q=run_")).toEqual(["tr_c"]);
  // Somebody else's run is no id to a member.
  expect(await ids("member", "?q=run_b")).toEqual(["tr_c"]);
  await server.database.thread.delete({ where: { id: "th_a" } });
  expect(await ids("admin", "?q=th_a")).toEqual(["tr_c", "tr_a"]);
});

test.each([
  ["Отпуск в июле", ["отпуск", "ОТПУСК"]],
  ["Die Straße", ["STRASSE", "straße"]],
  ["Zażółć w Łodzi", ["zazolc", "ŁODZI"]],
  ["ﾀﾜｰ ＡＢＣ", ["タワー abc"]],
])("titles and errors are found in any case, with or without accents: %s", async (text, queries) => {
  await addTrace(server, "a", { status: "failed", error: text });
  await addTrace(server, "b", { minute: 1 });
  await addTrace(server, "c", { minute: 2 });
  await server.database.trace.update({ where: { id: "tr_c" }, data: { title: text } });
  for (const q of queries) expect(await ids("member", `?q=${encodeURIComponent(q)}`)).toEqual(["tr_c", "tr_a"]);
  await server.database.trace.update({ where: { id: "tr_c" }, data: { title: "Plain" } });
  for (const q of queries) expect(await ids("member", `?q=${encodeURIComponent(q)}`)).toEqual(["tr_a"]);
});

test("the index finds titles, errors and models as they are after a change, and no more after a deletion", async () => {
  const found = async (text: string) => (await selectTracesWith(server.database, text))?.toSorted();
  await addTrace(server, "a", { status: "failed", error: "The model refused the key" });
  await addTrace(server, "b", { minute: 1, model: "openai:gpt" });
  expect([await found("REFUSED the"), await found("openai:g"), await found("th_a")]).toEqual([
    ["tr_a"],
    ["tr_b"],
    ["tr_a"],
  ]);
  await server.database.trace.update({ where: { id: "tr_a" }, data: { title: "Über Łódź", error: null } });
  expect(await ids("admin", `?q=${encodeURIComponent("uber lodz")}`)).toEqual(["tr_a"]);
  expect([await found("refused"), await found("ÜBER ŁÓDŹ")]).toEqual([[], ["tr_a"]]);
  await server.database.trace.update({ where: { id: "tr_a" }, data: { title: "Plain" } });
  expect([await found("lodz"), await found("plain")]).toEqual([[], ["tr_a"]]);
  expect([await found("no"), await found("nowhere")]).toEqual([undefined, []]);
  await server.database.trace.delete({ where: { id: "tr_b" } });
  expect([await found("openai:g"), await ids("admin", "?q=openai:g")]).toEqual([[], []]);
});

test("traces from before the index are found while and after they are added to it", async () => {
  await addTrace(server, "a");
  await server.database.trace.update({ where: { id: "tr_a" }, data: { title: "Holidays" } });
  for (const table of [
    "search_trace",
    ...(server.database.dialect.provider === "sqlite" ? ["search_trace_text"] : []),
  ]) {
    await server.database.raw(`delete from "${table}"`);
  }
  const before = Array.from({ length: 60 }, (_, index) => ({ id: `old_${index}` })).concat({ id: "tr_a" });
  const rows = server.database.dialect.rows("w", { id: "text" }, "$1");
  await server.database.raw(`insert into "search_unfolded" select 'trace', w."id", 0 from ${rows}`, [
    JSON.stringify(before),
  ]);
  expect(await ids("admin", "?q=holiday")).toEqual(["tr_a"]);
  await foldTexts(server.database, 100);
  expect(await selectTracesWith(server.database, "holiday")).toEqual(["tr_a"]);
  expect(await ids("admin", "?q=holiday")).toEqual(["tr_a"]);
});

test("a search says how many older titles are not prepared for it", async () => {
  await addTrace(server, "a");
  await server.database.trace.update({ where: { id: "tr_a" }, data: { title: "Отпуск" } });
  const older = Array.from({ length: 60 }, (_, index) => ({ id: `old_${index}` }));
  const rows = server.database.dialect.rows("w", { id: "text" }, "$1");
  await server.database.raw(`insert into "search_unfolded" select 'trace', w."id", 0 from ${rows}`, [
    JSON.stringify(older),
  ]);
  expect(await listed("member", `?q=${encodeURIComponent("ОТПУСК")}`)).toMatchObject({
    traces: [{ id: "tr_a" }],
    unfolded: 11,
  });
  expect(await listed("member")).not.toHaveProperty("unfolded");
});

test("the origin of a run is shown and filters the list", async () => {
  await addTrace(server, "a");
  await addTrace(server, "b", { minute: 1 });
  await addTrace(server, "c", { minute: 2 });
  await server.database.trace.update({ where: { id: "tr_a" }, data: { origin: "api" } });
  const night = { origin: "schedule", attended: false };
  await server.database.trace.update({ where: { id: "tr_b" }, data: night });
  expect(await ids("admin", "?origin=api")).toEqual(["tr_a"]);
  expect(await ids("admin", "?origin=api,schedule")).toEqual(["tr_b", "tr_a"]);
  expect(await ids("admin", "?attended=true")).toEqual(["tr_c", "tr_a"]);
  const trace = await (await read("admin", "tr_b")).json();
  expect(trace).toMatchObject({ origin: { kind: "schedule" }, attended: false });
});

test.each(["?status=odd", "?origin=odd", "?cursor=odd", "?limit=500", "?since=yesterday", "?agent=a"])(
  "refuses %s",
  async (query) => {
    const reply = await server.call(list, { as: "member", path: `/api/traces${query}` });
    expect(reply.status).toBe(400);
    expect((await reply.json()).error.code).toBe("invalid_input");
  },
);

test("a row says who, how long, and who cancelled", async () => {
  await addTrace(server, "a", { status: "cancelled", cancelledBy: "admin" });
  const [row] = (await listed("member")).traces;
  expect(row).toMatchObject({ ownerName: "The member", durationMs: 1500, cancelledBy: "The admin", costUsd: 0.5 });
});

test("a running run shows what its model calls have used so far", async () => {
  await addTrace(server, "a", { status: "running", open: true });
  const call = { model: "openai:gpt-5", input_tokens: 40, output_tokens: 5, cost_usd: 0.25 };
  await addSpan(server, "a", { id: "s1" }, { ...call, step: 1 });
  await addSpan(server, "a", { id: "s2" }, { ...call, step: 2 });
  const [row] = (await listed("member")).traces;
  const usage = { inputTokens: 80, outputTokens: 10, cachedReadTokens: 0, cachedWriteTokens: 0, reasoningTokens: 0 };
  expect(row).toMatchObject({ steps: 2, model: "openai:gpt-5", costUsd: 0.5, durationMs: null, usage });
});

test("a trace is read by its own id or its run's; spans are light", async () => {
  await addTrace(server, "a");
  await addSpan(
    server,
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
  await addTrace(server, "a");
  const todos = Array.from({ length: 6 }, (_, index) => ({ id: String(index), title: "x" }));
  await addSpan(server, "a", { id: "s1", type: "tool" }, { tool_args: JSON.stringify({ todos }) });
  const trace = await (await read("member", "tr_a")).json();
  expect(trace.spans[0].attributes.tool_args.todos).toHaveLength(6);
});

test("long arguments of a tool stay readable in the list", async () => {
  await addTrace(server, "a");
  const args = JSON.stringify({ path: "notes.md", content: "x".repeat(5000) });
  await addSpan(server, "a", { id: "s1", type: "tool" }, { tool_args: args });
  const trace = await (await read("member", "tr_a")).json();
  expect(trace.spans[0].attributes.tool_args).toEqual({ path: "notes.md", content: `${"x".repeat(160)}…` });
});

test("someone else's trace looks the same as an absent one", async () => {
  await addTrace(server, "a");
  await addSpan(server, "a", { id: "s1" });
  expect((await read("viewer", "tr_a")).status).toBe(404);
  expect((await read("member", "tr_none")).status).toBe(404);
  const params = { traceId: "tr_a", spanId: "s1", id: "tr_a" };
  for (const route of [getBody, exportOne, agentTrace]) {
    expect((await server.call(route, { as: "viewer", params })).status).toBe(404);
  }
});

test("an admin's access to another person's trace is in the audit log, once while it continues", async () => {
  await addTrace(server, "a");
  await read("admin", "tr_a");
  await read("admin", "tr_a");
  await read("member", "tr_a");
  const entries = await server.database.auditEntry.findMany({ where: { action: "trace.viewed" } });
  expect(entries).toMatchObject([{ actorId: "admin", target: "trace:tr_a" }]);
});

test("a span of another trace is not found through one's own", async () => {
  await addTrace(server, "a");
  await addTrace(server, "b", { owner: "viewer" });
  await addSpan(server, "b", { id: "s1" });
  const reply = await server.call(getBody, { as: "member", params: { traceId: "tr_a", spanId: "s1" } });
  expect(reply.status).toBe(404);
});

test("an export holds the spans in full and the run's messages", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a", {
    before: [
      { id: "h1", role: "user", content: "Before" },
      { id: "h2", role: "assistant", content: "Earlier answer" },
    ],
    own: [
      { id: "m1", role: "user", content: "Go" },
      { id: "m2", role: "assistant", content: "Done" },
    ],
  });
  await addSpan(server, "a", { id: "s1" }, { content_preview: "x".repeat(500) });
  const reply = await server.call(exportOne, { as: "member", params: { traceId: "tr_a" } });
  expect(reply.headers.get("content-disposition")).toBe('attachment; filename="trace-tr_a.json"');
  const file = await reply.json();
  expect(file).toMatchObject({ format: "ringmaster.trace", version: 1, earlierMessages: 2 });
  expect(file.messages.map(({ content }: { content: string }) => content)).toEqual(["Go", "Done"]);
  expect(file.trace.spans[0].attributes.content_preview).toHaveLength(500);
});

test("the agent API answers in snake_case with the client's thread id", async () => {
  await addTrace(server, "a", { status: "failed", error: "Boom" });
  await addSpan(server, "a", { id: "s1" }, { step: 1 });
  const page = await (await server.call(agentTraces, { as: "member", path: "/agents/traces?limit=1" })).json();
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
  const one = await (await server.call(agentTrace, { as: "member", params: { id: "tr_a" } })).json();
  expect(one.spans).toMatchObject([
    { id: "s1", parent_id: null, type: "llm", duration_ms: 40, attributes: { step: 1 } },
  ]);
  expect((await server.call(agentTraces, { as: "member", path: "/agents/traces?odd=1" })).status).toBe(400);
});

test("a run that trace.sample leaves out says so", async () => {
  await addTrace(server, "a");
  expect(await (await read("member", "tr_a")).json()).toMatchObject({ isSampled: true });
  const { id } = await server.database.agentVersion.create({
    data: { id: "av_9", agentId: "writer", number: 9, config: '{"name":"W","trace":{"sample":0}}', configHash: "x" },
  });
  await server.database.trace.updateMany({ data: { agentVersionId: id } });
  expect(await (await read("member", "tr_a")).json()).toMatchObject({ isSampled: false, spans: [] });
});
