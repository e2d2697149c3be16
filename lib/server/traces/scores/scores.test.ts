import { afterEach, beforeEach, expect, test } from "vitest";
import { DELETE as remove } from "@/app/api/scores/[scoreId]/route";
import { POST as give, GET as list } from "@/app/api/scores/route";
import { GET as exportTrace } from "@/app/api/traces/[traceId]/export/route";
import { GET as getTrace } from "@/app/api/traces/[traceId]/route";
import type { Score } from "@/lib/schema/traces/score";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { deleteTracesBefore } from "@/lib/server/platform/db/queries/retention/purge";
import { setMasks } from "@/lib/server/platform/masking";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  await addTrace(server, "a");
});
afterEach(async () => {
  setMasks([]);
  await server.close();
});

const thumb = (value: number, more: object = {}, as: Role = "member") =>
  server.call(give, { as, body: { runId: "run_a", name: "thumb", value, ...more } });
const scores = async (query: string, as: Role = "member"): Promise<Score[]> =>
  (await (await server.call(list, { as, path: `/api/scores?${query}` })).json()).scores;

test("a person has one thumb on a run, on its root span, and the newer one takes the place of the older", async () => {
  expect((await thumb(1)).status).toBe(200);
  expect((await thumb(-1, { why: "Too long\nHalf of it would do." })).status).toBe(200);
  const [only, ...others] = await scores("runId=run_a");
  expect(only).toMatchObject({
    runId: "run_a",
    spanId: "sp_run_a",
    name: "thumb",
    value: -1,
    why: "Too long\nHalf of it would do.",
    authorId: "member",
  });
  expect(others).toEqual([]);
  expect(await scores("threadId=th_a")).toEqual([only]);
});

test("an administrator's look at the scores of another person's run is audited once, one's own never", async () => {
  await thumb(1);
  for (const query of ["runId=run_a", "threadId=th_a"]) {
    await scores(query, "admin");
    await scores(query);
  }
  const looks = await server.database.auditEntry.findMany({ where: { action: "trace.viewed" } });
  expect(looks.map(({ actorId, target }) => [actorId, target])).toEqual([["admin", "trace:tr_a"]]);
});

test("of several runs with scores, those that an administrator has not looked at yet are audited", async () => {
  await thumb(1);
  await scores("runId=run_a", "admin");
  const { threadId } = await server.database.run.findUniqueOrThrow({ where: { id: "run_a" } });
  await addTrace(server, "b", { minute: 1 });
  await server.database.run.update({ where: { id: "run_b" }, data: { threadId } });
  await server.database.trace.update({ where: { id: "tr_b" }, data: { threadId } });
  await thumb(-1, { runId: "run_b" });
  await scores(`threadId=${threadId}`, "admin");
  const looks = await server.database.auditEntry.findMany({ where: { action: "trace.viewed" } });
  expect(looks.map(({ target }) => target).toSorted()).toEqual(["trace:tr_a", "trace:tr_b"]);
});

test("a thumb that is given again without a reason has none", async () => {
  await thumb(-1, { why: "Not true" });
  await thumb(1);
  expect(await scores("runId=run_a")).toMatchObject([{ value: 1, why: null }]);
});

test("a thumb may say what the reply should have been; it is masked for others, and goes when given again without", async () => {
  setMasks([(text) => text.replaceAll("12345", "#")]);
  await thumb(-1, { correction: "It is 12345." });
  expect(await scores("runId=run_a")).toMatchObject([{ why: null, correction: "It is 12345." }]);
  expect(await scores("runId=run_a", "admin")).toMatchObject([{ correction: "It is #." }]);
  expect((await thumb(-1, { correction: "x".repeat(20_001) })).status).toBe(400);
  await thumb(-1);
  expect(await scores("runId=run_a")).toMatchObject([{ correction: null }]);
});

test("a thumb is taken back by whoever gave it, and by nobody else", async () => {
  const { id } = await (await thumb(1)).json();
  expect((await server.call(remove, { as: "admin", params: { scoreId: id } })).status).toBe(404);
  expect((await server.call(remove, { as: "member", params: { scoreId: id } })).status).toBe(204);
  expect((await server.call(remove, { as: "member", params: { scoreId: id } })).status).toBe(404);
  expect(await scores("runId=run_a")).toEqual([]);
});

test("a run that one may not see takes no thumb and shows none", async () => {
  await addTrace(server, "b", { owner: "admin", minute: 1 });
  await thumb(1, { runId: "run_b" }, "admin");
  expect((await thumb(1, { runId: "run_b" })).status).toBe(404);
  expect((await thumb(1, { runId: "run_unknown" })).status).toBe(404);
  expect(await scores("runId=run_b")).toEqual([]);
  expect(await scores("threadId=th_b")).toEqual([]);
});

test("only 1 and -1 are thumbs, and a list is of a run or of a thread", async () => {
  for (const value of [0, 2, -2, 0.5]) expect((await thumb(value)).status, String(value)).toBe(400);
  expect((await thumb(1, { name: "quality" })).status).toBe(400);
  for (const query of ["", "runId=run_a&threadId=th_a"]) {
    expect((await server.call(list, { as: "member", path: `/api/scores?${query}` })).status).toBe(400);
  }
});

test("a trace and its export have the thumbs of everybody", async () => {
  await thumb(-1, { why: "Not true" });
  await thumb(1, {}, "admin");
  const read = async (route: typeof getTrace) =>
    (await server.call(route, { as: "member", params: { traceId: "tr_a" } })).json();
  const expected = [
    { authorName: expect.any(String), value: -1, why: "Not true" },
    { authorId: "admin", value: 1 },
  ];
  expect((await read(getTrace)).scores).toMatchObject(expected);
  expect((await read(exportTrace)).trace.scores).toMatchObject(expected);
});

test("a reason is masked in the trace and for others, and whole for whoever wrote it", async () => {
  await thumb(-1, { why: "It names 12345." });
  setMasks([(text) => text.replaceAll("12345", "[number]")]);
  expect(await scores("runId=run_a")).toMatchObject([{ why: "It names 12345." }]);
  expect(await scores("runId=run_a", "admin")).toMatchObject([{ why: "It names [number]." }]);
  const trace = await (await server.call(getTrace, { as: "member", params: { traceId: "tr_a" } })).json();
  expect(trace.scores).toMatchObject([{ why: "It names [number]." }]);
});

test("a thumb is purged with its trace, after which the run takes none", async () => {
  await thumb(1);
  await server.database.run.update({ where: { id: "run_a" }, data: { endedAt: new Date() } });
  const pace = { rest: async () => true };
  expect(await deleteTracesBefore(server.database, new Date("2100-01-01"), pace)).toBe(1);
  expect(await server.database.score.count()).toBe(0);
  const refused = await thumb(1);
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    409,
    "The trace of this reply is gone, and a thumb is kept in it. Nothing was stored.",
  ]);
});
