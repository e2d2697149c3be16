import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { GET as historyRoute } from "@/app/api/price-history/route";
import { PATCH as patchRoute } from "@/app/api/providers/[providerId]/route";
import { GET as unpricedRoute } from "@/app/api/providers/[providerId]/unpriced/route";
import { POST as addRoute } from "@/app/api/providers/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { GET as messagesRoute } from "@/app/api/threads/[threadId]/route";
import { POST as openRoute } from "@/app/api/threads/route";
import { GET as traceRoute } from "@/app/api/traces/[traceId]/route";
import { GET as usageRoute } from "@/app/api/usage/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { fillUnknownCosts } from "./fill-unknown-costs";

let server: RunServer;
let lab: ScriptedServer;
let providerId: string;
let agentId: string;

beforeAll(async () => {
  server = await startRunServer([{ text: "scripted" }]);
});
afterAll(() => server.close());

beforeEach(async () => {
  providerId = `lab-${crypto.randomUUID().slice(0, 8)}`;
  agentId = `a-${crypto.randomUUID()}`;
  lab = await startScriptedServer({ script: [{ text: "Hello.", usage: { input: 1_000, cached: 400, output: 100 } }] });
  await server.call(addRoute, { as: "admin", body: { id: providerId, kind: "openai-compatible", baseUrl: lab.url } });
});
afterEach(() => lab.close());

const PRICE = { input: 10, cachedRead: 1, cachedWrite: 10, output: 50 };
/** 600 uncached, 400 cached and 100 output tokens. */
const COST = (600 * 10 + 400 * 1 + 100 * 50) / 1_000_000;

function setPrice(model: string, price: object = PRICE) {
  const params = { providerId };
  return server.call(patchRoute, { as: "admin", method: "PATCH", params, body: { models: [{ id: model, price }] } });
}

async function run(model: string, thread?: string) {
  await createAgent(server.services, {
    agentId,
    raw: { name: "A", model: `${providerId}:${model}`, retries: 0 },
    createdById: null,
  }).catch(() => undefined);
  const threadId = thread ?? (await (await server.call(openRoute, { as: "admin", body: { agentId } })).json()).id;
  const params = { threadId };
  const { runId } = await (await server.call(sendRoute, { as: "admin", params, body: { content: "hi" } })).json();
  await expect.poll(() => find(runId).then(({ endedAt }) => endedAt), { timeout: 10_000 }).toBeTruthy();
  await flushSpans();
  return { threadId, runId, traceId: (await find(runId)).traceId };
}

const find = (id: string) => server.database.run.findUniqueOrThrow({ where: { id } });
const history = async () => (await server.call(historyRoute, { as: "admin" })).json();

async function whenFilled() {
  await expect.poll(async () => (await history()).endedAt, { timeout: 20_000 }).not.toBeNull();
  return history();
}

async function costs({ threadId, runId, traceId }: { threadId: string; runId: string; traceId: string }) {
  const trace = await (await server.call(traceRoute, { as: "admin", params: { traceId } })).json();
  const thread = await (await server.call(messagesRoute, { as: "admin", params: { threadId } })).json();
  const usage = await (await server.call(usageRoute, { as: "admin", path: "/api/usage?by=agent" })).json();
  const call = trace.spans.find(({ type }: { type: string }) => type === "llm").attributes;
  return {
    run: (await find(runId)).costUsd,
    trace: trace.costUsd,
    call: call.cost_usd,
    price: call.price,
    thread: thread.usage.costUsd,
    message: thread.messages.at(-1).metadata.costUsd,
    usage: usage.rows.find(({ agent }: { agent: string }) => agent === agentId).costUsd,
  };
}

test("a price fills in what was unknown: call, trace, run, thread and usage", async () => {
  const found = await run("m");
  await run("m", found.threadId);
  const params = { providerId };
  const counted = await server.call(unpricedRoute, { as: "admin", params, path: "/?model=m" });
  const tokens = { inputTokens: 2_000, cachedReadTokens: 800, cachedWriteTokens: 0, outputTokens: 200 };
  expect(await counted.json()).toMatchObject({ runs: 2, since: expect.any(String), ...tokens, isPartial: false });
  const nothing = { run: null, trace: null, call: null, price: undefined, thread: null, message: null, usage: null };
  expect(await costs(found)).toEqual(nothing);
  await setPrice("m");
  expect(await whenFilled()).toMatchObject({ state: "idle", filled: 2 });
  const all = { run: COST, trace: COST, call: COST, price: PRICE, message: COST, thread: 2 * COST, usage: 2 * COST };
  const now = await costs(found);
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === "number") expect(now[name as keyof typeof now], name).toBeCloseTo(value, 9);
    else expect(now[name as keyof typeof now], name).toEqual(value);
  }
});

test("a cost that is known stays when the price changes, which later runs count with", async () => {
  await setPrice("m");
  const first = await run("m");
  await setPrice("m", { ...PRICE, output: 500 });
  const second = await run("m", first.threadId);
  expect((await find(first.runId)).costUsd).toBeCloseTo(COST, 9);
  expect((await find(second.runId)).costUsd).toBeCloseTo(COST + (100 * 450) / 1_000_000, 9);
});

test("what another unknown model used keeps the thread unknown, not the run", async () => {
  const found = await run("m");
  await createAgentOf("other");
  await run("other", found.threadId);
  await setPrice("m");
  // Not by the task's state, which may still be that of the price before.
  await expect.poll(async () => (await find(found.runId)).costUsd).toBeCloseTo(COST, 9);
  expect((await costs(found)).thread).toBeNull();
});

/** Publishes an agent version that uses another model. */
async function createAgentOf(model: string) {
  const version = await server.database.agentVersion.findFirstOrThrow({ where: { agentId } });
  const config = JSON.stringify({ ...JSON.parse(version.config), model: `${providerId}:${model}` });
  const next = { ...version, id: `${version.id}-2`, number: 2, config, configHash: "2" };
  await server.database.agentVersion.create({ data: next });
  await server.database.agent.update({ where: { id: agentId }, data: { currentVersionId: next.id } });
}

test("a call whose usage nobody knows stays unknown", async () => {
  const found = await run("m");
  await server.database.run.update({ where: { id: found.runId }, data: { isUsagePartial: true } });
  await setPrice("m");
  await whenFilled();
  expect((await find(found.runId)).costUsd).toBeNull();
  expect((await costs(found)).call).toBeCloseTo(COST, 9);
});

test("a subagent's cost reaches the run that counts it, at any depth and in any order", async () => {
  const parent = await run("m");
  const child = await run("m");
  const { inputTokens, outputTokens, endedAt } = await find(parent.runId);
  const { database } = server;
  const depth = { parentRunId: parent.runId, rootRunId: parent.runId, isReported: true, depth: 1 };
  // The subagent ends after its parent.
  const later = new Date((endedAt ?? new Date()).getTime() + 60_000);
  await database.run.update({
    where: { id: child.runId },
    data: { ...depth, traceId: parent.traceId, endedAt: later },
  });
  await database.span.updateMany({ where: { runId: child.runId }, data: { traceId: parent.traceId } });
  const sums = { inputTokens: 2 * inputTokens, outputTokens: 2 * outputTokens };
  await database.run.update({ where: { id: parent.runId }, data: sums });
  await setPrice("m");
  await whenFilled();
  expect((await find(parent.runId)).costUsd).toBeCloseTo(2 * COST, 9);
});

test("many runs are filled in by short steps, with a pace between them", async () => {
  const { threadId } = await run("m");
  const { database } = server;
  const [row] = await database.run.findMany({ where: { threadId } });
  const [span] = await database.span.findMany({ where: { runId: row?.id, type: "llm" } });
  if (!row || !span) throw new Error("The run left no call.");
  const ids = Array.from({ length: 200 }, (_, index) => `copy-${agentId}-${index}`);
  await database.run.createMany({
    data: ids.map((id, position) => ({ ...row, id, position: position + 10, assistantMessageId: id, depth: 1 })),
  });
  await database.span.createMany({ data: ids.map((id) => ({ ...span, id: `sp-${id}`, runId: id })) });
  const steps: number[] = [];
  const facts = { rates: PRICE };
  const pace = { rest: async (tookMs: number) => steps.push(tookMs) > 0 };
  const filled = await fillUnknownCosts(database, {
    registry: { factsOf: () => facts },
    pace,
    onProgress: async () => {},
  });
  expect(filled).toBeGreaterThanOrEqual(201);
  expect(steps.length).toBeGreaterThan(4);
  const sorted = steps.toSorted((left, right) => left - right);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(50);
});
