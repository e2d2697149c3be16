import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as usage } from "@/app/api/usage/route";
import { purgeThread } from "@/lib/server/platform/db/queries/retention/purge";
import { periodRuns } from "@/lib/server/platform/db/queries/usage/period-runs";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
let runs = 0;

beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "coder", { name: "Coder", model: "scripted:m" });
  await addAgent(server.database, "writer", { name: "=Writer", model: "scripted:m" });
  for (const agentId of ["coder", "writer"]) {
    await addThread(server.database, `th_${agentId}`, { ownerId: "member", agentId });
  }
});
afterEach(() => server.close());

interface AddedRun {
  readonly at: string;
  readonly agentId?: string;
  readonly costUsd?: number | null;
  readonly tookMs?: number;
  readonly status?: string;
  readonly parentRunId?: string;
  readonly model?: string;
  readonly apiKeyId?: string;
  readonly origin?: string;
  readonly isUsagePartial?: boolean;
}

async function addRun({
  at,
  agentId = "coder",
  costUsd = 0.5,
  tookMs = 1_000,
  status = "completed",
  ...more
}: AddedRun) {
  const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: agentId } });
  const startedAt = new Date(at);
  const id = `run_${++runs}`;
  await server.database.run.create({
    data: {
      id,
      threadId: `th_${agentId}`,
      ownerId: "member",
      agentId,
      agentVersionId: currentVersionId ?? "",
      traceId: "-",
      input: "{}",
      assistantMessageId: "m",
      status,
      costUsd,
      createdAt: startedAt,
      startedAt,
      endedAt: new Date(startedAt.getTime() + tookMs),
      inputTokens: 100,
      cachedReadTokens: 40,
      outputTokens: 10,
      ...more,
      depth: more.parentRunId === undefined ? 0 : 1,
    },
  });
  return id;
}

async function ask(search: string, as: "admin" | "member" = "admin") {
  const reply = await server.call(usage, { as, path: `/api/usage?${search}` });
  return { status: reply.status, type: reply.headers.get("content-type"), text: await reply.text() };
}

const rowsOf = async (search: string) => JSON.parse((await ask(search)).text).rows;
const NOVEMBER = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z";

test("runs are told apart by what started them, also those of threads that were deleted for good", async () => {
  await addRun({ at: "2026-11-10T12:00:00Z" });
  await addRun({ at: "2026-11-10T12:00:00Z", origin: "api" });
  await addRun({ at: "2026-11-10T12:00:00Z", origin: "schedule", agentId: "writer" });
  const expected = [
    { origin: "api", runs: 1 },
    { origin: "chat", runs: 1 },
    { origin: "schedule", runs: 1 },
  ];
  expect(await rowsOf(`${NOVEMBER}&by=origin`)).toMatchObject(expected);
  await purgeThread(server.database, "th_writer", { rest: async () => true });
  expect(await rowsOf(`${NOVEMBER}&by=origin`)).toMatchObject(expected);
  expect((await ask(`${NOVEMBER}&by=origin,agent&format=csv`)).text).toContain("schedule,writer");
});

test("adds up the runs of a period by day and agent, with percentiles; the end is exclusive", async () => {
  for (const tookMs of [1_000, 2_000, 3_000, 100_000]) await addRun({ at: "2026-11-10T12:00:00Z", tookMs });
  await addRun({ at: "2026-11-10T13:00:00Z", agentId: "writer", status: "failed" });
  await addRun({ at: "2026-11-11T00:00:00Z" });
  await addRun({ at: "2026-12-01T00:00:00Z" });
  const { rows, total } = JSON.parse((await ask(`${NOVEMBER}&by=day,agent`)).text);
  expect(rows).toMatchObject([
    {
      day: "2026-11-10",
      agent: "coder",
      agentName: "Coder",
      runs: 4,
      failed: 0,
      costUsd: 2,
      p50Ms: 2_000,
      p95Ms: 100_000,
    },
    { day: "2026-11-10", agent: "writer", runs: 1, failed: 1 },
    { day: "2026-11-11", agent: "coder", runs: 1, inputTokens: 100, cachedReadTokens: 40, outputTokens: 10 },
  ]);
  expect(total).toMatchObject({ runs: 6, failed: 1, costUsd: 3, unpricedTokens: 0 });
});

test("an unknown price stays unknown, beside what the others cost", async () => {
  await addRun({ at: "2026-11-10T12:00:00Z", costUsd: 0.1 });
  await addRun({ at: "2026-11-10T12:00:00Z", costUsd: null });
  expect(await rowsOf(`${NOVEMBER}&by=agent`)).toMatchObject([
    { costUsd: null, knownCostUsd: 0.1, unpricedTokens: 110 },
  ]);
});

test("runs with calls that were cut off are told apart", async () => {
  await addRun({ at: "2026-11-10T12:00:00Z", isUsagePartial: true });
  await addRun({ at: "2026-11-10T12:00:00Z" });
  expect(await rowsOf(`${NOVEMBER}&by=agent`)).toMatchObject([{ runs: 2, partialRuns: 1, costUsd: 1 }]);
});

test("a subagent's run counts with the run that started it", async () => {
  const parentRunId = await addRun({ at: "2026-11-10T12:00:00Z" });
  await addRun({ at: "2026-11-10T12:00:00Z", parentRunId });
  expect(await rowsOf(`${NOVEMBER}&by=day`)).toMatchObject([{ runs: 1, costUsd: 0.5 }]);
});

test("replays count as what was used, and are left out where runs are compared", async () => {
  await addRun({ at: "2026-11-10T12:00:00Z" });
  await addRun({ at: "2026-11-10T12:00:00Z", origin: "replay", status: "failed", costUsd: 3, tookMs: 90_000 });
  expect(await rowsOf(`${NOVEMBER}&by=agent,version`)).toMatchObject([{ runs: 2, costUsd: 3.5 }]);
  const compared = await rowsOf(`${NOVEMBER}&by=agent,version&replays=exclude`);
  expect(compared).toMatchObject([{ runs: 1, failed: 0, costUsd: 0.5, p95Ms: 1_000 }]);
});

test("days are those of the asked time zone, also where the clocks change", async () => {
  await addRun({ at: "2026-11-10T23:30:00Z" });
  await addRun({ at: "2026-10-25T00:30:00Z" });
  const rows = await rowsOf("from=2026-10-01T00:00:00Z&to=2026-12-01T00:00:00Z&by=hour&timezone=Europe/Berlin");
  expect(rows).toMatchObject([{ hour: "2026-10-25T02" }, { hour: "2026-11-11T00" }]);
});

test("by version, user, model and key", async () => {
  const key = await server.database.apiKey.findFirstOrThrow({ where: { userId: "member" } });
  await addRun({ at: "2026-11-10T12:00:00Z", model: "openai:gpt-4o", apiKeyId: key.id });
  await addRun({ at: "2026-11-10T12:00:00Z" });
  expect(await rowsOf(`${NOVEMBER}&by=agent,version`)).toMatchObject([{ agent: "coder", version: 1, runs: 2 }]);
  expect(await rowsOf(`${NOVEMBER}&by=version`)).toMatchObject([{ version: "coder@1", runs: 2 }]);
  expect(await rowsOf(`${NOVEMBER}&by=user`)).toMatchObject([{ user: "member", userName: "The member", runs: 2 }]);
  expect(await rowsOf(`${NOVEMBER}&by=model`)).toMatchObject([{ model: null }, { model: "openai:gpt-4o" }]);
  expect(await rowsOf(`${NOVEMBER}&by=key`)).toMatchObject([{ key: null }, { key: key.id, keyName: "member" }]);
});

test("by group a run counts in each group of its person, and once in the sum", async () => {
  await server.database.group.createMany({
    data: [
      { id: "grp_a", name: "Research", createdById: "admin" },
      { id: "grp_b", name: "Support", createdById: "admin" },
    ],
  });
  await addRun({ at: "2026-11-10T12:00:00Z" });
  expect(await rowsOf(`${NOVEMBER}&by=group`)).toMatchObject([{ group: null, groupName: null, runs: 1 }]);
  await server.database.groupMember.createMany({
    data: ["grp_a", "grp_b"].map((groupId) => ({ groupId, userId: "member" })),
  });
  const { rows, total } = JSON.parse((await ask(`${NOVEMBER}&by=group,user`)).text);
  expect(rows).toMatchObject([
    { group: "grp_a", groupName: "Research", user: "member", runs: 1, costUsd: 0.5 },
    { group: "grp_b", groupName: "Support", user: "member", runs: 1, costUsd: 0.5 },
  ]);
  expect(total).toMatchObject({ runs: 1, costUsd: 0.5 });
  const [head, row] = (await ask(`${NOVEMBER}&by=group&format=csv`)).text.split("\r\n");
  expect([head?.startsWith("group,groupName,"), row?.startsWith("grp_a,Research,1,")]).toEqual([true, true]);
});

test("as CSV what is unknown is empty, and a name is no formula", async () => {
  await addRun({ at: "2026-11-10T12:00:00Z", agentId: "writer", costUsd: null });
  const { text, type } = await ask(`${NOVEMBER}&by=day,agent&format=csv`);
  expect(type).toBe("text/csv; charset=utf-8");
  const [head, row] = text.split("\r\n").map((line) => line.split(","));
  const cells = Object.fromEntries((head ?? []).map((name, index) => [name, row?.[index]]));
  expect(cells).toMatchObject({ day: "2026-11-10", agentName: "'=Writer", costUsd: "", unpricedTokens: "110" });
});

test("more runs than one page has are all counted, in pages that the index gives", async () => {
  const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: "coder" } });
  await server.database.run.createMany({
    data: Array.from({ length: 2_345 }, (_, index) => ({
      id: `many_${index}`,
      threadId: "th_coder",
      ownerId: "member",
      agentId: "coder",
      traceId: "-",
      input: "{}",
      agentVersionId: currentVersionId ?? "",
      assistantMessageId: "m",
      status: "completed",
      costUsd: 0.01,
      createdAt: new Date("2026-11-10T12:00:00Z"),
    })),
  });
  expect(await rowsOf(`${NOVEMBER}&by=agent`)).toMatchObject([{ runs: 2_345, costUsd: 23.45, p50Ms: null }]);
  // Postgres chooses by statistics, which a table of this size gets at some point during the test, or not at all.
  if (server.database.dialect.provider !== "sqlite") return;
  const november = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-12-01T00:00:00Z") };
  const { sql, parameters } = periodRuns("run", { ...november, after: null, limit: 10 });
  const plan = JSON.stringify(await server.database.raw(`explain query plan ${sql}`, parameters));
  expect(plan).toContain("run_root_created_idx");
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
});

test("what was used in a thread goes on counting after the thread was deleted for good", async () => {
  await addRun({ at: "2026-11-10T12:00:00Z", model: "openai:gpt-4o" });
  const before = await ask(`${NOVEMBER}&by=agent,model`);
  await purgeThread(server.database, "th_coder", { rest: async () => true });
  expect(await server.database.run.count()).toBe(0);
  expect(await ask(`${NOVEMBER}&by=agent,model`)).toEqual(before);
});

test("nobody but an admin reads it, and what is wrong with a question is said by field", async () => {
  expect((await ask("", "member")).status).toBe(403);
  const wrong = await ask("by=day,colour&timezone=Mars&from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z");
  const paths = JSON.parse(wrong.text).error.details.map(({ path }: { path: string }) => path);
  expect([wrong.status, paths]).toEqual([400, ["by", "timezone"]]);
  const backwards = await ask("from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z");
  expect(JSON.parse(backwards.text).error.details).toMatchObject([{ path: "to" }]);
});
