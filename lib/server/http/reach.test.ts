import { describe, expect, test } from "vitest";
import { memoryId, memoryLineId } from "@/lib/server/file-access/memory/memory-id";
import { IDS, LIMITED, ROUTES, reachInstallation } from "@/lib/testing/fixtures/reach-fixture";
import { ROUTE_ACCESS } from "./access";

const { server } = reachInstallation();

/** What a key that is limited to another agent of the same owner gets. */
interface Answer {
  /** `absent`: a 404. `hidden`: an answer without anything of the agent. `refused`: a 403, for the whole person. */
  readonly answer: "absent" | "hidden" | "refused";
  readonly body?: unknown;
  readonly query?: string;
  /** Overrides the ids in the path. */
  readonly params?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

const absent = (body?: unknown, query = ""): Answer => ({ answer: "absent", body, query });

const hidden = (query = "", body?: unknown): Answer => ({ answer: "hidden", body, query });

const refused = (body?: unknown): Answer => ({ answer: "refused", body });

const MEMORY = { id: memoryId({ workspaceId: "ws_zwei", path: "MEMORY.md" }) };

const memory = (body?: unknown, query = ""): Answer => ({ ...absent(body, query), params: MEMORY });

const SCHEDULE = { agentId: "zwei", name: "n", prompt: "p", every: "1h" };

const MESSAGES = [{ role: "user", content: "Hello" }];

/** Every route that a person may call, by what it shows of an agent. */
const REACH: Readonly<Record<string, Answer>> = {
  "GET /agents": hidden(),
  "GET /agents/[id]": absent(),
  "POST /agents/[id]/ag-ui": absent({
    threadId: "th_zwei",
    runId: "r",
    messages: [{ id: "m", role: "user", content: "Hello" }],
  }),
  "POST /agents/[id]/chat": absent({
    id: "th_zwei",
    messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hello" }] }],
  }),
  "GET /agents/[id]/chat/[chatId]/stream": absent(),
  "GET /agents/[id]/files/download": absent(undefined, "?path=a.md"),
  "GET /agents/[id]/files/list": absent(),
  "GET /agents/[id]/files/read": absent(undefined, "?path=a.md"),
  "PUT /agents/[id]/files/upload": absent({ path: "a.md", content: "x" }),
  "GET /agents/[id]/flow": absent(),
  "POST /agents/[id]/invoke": absent({ messages: MESSAGES }),
  "POST /agents/[id]/resume": absent({
    thread_id: "th_zwei",
    decisions: [{ tool_call_id: "call_zwei", decision: "allow" }],
  }),
  "POST /agents/[id]/stream": absent({ messages: MESSAGES }),
  "GET /agents/[id]/threads/[threadId]": absent(),
  "GET /agents/hooks/available": hidden(),
  "GET /agents/skills/available": hidden(),
  "GET /agents/tools/available": hidden(),
  "GET /agents/traces": hidden(),
  "GET /agents/traces/[id]": { ...absent(), params: { id: "tr_zwei" } },
  "GET /api/agent-activity": hidden(),
  "GET /api/agent-schema": hidden(),
  "GET /api/agents": hidden(),
  "GET /api/agents/[agentId]": absent(),
  "GET /api/agents/[agentId]/aliases": absent(),
  "GET /api/agents/[agentId]/delegates": absent(),
  "GET /api/agents/[agentId]/mcp-prompts": absent(),
  "POST /api/agents/[agentId]/mcp-prompts": absent({ serverId: "s", name: "p" }),
  "GET /api/agents/[agentId]/mcp-resources": absent(),
  "POST /api/agents/[agentId]/mcp-resources": absent({ serverId: "s", uri: "file:///a" }),
  "POST /api/api-keys": refused({ name: "Another", scopes: ["read"] }),
  "GET /api/api-keys": hidden(),
  "DELETE /api/api-keys/[keyId]": absent(),
  "GET /api/approvals": hidden(),
  "GET /api/approvals/[approvalId]": absent(),
  "GET /api/approvals/[approvalId]/outcome": absent(),
  "GET /api/inbox-notes": hidden(),
  "PATCH /api/inbox-notes/[noteId]": absent({ done: true }),
  "GET /api/inbox-outlook": hidden(),
  "GET /api/boards": hidden(),
  "POST /api/boards": absent({ name: "B", members: ["zwei"] }),
  "GET /api/boards/[boardId]": absent(),
  "PATCH /api/boards/[boardId]": absent({ name: "N" }),
  "DELETE /api/boards/[boardId]": absent(),
  "POST /api/boards/[boardId]/stop": absent(),
  "GET /api/boards/[boardId]/tasks": absent(),
  "POST /api/boards/[boardId]/tasks": absent({ title: "T" }),
  "GET /api/boards/[boardId]/tasks/[taskId]": absent(),
  "PATCH /api/boards/[boardId]/tasks/[taskId]": absent({ title: "T" }),
  "DELETE /api/boards/[boardId]/tasks/[taskId]": absent(),
  "POST /api/boards/[boardId]/tasks/[taskId]/claim": absent({ assignee: "zwei" }),
  "POST /api/boards/[boardId]/tasks/[taskId]/reopen": absent({ how: "again" }),
  "POST /api/boards/[boardId]/tasks/[taskId]/result": absent({ result: "Done" }),
  "POST /api/boards/[boardId]/tasks/[taskId]/review": absent({ accept: true, note: "Good" }),
  "POST /api/auth/change-password": hidden("", { currentPassword: "x", newPassword: "a long new password" }),
  "POST /api/auth/revoke-other-sessions": hidden(),
  "GET /api/channel-links": hidden(),
  "POST /api/channel-links": refused({ channelId: "ch_1" }),
  "PATCH /api/channel-links/[linkId]": absent({ agentId: "k1" }),
  "DELETE /api/channel-links/[linkId]": absent(),
  "POST /api/channel-links/[linkId]/restore": refused(),
  "GET /api/deliveries": hidden(),
  "DELETE /api/deliveries/[deliveryId]": absent(),
  "POST /api/deliveries/[deliveryId]/resend": absent(),
  "POST /api/documents/check": hidden(),
  "GET /api/events": hidden(),
  "GET /api/frames/image": hidden("?src=x"),
  "GET /api/frames/mermaid": hidden(),
  "GET /api/frames/page": absent(undefined, "?thread=th_zwei&path=a.html"),
  "GET /api/frames/pdf": hidden(),
  "GET /api/grants": hidden(),
  "DELETE /api/grants/[grantId]": absent(),
  "GET /api/me": hidden(),
  "PATCH /api/me": hidden("", { timeZone: null }),
  "GET /api/memory": hidden(),
  "POST /api/memory": absent({ agentId: "zwei", path: "MEMORY.md", content: "x" }),
  "GET /api/memory/[id]": memory(),
  "PUT /api/memory/[id]": memory({ content: "x", version: 1 }),
  "DELETE /api/memory/[id]": memory(),
  "GET /api/memory/[id]/blame": memory(),
  "GET /api/memory/[id]/diff": memory(),
  "POST /api/memory/[id]/restore": memory({ version: 1 }),
  "GET /api/memory/[id]/versions": memory(),
  "GET /api/memory/days": hidden("?month=2026-11"),
  "GET /api/memory/lines/[id]/uses": {
    ...absent(),
    params: { id: memoryLineId({ workspaceId: "ws_zwei", path: "MEMORY.md", version: 1, hash: "0".repeat(16) }) },
  },
  "GET /api/memory/search": hidden("?q=of"),
  "GET /api/memory/templates": hidden(),
  "GET /api/notifications": refused(),
  "PATCH /api/notifications": refused({}),
  "GET /api/openapi.json": hidden(),
  "GET /api/mcp-connections": hidden(),
  "POST /api/mcp-servers/[serverId]/connect": { ...absent({}), params: { serverId: "none" } },
  "DELETE /api/mcp-servers/[serverId]/connect": { ...absent(), params: { serverId: "none" } },
  "GET /api/mcp-servers/callback": hidden(),
  "POST /api/permissions/what-if": absent({ agentId: "zwei", grant: { tool: "execute", pattern: "ls" } }),
  "GET /api/problems": hidden(),
  "GET /api/projects": hidden(),
  "POST /api/projects": { answer: "hidden", body: { name: "P", agentId: "zwei" } },
  "DELETE /api/projects/[projectId]": refused(),
  "PATCH /api/projects/[projectId]": refused({ name: "N" }),
  "GET /api/projects/[projectId]": hidden(),
  "DELETE /api/projects/[projectId]/files": absent(undefined, "?path=a.md"),
  "PUT /api/projects/[projectId]/files": absent({ path: "a.md", content: "x" }),
  "GET /api/projects/[projectId]/files": absent(),
  "GET /api/projects/[projectId]/files/content": absent(undefined, "?path=a.md"),
  "GET /api/projects/[projectId]/instructions": hidden(),
  "POST /api/projects/[projectId]/members": refused({ userId: "viewer", role: "read" }),
  "DELETE /api/projects/[projectId]/members/[userId]": { ...refused(), params: { userId: "member" } },
  "POST /api/projects/[projectId]/restore": refused(),
  "GET /api/prompts": hidden(),
  "POST /api/prompts": hidden("", { name: "P", text: "t" }),
  "GET /api/prompts/[promptId]": { ...absent(), params: { promptId: "none" } },
  "PATCH /api/prompts/[promptId]": { ...absent({ text: "t" }), params: { promptId: "none" } },
  "DELETE /api/prompts/[promptId]": { ...absent(), params: { promptId: "none" } },
  "GET /api/providers": hidden(),
  "GET /api/push-subscriptions": hidden(),
  "POST /api/push-subscriptions": refused({
    name: "Browser",
    endpoint: "https://push.example/x",
    keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) },
  }),
  "DELETE /api/push-subscriptions/[subscriptionId]": { ...absent(), params: { subscriptionId: "none" } },
  "POST /api/push-subscriptions/[subscriptionId]/test": { ...absent(), params: { subscriptionId: "none" } },
  "GET /api/runs/[runId]": absent(),
  "GET /api/runs/[runId]/budgets": absent(),
  "POST /api/runs/[runId]/cancel": absent(),
  "POST /api/runs/[runId]/continue": absent(),
  "POST /api/runs/[runId]/retry": absent(),
  "POST /api/runs/[runId]/decisions": absent({ decisions: [{ tool_call_id: "call_zwei", decision: "allow" }] }),
  "GET /api/runs/[runId]/events": absent(),
  "GET /api/runs/[runId]/files": absent(),
  "GET /api/runs/[runId]/state": absent(undefined, "?step=1"),
  "GET /api/runs/[runId]/state/file": absent(undefined, "?step=1&path=a.md"),
  "GET /api/runs/[runId]/replays": absent(),
  "POST /api/replays": absent({ runId: "run_zwei" }),
  "GET /api/replays/[replayId]": absent(),
  "POST /api/replays/[replayId]/cancel": absent(),
  "POST /api/runs/[runId]/undo": absent({ preview: true }),
  "POST /api/runs/[runId]/undo/take-back": absent(),
  "GET /api/runs/[runId]/stream": absent(),
  "GET /api/runs/[runId]/transcript": absent(),
  "POST /api/runs/cancel-all": hidden(),
  "GET /api/notes": absent(undefined, "?runId=run_zwei"),
  "POST /api/notes": absent({ runId: "run_zwei", text: "Too slow" }),
  "PATCH /api/notes/[noteId]": absent({ text: "Too slow" }),
  "DELETE /api/notes/[noteId]": absent(),
  "GET /api/scores": hidden("?threadId=th_zwei"),
  "POST /api/scores": absent({ runId: "run_zwei", name: "thumb", value: 1 }),
  "DELETE /api/scores/[scoreId]": absent(),
  "POST /api/heartbeats": absent({ agentId: "zwei" }),
  "GET /api/heartbeats": hidden(),
  "GET /api/heartbeats/[heartbeatId]": absent(),
  "PATCH /api/heartbeats/[heartbeatId]": absent({ enabled: false }),
  "DELETE /api/heartbeats/[heartbeatId]": absent(),
  "GET /api/heartbeats/[heartbeatId]/file": absent(),
  "PUT /api/heartbeats/[heartbeatId]/file": absent({ content: "x", before: "" }),
  "GET /api/heartbeats/[heartbeatId]/firings": absent(),
  "POST /api/heartbeats/[heartbeatId]/run": absent(),
  "POST /api/schedules": absent(SCHEDULE),
  "GET /api/schedules": hidden(),
  "GET /api/schedules/[scheduleId]": absent(),
  "PATCH /api/schedules/[scheduleId]": absent({ prompt: "Tell me everything" }),
  "DELETE /api/schedules/[scheduleId]": absent(),
  "GET /api/schedules/[scheduleId]/firings": absent(),
  "POST /api/schedules/[scheduleId]/run": absent(),
  "GET /api/schedules/firings": hidden(),
  "POST /api/schedules/preflight": absent({ agentId: "zwei", prompt: "p", every: "1h" }),
  "POST /api/schedules/times": hidden("", { every: "1h" }),
  "GET /api/skills": hidden(),
  "GET /api/skills/[name]": absent(),
  "GET /api/skills/[name]/diff": absent(undefined, "?from=1&to=1"),
  "GET /api/skills/[name]/files": absent(undefined, "?path=SKILL.md"),
  "GET /api/skills/[name]/versions": absent(),
  "GET /api/status": hidden(),
  "POST /api/threads": absent({ agentId: "zwei" }),
  "GET /api/threads": hidden("?q=of"),
  "DELETE /api/threads/[threadId]": absent(),
  "PATCH /api/threads/[threadId]": absent({ title: "T" }),
  "GET /api/threads/[threadId]": absent(),
  "GET /api/threads/[threadId]/branch": absent(),
  "PUT /api/threads/[threadId]/branch": absent({ messageId: "msg_zwei" }),
  "POST /api/threads/[threadId]/cancel": absent(),
  "POST /api/threads/[threadId]/compact": absent(),
  "GET /api/threads/[threadId]/context": absent(),
  "GET /api/threads/[threadId]/context/last": absent(),
  "GET /api/threads/[threadId]/export": absent(),
  "DELETE /api/threads/[threadId]/files": absent(undefined, "?path=a.md"),
  "PUT /api/threads/[threadId]/files": absent({ path: "a.md", content: "x" }),
  "GET /api/threads/[threadId]/files": absent(),
  "GET /api/threads/[threadId]/files/archive": absent(),
  "GET /api/threads/[threadId]/files/changed": absent(),
  "GET /api/threads/[threadId]/files/content": absent(undefined, "?path=a.md"),
  "GET /api/threads/[threadId]/files/diff": absent(undefined, "?path=a.md"),
  "GET /api/threads/[threadId]/files/text": absent(undefined, "?path=a.md"),
  "GET /api/threads/[threadId]/files/then": absent(undefined, "?message=msg_zwei"),
  "GET /api/threads/[threadId]/files/versions": absent(undefined, "?path=a.md"),
  "POST /api/threads/[threadId]/fork": absent({ messageId: "msg_zwei" }),
  "POST /api/threads/[threadId]/messages": absent({ content: "Hello" }),
  "GET /api/threads/[threadId]/messages": absent(),
  "POST /api/threads/[threadId]/messages/[messageId]/edit": absent({ content: "Hello" }),
  "GET /api/threads/[threadId]/messages/[messageId]/regenerate": absent(),
  "POST /api/threads/[threadId]/messages/[messageId]/regenerate": absent({}),
  "GET /api/threads/[threadId]/queue": absent(),
  "POST /api/threads/[threadId]/queue/release": absent(),
  "PATCH /api/threads/[threadId]/queue/[messageId]": absent({ content: "Hello" }),
  "DELETE /api/threads/[threadId]/queue/[messageId]": absent(),
  "POST /api/threads/[threadId]/restore": absent(),
  "DELETE /api/threads/[threadId]/share": absent(),
  "GET /api/threads/[threadId]/share": absent(),
  "POST /api/threads/[threadId]/share": absent({}),
  "GET /api/threads/[threadId]/stream": absent(),
  "GET /api/threads/export": absent(undefined, "?ids=th_zwei"),
  "POST /api/threads/[threadId]/title": absent(),
  "GET /api/threads/[threadId]/todos": absent(),
  "GET /api/traces": hidden(),
  "GET /api/traces/charts": hidden(),
  "GET /api/traces/compare": absent(undefined, "?a=tr_zwei&b=tr_zwei"),
  "POST /api/traces/difference": hidden("", { selection: { filters: { agentId: "zwei" } } }),
  "GET /api/traces/facets": hidden(),
  "POST /api/traces/parse": hidden("", { text: "failed runs of Writer" }),
  "GET /api/alerts": hidden(),
  "POST /api/alerts": absent({ name: "Slow", query: "agent=zwei", metric: "p95_worked", threshold: 60 }),
  "PATCH /api/alerts/[alertId]": { ...absent({ name: "Slow" }), params: { alertId: "none" } },
  "DELETE /api/alerts/[alertId]": { ...absent(), params: { alertId: "none" } },
  "GET /api/traces/views": hidden(),
  "POST /api/traces/views": absent({ name: "Slow", query: "agent=zwei" }),
  "PATCH /api/traces/views/[viewId]": { ...absent({ name: "Slow" }), params: { viewId: "none" } },
  "DELETE /api/traces/views/[viewId]": { ...absent(), params: { viewId: "none" } },
  "GET /api/traces/[traceId]": absent(),
  "GET /api/traces/[traceId]/bundle": absent(),
  "GET /api/traces/[traceId]/explain": absent(),
  "GET /api/traces/[traceId]/export": absent(),
  "GET /api/traces/[traceId]/images/[hash]": absent(),
  "GET /api/traces/[traceId]/read": absent(),
  "GET /api/traces/[traceId]/spans/[spanId]": absent(),
  "GET /api/traces/[traceId]/spans/[spanId]/percentile": absent(),
  "GET /api/traces/[traceId]/text": absent(),
  "POST /mcp": {
    ...hidden("", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  },
  "POST /v1/chat/completions": absent({ model: "agent:zwei", messages: MESSAGES }),
  "GET /v1/models": hidden(),
  "GET /v1/models/[model]": { ...absent(), params: { model: "agent:zwei" } },
  "POST /v1/responses": absent({ model: "agent:k1", input: "Hello", previous_response_id: "resp_run_zwei" }),
  "GET /v1/responses/[responseId]": absent(),
  "DELETE /v1/responses/[responseId]": absent(),
};

const ACCESS: Readonly<Record<string, string>> = { ...ROUTE_ACCESS };

function call({ name, method, url, route }: (typeof ROUTES)[number], key: string, ids = IDS) {
  const { body, query = "", params, headers: more } = REACH[name] ?? {};
  const signal = AbortSignal.timeout(500);
  const all = { ...ids, ...params };
  const path = `${url.replaceAll(/[[\]]/g, "")}${query}`;
  // Pages are shown in frames alone.
  const headers = { "sec-fetch-dest": "iframe", ...more };
  return server().call(route, { key, method, params: all, body, path, headers, signal });
}

test("every route that a person may call says what a limited key gets", () => {
  const expected = Object.entries(ACCESS).flatMap(([name, access]) =>
    access === "read" || access === "chat" ? [name] : [],
  );
  expect(Object.keys(REACH).toSorted()).toEqual(expected.toSorted());
});

const OF_PEOPLE = ROUTES.filter(({ name }) => name in REACH);

test.each(OF_PEOPLE)("a limited key gets nothing of another agent by $name", async (entry) => {
  const reply = await call(entry, LIMITED);
  const { answer } = REACH[entry.name] ?? {};
  if (answer === "absent") expect(reply.status).toBe(404);
  if (answer === "refused") expect(reply.status).toBe(403);
  if (answer === "hidden") expect(await textOf(reply)).not.toMatch(/zwei/u);
});

/** A run that an agent within reach did as a subagent of another, and one that it took over from another. */
const INSIDE = {
  ...IDS,
  id: "k1",
  agentId: "k1",
  threadId: "th_child_zwei",
  runId: "run_child_zwei",
  traceId: "tr_taken_zwei",
  approvalId: "apr_child_zwei",
};

const OF_THREADS = OF_PEOPLE.filter(
  ({ name, url }) => /\[(?:threadId|runId|traceId|approvalId)\]/u.test(url) && REACH[name]?.answer === "absent",
);

test.each(OF_THREADS)("nor what an agent of its own did for the other one, by $name", async (entry) => {
  expect((await call(entry, LIMITED, INSIDE)).status).toBe(404);
});

test.each(OF_PEOPLE.filter(({ method }) => method === "GET"))("which its owner gets by $name", async (entry) => {
  if (
    REACH[entry.name]?.answer !== "absent" ||
    /\[(?:name|hash|messageId|promptId|spanId|id)\]|mcp-|\/frames\//u.test(entry.url)
  )
    return;
  if (/files|blame|diff|outcome/u.test(entry.url)) return;
  const reply = await call(entry, await server().addKey("admin", ["read", "chat"]));
  expect(reply.status).not.toBe(404);
  await reply.body?.cancel();
});

describe("administration", () => {
  test.each(ROUTES.filter(({ name }) => ACCESS[name] === "admin"))("a limited key has none: $name", async (entry) => {
    expect((await call(entry, LIMITED)).status).toBe(403);
  });
});

async function textOf(reply: Response): Promise<string> {
  if (!reply.headers.get("content-type")?.startsWith("text/event-stream")) return reply.text();
  const reader = reply.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}
