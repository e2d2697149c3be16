import { afterEach, beforeEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { selectDifference } from "@/lib/server/platform/db/queries/trace-list/difference";
import { selectFacets } from "@/lib/server/platform/db/queries/trace-list/facets";
import { keepUses } from "@/lib/server/platform/db/queries/trace-list/uses-of-runs";
import { addTrace, START } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

const ALL = { isDraft: false, choices: {} };
const HOUR_MS = 3_600_000;
const atOnce = { rest: async () => true };
const keep = (endedBeforeMs: number) => keepUses(server.database, new Date(endedBeforeMs), atOnce);

async function addCalls(name: string, calls: readonly { tool: string; status?: string; rule?: string }[]) {
  const { id: agentVersionId } = await server.database.agentVersion.findFirstOrThrow();
  await server.database.call.createMany({
    data: calls.map(({ tool, status = "completed", rule = null }, index) => ({
      ...{ runId: `run_${name}`, toolCallId: `c${index}`, traceId: `tr_${name}`, rootRunId: `run_${name}` },
      ...{ threadId: `th_${name}`, ownerId: "member", agentId: "writer", agentVersionId, agentVersion: 1 },
      ...{ step: 1, spanId: `s${index}`, tool, kind: "tool", gist: "", argsHash: "", annotations: "{}" },
      ...{ aliases: "[]", verdictBy: "mode", rule, status, startedAt: new Date(START) },
    })),
  });
}

async function addRuns() {
  const calls = {
    plain: [{ tool: "read_file" }, { tool: "read_file" }, { tool: "execute", rule: '"execute"' }],
    failed: [{ tool: "execute", status: "failed", rule: '{"tool":"execute","args":{"command":"npm \\"*\\""}}' }],
    odd: [{ tool: 'mcp__größe__"list"' }, { tool: "!shout" }, { tool: " " }],
    silent: [],
  };
  for (const [index, [name, some]] of Object.entries(calls).entries()) {
    await addTrace(server, name, { minute: index * 60 });
    await addCalls(name, some);
  }
}

async function counts() {
  const { database } = server;
  const choices = { tool: ["execute"] };
  const answers = [
    await selectFacets(database, ALL),
    await selectFacets(database, { ...ALL, choices }),
    await selectDifference(database, { within: { ...ALL, choices } }, ALL),
  ];
  return answers.map((rows) => rows.map((row) => JSON.stringify(row)).toSorted());
}

test("what the calls of a run used is counted alike from its calls and as it is kept with its trace", async () => {
  await addRuns();
  const live = await counts();
  expect(live.flat()).toContain(JSON.stringify({ facet: "tool", value: "execute", count: 2 }));
  expect(live.flat()).toContain(JSON.stringify({ facet: "toolFailed", value: "execute", count: 1 }));
  expect(await keep(START + 1.5 * HOUR_MS)).toBe(2);
  expect(await counts()).toEqual(live);
  expect(await keep(START + 100 * HOUR_MS)).toBe(2);
  expect(await counts()).toEqual(live);
});

test("a trace is kept once, without calls too, and an open one not at all", async () => {
  await addRuns();
  await addTrace(server, "open", { minute: 0, status: "running", open: true });
  expect(await keep(START + 100 * HOUR_MS)).toBe(4);
  expect(await keep(START + 100 * HOUR_MS)).toBe(0);
  await server.database.call.deleteMany();
  expect((await counts()).flat()).toContain(JSON.stringify({ facet: "tool", value: "execute", count: 2 }));
});
