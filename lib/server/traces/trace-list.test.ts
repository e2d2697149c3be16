import { expect, test } from "vitest";
import { GET as list } from "@/app/api/traces/route";
import { addSpan, addTrace, START, traceInstallation } from "@/lib/testing/fixtures/trace-fixture";

const { server, read, listed, ids } = traceInstallation();

test("everybody lists their own traces, an admin everyone's", async () => {
  await addTrace(server(), "a");
  await addTrace(server(), "b", { owner: "viewer", minute: 1 });
  expect(await ids("member")).toEqual(["tr_a"]);
  expect(await ids("admin")).toEqual(["tr_b", "tr_a"]);
  expect(await ids("admin", "?mine=true")).toEqual([]);
});

test("pages have every trace once, newest first, whatever shares a start", async () => {
  for (const [index, name] of ["a", "b", "c", "d", "e"].entries())
    await addTrace(server(), name, { minute: Math.floor(index / 2) });
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
    await addTrace(server(), name, { minute, open: workedMs === null });
    await server().database.trace.update({ where: { id: `tr_${name}` }, data: { workedMs, waitedMs } });
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
  await addTrace(server(), "a");
  await server().database.trace.update({ where: { id: "tr_a" }, data: { endedAt: new Date(START - 3_600_000) } });
  expect((await listed("member")).traces).toMatchObject([{ durationMs: 0 }]);
});

test("filters narrow the list", async () => {
  await addTrace(server(), "a", { status: "failed", error: "The model refused the key" });
  await addTrace(server(), "b", { status: "running", minute: 5, model: "openai:gpt" });
  expect(await ids("member", "?status=failed,limit")).toEqual(["tr_a"]);
  expect(await ids("member", "?q=REFUSED")).toEqual(["tr_a"]);
  expect(await ids("member", "?q=run_b")).toEqual(["tr_b"]);
  expect(await ids("member", "?model=openai:gpt")).toEqual(["tr_b"]);
  expect(await ids("member", "?since=2026-11-20T12:03:00Z")).toEqual(["tr_b"]);
  expect(await ids("member", "?until=2026-11-20T12:03:00Z")).toEqual(["tr_a"]);
  expect(await ids("member", "?agentId=other")).toEqual([]);
});

test("the origin of a run is shown and filters the list", async () => {
  await addTrace(server(), "a");
  await addTrace(server(), "b", { minute: 1 });
  await addTrace(server(), "c", { minute: 2 });
  await server().database.trace.update({ where: { id: "tr_a" }, data: { origin: "api" } });
  const night = { origin: "schedule", attended: false };
  await server().database.trace.update({ where: { id: "tr_b" }, data: night });
  expect(await ids("admin", "?origin=api")).toEqual(["tr_a"]);
  expect(await ids("admin", "?origin=api,schedule")).toEqual(["tr_b", "tr_a"]);
  expect(await ids("admin", "?attended=true")).toEqual(["tr_c", "tr_a"]);
  const trace = await (await read("admin", "tr_b")).json();
  expect(trace).toMatchObject({ origin: { kind: "schedule" }, attended: false });
});

test.each(["?status=odd", "?origin=odd", "?cursor=odd", "?limit=500", "?since=yesterday", "?agent=a"])(
  "refuses %s",
  async (query) => {
    const reply = await server().call(list, { as: "member", path: `/api/traces${query}` });
    expect(reply.status).toBe(400);
    expect((await reply.json()).error.code).toBe("invalid_input");
  },
);

test("a row says who, how long, and who cancelled", async () => {
  await addTrace(server(), "a", { status: "cancelled", cancelledBy: "admin" });
  const [row] = (await listed("member")).traces;
  expect(row).toMatchObject({ ownerName: "The member", durationMs: 1500, cancelledBy: "The admin", costUsd: 0.5 });
});

test("a running run shows what its model calls have used so far", async () => {
  await addTrace(server(), "a", { status: "running", open: true });
  const call = { model: "openai:gpt-5", input_tokens: 40, output_tokens: 5, cost_usd: 0.25 };
  await addSpan(server(), "a", { id: "s1" }, { ...call, step: 1 });
  await addSpan(server(), "a", { id: "s2" }, { ...call, step: 2 });
  const [row] = (await listed("member")).traces;
  const usage = { inputTokens: 80, outputTokens: 10, cachedReadTokens: 0, cachedWriteTokens: 0, reasoningTokens: 0 };
  expect(row).toMatchObject({ steps: 2, model: "openai:gpt-5", costUsd: 0.5, durationMs: null, usage });
});
