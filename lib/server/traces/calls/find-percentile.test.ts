import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as getPercentile } from "@/app/api/traces/[traceId]/spans/[spanId]/percentile/route";
import type { CallPercentile } from "@/lib/schema/traces/calls/call-percentile";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { selectCallTimes } from "@/lib/server/platform/db/queries/calls/call-times";
import { planOf, statementOf } from "@/lib/testing/databases/plan-of";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

interface Calls {
  readonly owner?: string;
  readonly tool?: string;
  readonly daysAgo?: number;
}

/** A run with a call for each of these times (ms); null is no measure. */
async function addCalls(name: string, times: readonly (number | null)[], { owner, tool, daysAgo = 1 }: Calls = {}) {
  await addTrace(server, name, { owner: owner ?? "member" });
  const { database } = server;
  const version = await database.agentVersion.findFirstOrThrow();
  const startedAt = new Date(Date.now() - daysAgo * 86_400_000);
  const ids = { runId: `run_${name}`, rootRunId: `run_${name}`, traceId: `tr_${name}`, threadId: `th_${name}` };
  const whose = { ownerId: owner ?? "member", agentId: "writer", agentVersionId: version.id, agentVersion: 1 };
  const facts = { kind: "execute", gist: "", argsHash: "", annotations: "{}", aliases: "[]", step: 1 };
  await database.call.createMany({
    data: times.map((tookMs, index) => ({
      ...{ ...ids, ...whose, ...facts, toolCallId: `c${index}`, spanId: `${name}_${index}` },
      ...{ tool: tool ?? "execute", status: "completed", tookMs, startedAt, endedAt: startedAt },
    })),
  });
}

const ask = (name: string, index: number, as: Role = "member") =>
  server.call(getPercentile, { as, params: { traceId: `tr_${name}`, spanId: `${name}_${index}` } });

async function percentile(name: string, index: number, as?: Role): Promise<CallPercentile | null> {
  const reply = await ask(name, index, as);
  expect(reply.status).toBe(200);
  return (await reply.json()).percentile;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * 10);

test("a call is placed among the calls of its tool in 30 days", async () => {
  await addCalls("a", upTo(100));
  await addCalls("other", [5_000], { tool: "read_file" });
  await addCalls("old", [5_000], { daysAgo: 31 });
  const found = { tool: "execute", calls: 100, of: "own", p95Ms: 950 };
  expect(await percentile("a", 97)).toEqual({ ...found, tookMs: 980, slowerThan: 0.97, fasterThan: 0.02 });
  expect(await percentile("a", 0)).toEqual({ ...found, tookMs: 10, slowerThan: 0, fasterThan: 0.99 });
});

test("with fewer than 20 calls nothing is said, nor of a call that is no measure", async () => {
  await addCalls("a", upTo(19));
  expect(await percentile("a", 0)).toBeNull();
  await addCalls("b", [40, null]);
  expect(await percentile("a", 0)).toMatchObject({ calls: 20 });
  expect(await percentile("b", 1)).toBeNull();
  expect(await percentile("b", 7)).toBeNull();
});

test("people are told about their own calls, administrators about everybody's, a stranger nothing", async () => {
  await addCalls("a", upTo(20));
  await addCalls("b", upTo(30), { owner: "admin" });
  expect(await percentile("a", 0)).toMatchObject({ calls: 20, of: "own" });
  expect(await percentile("a", 0, "admin")).toMatchObject({ calls: 50, of: "everybody" });
  expect((await ask("b", 0)).status).toBe(404);
});

test("only the last calls are read, and nothing but their index", async () => {
  await addCalls("a", upTo(30));
  const scope = { agentId: "writer", tool: "execute", since: new Date(0), ownerId: "member" };
  const { database } = server;
  expect(await selectCallTimes(database, scope, { tookMs: 5, most: 25 })).toMatchObject({ calls: 25, slower: 25 });
  const asked = await statementOf(database, "readAside", (watched) =>
    selectCallTimes(watched, scope, { tookMs: 5, most: 25 }),
  );
  const plan = await planOf(database, asked, ["seqscan", "bitmapscan", "indexscan"]);
  expect(plan).toMatch(/COVERING INDEX call_took_idx|Index Only Scan Backward using call_took_idx/);
});
