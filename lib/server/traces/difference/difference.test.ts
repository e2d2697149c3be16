import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as postDifference } from "@/app/api/traces/difference/route";
import type { Differences } from "@/lib/schema/traces/difference";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

/** Runs of the member: `failed` ones on one model at night, others on another by day. */
async function addRuns(failed: number, others: number): Promise<void> {
  for (let index = 0; index < failed; index += 1) {
    await addTrace(server, `bad${index}`, { status: "failed", model: "demo:small", minute: index });
  }
  for (let index = 0; index < others; index += 1) {
    await addTrace(server, `good${index}`, { model: "demo:large", minute: 600 + index });
  }
}

const ask = (body: unknown, as: Role = "member") => server.call(postDifference, { as, method: "POST", body });
async function differences(body: unknown, as: Role = "member"): Promise<Differences> {
  const reply = await ask(body, as);
  expect(reply.status).toBe(200);
  return reply.json();
}
const named = ({ differences: found }: Differences) => found.map(({ facet, value }) => `${facet} ${value}`);

test("what is different about failed runs is their model and hour, not that they failed", async () => {
  await addRuns(8, 20);
  const found = await differences({ selection: { filters: { status: "failed" } } });
  expect([found.selected, found.rest]).toEqual([8, 20]);
  expect(found.differences).toContainEqual({
    ...{ facet: "model", value: "demo:small", label: "demo:small" },
    ...{ share: 1, baseShare: 0, runs: 8, baseRuns: 0 },
  });
  expect(named(found)).toContain("model demo:large");
  expect(found.differences.some(({ facet }) => facet === "hour")).toBe(true);
  expect(found.differences.some(({ facet }) => facet === "status" || facet === "weekday")).toBe(false);
});

test("runs are chosen by their ids, too, and compared with the others under the base's filters", async () => {
  await addRuns(8, 20);
  const runIds = Array.from({ length: 8 }, (_, index) => `run_bad${index}`);
  expect(named(await differences({ selection: { runIds } }))).toContain("status failed");
  const narrow = { selection: { runIds }, base: { filters: { model: "demo:small" } } };
  expect(await differences(narrow)).toEqual({ selected: 8, rest: 0, differences: [] });
});

test("replays are left out of both sides, unless they were chosen or their origin was named", async () => {
  await addRuns(8, 20);
  const where = { runId: { in: ["run_bad0", "run_bad1", "run_good0", "run_good1", "run_good2"] } };
  await server.database.trace.updateMany({ where, data: { origin: "replay" } });
  const failed = { selection: { filters: { status: "failed" } } };
  expect(await differences(failed)).toMatchObject({ selected: 6, rest: 17 });
  const runIds = ["run_bad0", "run_bad2"];
  expect(await differences({ selection: { runIds } })).toMatchObject({ selected: 2, rest: 22 });
  const replays = { filters: { origin: "replay" } };
  expect(await differences({ selection: replays })).toMatchObject({ selected: 5, rest: 23 });
  expect(await differences({ ...failed, base: replays })).toMatchObject({ selected: 6, rest: 5 });
});

test("with fewer than five runs on one side nothing is said", async () => {
  await addRuns(4, 20);
  expect(await differences({ selection: { filters: { status: "failed" } } })).toMatchObject({
    ...{ selected: 4, rest: 20, differences: [] },
  });
  expect(await differences({ selection: { filters: { problemId: "none" } } })).toMatchObject({ selected: 0, rest: 0 });
});

test("tools are counted once for a run, whatever the number of its calls", async () => {
  await addRuns(6, 6);
  const { database } = server;
  const version = await database.agentVersion.findFirstOrThrow();
  const call = (index: number, name: string, tool: string) => ({
    ...{ runId: `run_${name}`, toolCallId: `c${index}`, traceId: `tr_${name}`, rootRunId: `run_${name}` },
    ...{ threadId: `th_${name}`, ownerId: "member", agentId: "writer", agentVersionId: version.id, agentVersion: 1 },
    ...{
      step: 1,
      spanId: `s${index}`,
      tool,
      kind: "execute",
      gist: "",
      argsHash: "",
      annotations: "{}",
      aliases: "[]",
    },
    ...{ verdictBy: "allow", rule: '"execute"', status: "completed", startedAt: new Date() },
  });
  await database.call.createMany({
    data: [0, 1, 2, 3, 4, 5].flatMap((index) => [
      call(index, `bad${index}`, "execute"),
      call(index + 100, `bad${index}`, "execute"),
    ]),
  });
  const { differences: found } = await differences({ selection: { filters: { status: "failed" } } });
  expect(found).toContainEqual(expect.objectContaining({ facet: "tool", value: "execute", runs: 6, share: 1 }));
  expect(found).toContainEqual(expect.objectContaining({ facet: "rule", label: "execute", runs: 6 }));
});

test("everybody asks about their own runs, administrators about all", async () => {
  await addRuns(8, 20);
  const body = { selection: { filters: { status: "failed" } } };
  await addTrace(server, "foreign", { status: "failed", owner: "viewer" });
  expect((await differences(body)).selected).toBe(8);
  expect((await differences(body, "admin")).selected).toBe(9);
  expect((await differences({ selection: { runIds: ["run_foreign"] } })).selected).toBe(0);
  expect((await ask({ selection: { runIds: [] } })).status).toBe(400);
  expect((await ask({ selection: { filters: { unknown: true } } })).status).toBe(400);
});
