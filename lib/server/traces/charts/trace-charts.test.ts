import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as charts } from "@/app/api/traces/charts/route";
import { GET as facets } from "@/app/api/traces/facets/route";
import type { TraceCharts } from "@/lib/schema/traces/list/charts";
import type { FacetList } from "@/lib/schema/traces/trace";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { deleteTracesBefore } from "@/lib/server/platform/db/queries/retention/purge";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { addTrace, START } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { percentileOf } from "./histogram";
import { chartTraces } from "./trace-charts";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

async function read(as: Role, query = ""): Promise<TraceCharts> {
  const reply = await server.call(charts, { as, path: `/api/traces/charts?timezone=UTC${query}` });
  expect(reply.status).toBe(200);
  return reply.json();
}
async function count(as: Role, query = ""): Promise<FacetList> {
  return (await server.call(facets, { as, path: `/api/traces/facets?${query.slice(1)}` })).json();
}
const change = (name: string, data: object) => server.database.trace.update({ where: { id: `tr_${name}` }, data });

const NOVEMBER = "&since=2026-11-01T00:00:00Z&until=2026-12-01T00:00:00Z";

const seeds = fc.array(
  fc.record({
    status: fc.constantFrom("completed", "failed", "cancelled", "running", "limit"),
    owner: fc.constantFrom("member", "viewer", "admin"),
    minute: fc.integer({ min: -20_000, max: 12_000 }),
    workedMs: fc.integer({ min: 0, max: 10_000_000 }),
    costUsd: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
  }),
  { minLength: 30, maxLength: 30 },
);

const FILTERS = [
  ...["", "&status=failed,running", "&person=viewer", "&agentId=writer", "&agentId=gone", "&mine=true"],
  ...["&minWorkedMs=5000", "&minCostUsd=3", "&hasError=true", "&q=About%20r1", NOVEMBER, `&status=failed${NOVEMBER}`],
  ...[
    "&since=2026-11-20T11:17:00Z&until=2026-11-20T13:09:00Z",
    "&since=2026-11-18T00:00:00Z",
    "&until=2026-11-21T00:00:00Z",
  ],
];

async function addRuns() {
  const [runs = []] = fc.sample(seeds, { numRuns: 1, seed: 29 });
  for (const [index, { workedMs, costUsd, ...seed }] of runs.entries()) {
    const open = seed.status === "running";
    await addTrace(server, `r${index}`, { ...seed, open });
    await change(`r${index}`, open ? {} : { workedMs, costUsd });
  }
}

/** How many runs the buckets have that the list has between their times. */
async function compareBuckets(as: Role, filters: string, { buckets, total }: TraceCharts) {
  for (const name of ["runs", "costUsd", "unpricedRuns", "inputTokens"] as const)
    expect(buckets.reduce((sum, bucket) => sum + bucket[name], 0)).toBe(total[name]);
  for (const { since, until, runs } of buckets.filter((bucket) => bucket.runs > 0)) {
    const within = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(filters)), since, until });
    expect((await count(as, `&${within}`)).runs).toBe(runs);
  }
}

test("the sums are those of the list under the same filters, whatever runs there are", async () => {
  await addRuns();
  let found = 0;
  for (const as of ["admin", "member"] as const) {
    for (const filters of FILTERS) {
      const [shown, listed] = [await read(as, filters), await count(as, filters)];
      found += listed.runs;
      expect([filters, shown.total.runs]).toEqual([filters, listed.runs]);
      const statuses = listed.facets.find(({ name }) => name === "status")?.values ?? [];
      const chosen = statuses.filter(({ value }) => !filters.includes("status=") || filters.includes(value));
      const expected = Object.fromEntries(chosen.map(({ value, count: runs }) => [value, runs]));
      expect([filters, shown.total.statuses]).toEqual([filters, expected]);
      await compareBuckets(as, filters, shown);
    }
  }
  expect(found).toBeGreaterThan(100);
});

test("an empty month is shown with its days, and so is a time with no runs at all", async () => {
  const { unit, buckets, total } = await read("admin", NOVEMBER);
  expect([unit, buckets.length, total.runs, total.p50Ms]).toEqual(["day", 30, 0, null]);
  expect(buckets[0]).toMatchObject({
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-11-02T00:00:00.000Z",
    statuses: {},
  });
  expect((await read("admin")).buckets.length).toBeGreaterThan(29);
  expect((await read("admin", "&problemId=prb_none")).buckets.length).toBeGreaterThan(29);
});

test("a run is in the day that it began on in the viewer's time zone", async () => {
  await addTrace(server, "late", { minute: 11 * 60 + 30 });
  const daysWithRuns = async (zone: string) => {
    const path = `/api/traces/charts?timezone=${zone}${NOVEMBER}`;
    const shown: TraceCharts = await (await server.call(charts, { as: "admin", path })).json();
    return shown.buckets.filter(({ runs }) => runs > 0).map(({ since }) => since);
  };
  expect(await daysWithRuns("UTC")).toEqual(["2026-11-20T00:00:00.000Z"]);
  expect(await daysWithRuns("Europe/Berlin")).toEqual(["2026-11-20T23:00:00.000Z"]);
  const reply = await server.call(charts, { as: "admin", path: "/api/traces/charts?timezone=Mars/Base" });
  expect(reply.status).toBe(400);
});

test("everybody sees their own runs alone, and a limited key those of its agents", async () => {
  await addTrace(server, "a");
  await addTrace(server, "b", { owner: "viewer" });
  expect((await read("admin")).total.runs).toBe(2);
  expect((await read("member")).total.runs).toBe(1);
  expect((await read("member", "&person=viewer")).total.runs).toBe(0);
  const limited = (reach: string[]) => chartTraces(server.services, { ...testViewer("admin", "admin"), reach }, {});
  expect((await limited(["other"])).total.runs).toBe(0);
  expect((await limited(["writer"])).total.runs).toBe(2);
});

test("runs of a deleted agent are counted, and those that retention has deleted are not", async () => {
  await addTrace(server, "old", { minute: -3 * 24 * 60 });
  await addTrace(server, "new");
  await server.database.agent.update({ where: { id: "writer" }, data: { deletedAt: new Date() } });
  expect((await read("admin", "&agentId=writer")).total.runs).toBe(2);
  await server.database.run.updateMany({ data: { endedAt: new Date(START) } });
  await deleteTracesBefore(server.database, new Date(START), { rest: async () => true });
  expect((await read("admin", "&agentId=writer")).total.runs).toBe(1);
});

test("percentiles are at most twice the real time, and none without a run that has ended", async () => {
  const times = [1, 40, 700, 700, 900, 12_000, 60_000, 61_000, 100_000, 3_000_000];
  for (const [index, workedMs] of times.entries()) {
    await addTrace(server, `t${index}`);
    await change(`t${index}`, { workedMs });
  }
  await addTrace(server, "open", { open: true, status: "running" });
  const { p50Ms, p95Ms } = (await read("admin")).total;
  for (const [shown, real] of [[p50Ms, 900] as const, [p95Ms, 3_000_000] as const]) {
    expect(shown).toBeGreaterThan(real / 2);
    expect(shown).toBeLessThan(real * 2);
  }
  expect((await read("admin", "&status=running")).total).toMatchObject({ runs: 1, p50Ms: null, unpricedRuns: 0 });
  expect(percentileOf(new Map([[0, 3]]), 0.95)).toBe(0);
});

test("a replay counts in tokens and cost alone, unless the filters name its origin", async () => {
  await addTrace(server, "own", {});
  await addTrace(server, "tried", { status: "failed" });
  await change("own", { workedMs: 1_000 });
  await change("tried", { origin: "replay", workedMs: 9_000_000 });
  const { total } = await read("admin");
  expect(total).toMatchObject({ runs: 1, statuses: { completed: 1 }, costUsd: 1, inputTokens: 200 });
  expect(total.p95Ms).toBeLessThan(5_000);
  const named = await read("admin", "&origin=replay");
  expect(named.total).toMatchObject({ runs: 1, statuses: { failed: 1 }, costUsd: 0.5 });
});
