import { afterEach, beforeEach, expect, test } from "vitest";
import { PATCH as change } from "@/app/api/problems/[problemId]/route";
import { GET as list } from "@/app/api/problems/route";
import type { Problem } from "@/lib/schema/traces/problem";
import { callProblemKey, limitProblemKey, runProblemKey } from "@/lib/schema/traces/problem-key";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { deleteTracesBefore } from "@/lib/server/platform/db/queries/retention/purge";
import { setMasks } from "@/lib/server/platform/masking";
import { setUserTimeZones } from "@/lib/server/platform/time/user-time-zones";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { collectProblems, listProblems } from "./problems";

let server: TestServer;
let made = 0;

beforeEach(async () => {
  made = 0;
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(async () => {
  setMasks([]);
  setUserTimeZones([]);
  await server.close();
});

interface Failure {
  readonly owner?: string;
  readonly version?: number;
  readonly daysAgo?: number;
}

const before = (days: number) => new Date(Date.now() - days * 86_400_000);

/** A run with a trace that ended then, with these columns. */
async function failed(columns: object, { owner = "member", version = 1, daysAgo = 0 }: Failure = {}): Promise<string> {
  const name = `p${++made}`;
  await addTrace(server, name, { owner });
  const endedAt = before(daysAgo);
  const data = { agentVersion: version, startedAt: endedAt, endedAt, ...columns };
  await server.database.trace.update({ where: { id: `tr_${name}` }, data });
  await server.database.run.update({ where: { id: `run_${name}` }, data: { endedAt } });
  return name;
}

/** A call of a run with a trace of its own. */
async function call(columns: object, failure: Failure = {}): Promise<string> {
  const name = await failed({}, failure);
  const trace = await server.database.trace.findUniqueOrThrow({ where: { id: `tr_${name}` } });
  const { ownerId, threadId, agentId, agentVersionId, agentVersion, startedAt, endedAt } = trace;
  const row = { runId: trace.runId, rootRunId: trace.runId, traceId: trace.id, ownerId, threadId, agentId };
  const facts = { toolCallId: "c", step: 1, spanId: "s", tool: "fetch", kind: "web", gist: "", argsHash: "h" };
  const text = { annotations: "{}", aliases: "[]", status: "failed" };
  await server.database.call.create({
    data: { ...row, agentVersionId, agentVersion, ...facts, ...text, startedAt, endedAt, ...columns },
  });
  return trace.runId;
}

const toolError = (error: string, failure?: Failure) => call({ problemKey: callProblemKey("fetch", error) }, failure);
const refusedBy = (message: string) => runProblemKey({ errorCode: "provider_failed", model: "openai:x", message });

const problems = async (as: Role = "admin", query = ""): Promise<Problem[]> =>
  (await (await server.call(list, { as, path: `/api/problems${query}` })).json()).problems;
const set = (problemId: string, state: string, as: Role = "admin") =>
  server.call(change, { as, method: "PATCH", params: { problemId }, body: { state } });

test("failures that are alike are one problem, with its runs, people, first version and days", async () => {
  await failed({ problemKey: refusedBy("No credit left, request 123"), status: "failed" }, { daysAgo: 3, version: 2 });
  await failed(
    { problemKey: refusedBy("No credit left, request 456"), status: "failed" },
    { owner: "admin", version: 3 },
  );
  const [one, ...others] = await problems();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ kind: "failed", agentId: "writer", runs: 2, people: 2, firstVersion: 2, state: "open" });
  expect(one?.title).toBe("openai: No credit left, request <n>");
  expect([one?.perDay.length, one?.perDay[24], one?.perDay[27]]).toEqual([28, 1, 1]);
  expect(one?.sampleRunIds).toEqual(["run_p2", "run_p1"]);
});

test("the days of a problem begin at midnight of the viewer's zone, also where that is no full hour of UTC", async () => {
  const today = new Date().setUTCHours(0, 0, 0, 0);
  // Midnight in India is 18:30 UTC, in Brazil 03:00; in UTC itself it is neither.
  for (const time of ["18:25", "18:35", "02:55", "03:05"]) {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    const at = new Date(today - 5 * 86_400_000 + (hours * 60 + minutes) * 60_000);
    await failed({ problemKey: refusedBy("No credit left"), status: "failed", startedAt: at, endedAt: at });
  }
  const runsPerDay = async (timeZone: string) => {
    setUserTimeZones([{ id: "admin", timeZone }]);
    const [one] = (await listProblems(server.services, testViewer("admin", "admin"), {})).problems;
    return one?.perDay.filter((runs) => runs > 0);
  };
  expect(await runsPerDay("UTC")).toEqual([4]);
  expect(await runsPerDay("Asia/Kolkata")).toEqual([3, 1]);
  expect(await runsPerDay("America/Sao_Paulo")).toEqual([1, 3]);
});

test("a tool's errors are a problem from the third in a week; refusals, limits, loops and thumbs from the first", async () => {
  await toolError("HTTP 500 from https://a.example");
  await toolError("HTTP 500 from https://b.example");
  expect(await problems()).toEqual([]);
  await toolError("HTTP 502 from https://c.example", { daysAgo: 8 });
  expect(await problems()).toEqual([]);
  await toolError("HTTP 503 from https://d.example");
  await call({ verdict: "deny", status: "cancelled", tool: "execute" });
  await call({ decision: "deny", status: "cancelled", tool: "execute" });
  await failed({ problemKey: limitProblemKey("It stopped after 25 steps.", { isLoop: false }) });
  await failed({ problemKey: limitProblemKey("It repeated itself.", { isLoop: true }) });
  const name = await failed({});
  const score = { traceId: `tr_${name}`, threadId: `th_${name}`, runId: `run_${name}`, spanId: "s", name: "thumb" };
  await server.database.score.create({ data: { ...score, id: "sco_1", value: -1, authorId: "viewer" } });
  const found = (await problems()).map(({ kind, tool, runs }) => [kind, tool, runs]);
  expect(found.toSorted()).toEqual([
    ["denied", "execute", 2],
    ["limit", null, 1],
    ["loop", null, 1],
    ["thumb_down", null, 1],
    ["tool_error", "fetch", 4],
  ]);
  expect((await problems("admin", "?q=EXECUTE")).map(({ kind }) => kind)).toEqual(["denied"]);
  expect(await problems("admin", "?agentId=other")).toEqual([]);
});

test("calls that were refused in a replay are no problem of the agent", async () => {
  const runId = await call({ decision: "deny", status: "cancelled", tool: "execute" });
  await server.database.trace.update({ where: { runId }, data: { origin: "replay" } });
  expect(await problems()).toEqual([]);
});

test("a member sees the problems of their own runs, with numbers from those alone, and changes none", async () => {
  await failed({ problemKey: refusedBy("Gone") }, { owner: "admin", version: 1, daysAgo: 2 });
  await failed({ problemKey: refusedBy("Gone") }, { version: 4 });
  await failed({ problemKey: refusedBy("Other") }, { owner: "admin" });
  await collectProblems(server.database);
  const [own, ...others] = await problems("member");
  expect(others).toEqual([]);
  expect(own).toMatchObject({ runs: 1, people: 1, firstVersion: 4, sampleRunIds: ["run_p2"] });
  expect(own?.perDay.reduce((sum, day) => sum + day)).toBe(1);
  expect(await problems("viewer")).toEqual([]);
  expect((await set(own?.id ?? "", "resolved", "member")).status).toBe(403);
});

test("a resolved problem opens again in a later version, and in no earlier one", async () => {
  await failed({ problemKey: refusedBy("Gone") });
  const { id = "" } = (await problems())[0] ?? {};
  expect((await set(id, "resolved")).status).toBe(204);
  expect(await problems("admin", "?state=open")).toEqual([]);
  await failed({ problemKey: refusedBy("Gone") });
  expect(await problems()).toMatchObject([{ state: "resolved", resolvedInVersion: 1, runs: 2 }]);
  await failed({ problemKey: refusedBy("Gone") }, { version: 2 });
  expect(await problems()).toMatchObject([{ state: "open" }]);
  const audited = await server.database.auditEntry.findMany({ where: { action: "problem.changed" } });
  expect(audited).toMatchObject([{ actorId: "admin", target: `problem:${id}` }]);
});

test("an ignored problem opens again once its runs have doubled", async () => {
  for (let run = 0; run < 2; run++) await failed({ problemKey: refusedBy("Gone") });
  const { id = "" } = (await problems())[0] ?? {};
  await set(id, "ignored");
  await failed({ problemKey: refusedBy("Gone") });
  expect(await problems()).toMatchObject([{ state: "ignored", runs: 3 }]);
  await failed({ problemKey: refusedBy("Gone") });
  expect(await problems()).toMatchObject([{ state: "open", runs: 4 }]);
  expect((await set("prb_none", "open")).status).toBe(404);
});

test("since when a problem is known outlives its traces, however often it is collected", async () => {
  await failed({ problemKey: refusedBy("Gone") }, { version: 2 });
  await Promise.all([collectProblems(server.database), collectProblems(server.database)]);
  const [first] = await problems();
  await deleteTracesBefore(server.database, new Date(Date.now() + 1_000), { rest: async () => true });
  expect(await problems()).toEqual([]);
  await failed({ problemKey: refusedBy("Gone") }, { version: 5 });
  await collectProblems(server.database);
  expect(await problems()).toMatchObject([{ firstVersion: 2, firstSeenAt: first?.firstSeenAt, runs: 1 }]);
});

test("a key that is limited to some agents sees the problems of threads that are theirs", async () => {
  const runId = await toolError("HTTP 500");
  for (let more = 0; more < 2; more++) await toolError("HTTP 500");
  await failed({ problemKey: refusedBy("Gone") });
  const seen = (reach: readonly string[]) =>
    listProblems(server.services, { ...testViewer("admin", "admin"), reach: [...reach] }, {});
  expect((await seen(["writer"])).problems).toHaveLength(2);
  expect((await seen(["other"])).problems).toEqual([]);
  expect((await seen([])).problems).toEqual([]);
  await server.database.trace.updateMany({ where: { runId }, data: { homeAgentId: "other" } });
  expect((await seen(["writer"])).problems).toMatchObject([{ kind: "failed" }]);
});

test("titles are masked", async () => {
  await failed({ problemKey: refusedBy("The account Zwei is closed") });
  setMasks([(text) => text.replaceAll("Zwei", "#")]);
  expect((await problems())[0]?.title).toContain("The account # is closed");
});
