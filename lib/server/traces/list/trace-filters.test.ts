import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { GET as problems } from "@/app/api/problems/route";
import { GET as facets } from "@/app/api/traces/facets/route";
import { GET as list } from "@/app/api/traces/route";
import { TRACE_ORDERS } from "@/lib/schema/traces/trace";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { setMasks } from "@/lib/server/platform/masking";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { listFacets } from "./list-facets";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

async function read(as: Role, query = "") {
  const reply = await server.call(list, { as, path: `/api/traces${query}` });
  return (await reply.json()) as { traces: { id: string; message: string | null }[]; nextCursor: string | null };
}
const ids = async (as: Role, query = "") => (await read(as, query)).traces.map(({ id }) => id);

async function counts(as: Role, query = "") {
  const reply = await (await server.call(facets, { as, path: `/api/traces/facets${query}` })).json();
  const found = (name: string): [string, number][] =>
    reply.facets
      .find((facet: { name: string }) => facet.name === name)
      .values.map(({ label, count }: { label: string; count: number }) => [label, count]);
  return { runs: reply.runs as number, found };
}

const change = (name: string, data: object) => server.database.trace.update({ where: { id: `tr_${name}` }, data });

async function addCall(name: string, columns: object) {
  const trace = await server.database.trace.findUniqueOrThrow({ where: { id: `tr_${name}` } });
  const { runId, ownerId, threadId, agentId, agentVersionId, agentVersion, startedAt } = trace;
  const facts = { step: 1, spanId: "s", tool: "fetch", kind: "web", gist: "", argsHash: "h", status: "completed" };
  const place = {
    runId,
    rootRunId: runId,
    traceId: trace.id,
    ownerId,
    threadId,
    agentId,
    agentVersionId,
    agentVersion,
  };
  const text = { annotations: "{}", aliases: "[]", toolCallId: "c" };
  await server.database.call.create({
    data: { ...place, ...facts, ...text, startedAt, endedAt: startedAt, ...columns },
  });
}

/** Three runs: one that called a tool, one whose call failed, and another person's. */
async function seed() {
  await addTrace(server, "a");
  await addTrace(server, "b", { minute: 1, status: "failed", model: "openai:gpt" });
  await addTrace(server, "c", { minute: 2, owner: "viewer" });
  await change("a", { firstLine: "Read the page", costUsd: 2, workedMs: 10_000, hasToolError: true });
  await change("b", { costUsd: 0.1, workedMs: 500, errorCode: "model_failed", agentVersion: 2 });
  await change("c", { costUsd: null });
  await addCall("a", {});
  await addCall("a", { toolCallId: "d", tool: "execute", status: "failed" });
  await addCall("c", {});
}

test("a list shows the beginning of a long error, masked before it is cut", async () => {
  onTestFinished(() => setMasks([]));
  setMasks([(text) => text.replaceAll("12345678", "#")]);
  await addTrace(server, "a", { status: "failed" });
  const error = `${"x".repeat(1_996)}12345678${"y".repeat(1_000_000)}`;
  await change("a", { error });
  await server.database.run.update({ where: { id: "run_a" }, data: { notice: error } });
  const shown = `${"x".repeat(1_996)}#yyy…`;
  expect((await read("admin")).traces).toMatchObject([{ error: shown, notice: shown }]);
});

test("runs are found by tool, failed tool, error, cost, time, person and version", async () => {
  await seed();
  const found = async (query: string) => (await ids("admin", query)).map((id) => id.slice(3)).join("");
  const wanted = {
    "?tool=fetch": "ca",
    "?tool=execute,none": "a",
    "?toolFailed=fetch": "",
    "?toolFailed=execute": "a",
    "?hasError=true": "ba",
    "?error=model_failed": "b",
    "?minCostUsd=0.5": "a",
    "?maxCostUsd=0.5": "b",
    "?minWorkedMs=500&maxWorkedMs=9999": "b",
    "?person=viewer": "c",
    "?version=2": "b",
    "?tool=fetch&person=member": "a",
    "?problemId=prb_none": "",
  };
  for (const [query, names] of Object.entries(wanted)) expect([query, await found(query)]).toEqual([query, names]);
  expect(await ids("member", "?tool=fetch")).toEqual(["tr_a"]);
});

test("runs are found by what people decided and how they rated", async () => {
  await seed();
  const asked = { runId: "run_a", threadId: "th_a", ownerId: "member", tool: "execute", args: "{}" };
  const approval = { ...asked, id: "ap_1", kind: "approval", toolCallId: "c" };
  await server.database.approval.create({ data: { ...approval, status: "pending" } });
  expect(await ids("admin", "?decision=denied")).toEqual([]);
  await server.database.approval.update({ where: { id: "ap_1" }, data: { status: "denied" } });
  expect(await ids("admin", "?decision=denied")).toEqual(["tr_a"]);
  const score = { traceId: "tr_c", threadId: "th_c", runId: "run_c", spanId: "s", name: "thumb" };
  await server.database.score.create({ data: { ...score, id: "sco_1", value: -1, authorId: "viewer" } });
  expect([await ids("admin", "?score=down"), await ids("admin", "?score=up")]).toEqual([["tr_c"], []]);
  const { found } = await counts("admin");
  expect([found("decision"), found("score")]).toEqual([[["denied", 1]], [["down", 1]]]);
});

test("runs with notes are found and counted once, whatever the number of their notes, each for whoever sees the run", async () => {
  await seed();
  expect((await counts("admin")).found("notes")).toEqual([]);
  const note = (id: string) => ({ id, traceId: "tr_a", text: "Odd.", authorId: "admin" });
  await server.database.note.createMany({ data: [note("n1"), note("n2")] });
  expect(await ids("admin", "?notes=yes")).toEqual(["tr_a"]);
  expect((await counts("admin")).found("notes")).toEqual([["yes", 1]]);
  const owner = (await server.database.trace.findUniqueOrThrow({ where: { id: "tr_a" } })).ownerId;
  for (const who of ["member", "viewer"] as const) {
    const own = who === owner;
    expect(await ids(who, "?notes=yes")).toEqual(own ? ["tr_a"] : []);
    expect((await counts(who)).found("notes")).toEqual(own ? [["yes", 1]] : []);
  }
});

test("a facet's own choice does not narrow its own counts, and those of others do", async () => {
  await seed();
  const { runs, found } = await counts("admin", "?status=completed&tool=fetch");
  expect(runs).toBe(2);
  expect(found("status")).toEqual([["completed", 2]]);
  expect(found("tool")).toEqual([
    ["fetch", 2],
    ["execute", 1],
  ]);
  expect((await counts("admin", "?status=completed")).found("status")).toEqual([
    ["completed", 2],
    ["failed", 1],
  ]);
  expect(found("agent")).toEqual([["Writer", 2]]);
});

test("everybody counts their own runs alone, and a limited key those of its agents", async () => {
  await seed();
  const own = await counts("member");
  expect([own.runs, own.found("person"), own.found("tool")]).toEqual([
    2,
    [["The member", 2]],
    [
      ["execute", 1],
      ["fetch", 1],
    ],
  ]);
  const limited = { ...testViewer("admin", "admin"), reach: ["other"] };
  expect((await listFacets(server.services, limited, {})).runs).toBe(0);
});

test("every order lists every run once, a page at a time", async () => {
  await seed();
  for (const name of ["a", "b", "c"]) await change(name, { waitedMs: 3 });
  await change("c", { workedMs: 700 });
  for (const sort of TRACE_ORDERS) {
    const whole = await ids("admin", `?sort=${sort}`);
    expect([sort, whole.toSorted()]).toEqual([sort, ["tr_a", "tr_b", "tr_c"]]);
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await read("admin", `?sort=${sort}&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      paged.push(...page.traces.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect([sort, paged]).toEqual([sort, whole]);
  }
  expect(await ids("admin", "?sort=cost")).toEqual(["tr_a", "tr_b", "tr_c"]);
  const { nextCursor } = await read("admin", "?sort=cost&limit=1");
  const other = await server.call(list, { as: "admin", path: `/api/traces?sort=model&cursor=${nextCursor}` });
  expect(other.status).toBe(400);
});

test("a run is named by its message, and found by what was said in it", async () => {
  await seed();
  const said = { a: "Read the page", b: "The Übung is over" };
  for (const [name, text] of Object.entries(said)) {
    const place = { threadId: `th_${name}`, runId: `run_${name}`, position: 1 };
    await server.database.transcriptMessage.create({
      data: { ...place, id: `tm_${name}`, role: "user", parts: "[]", text },
    });
  }
  expect((await read("member")).traces.map(({ message: line }) => line)).toEqual(["Go", "Read the page"]);
  expect(await ids("member", "?q=the%20PAGE")).toEqual(["tr_a"]);
  for (const q of ["ubung is", "ÜBUNG", "ov"])
    expect(await ids("member", `?q=${encodeURIComponent(q)}`)).toEqual(["tr_b"]);
  expect((await counts("member", "?q=over")).runs).toBe(1);
  expect(await ids("viewer", "?q=over")).toEqual([]);
});

test("a problem leads to its runs, the viewer's alone", async () => {
  await addTrace(server, "a");
  await addTrace(server, "b", { owner: "viewer" });
  await addTrace(server, "c");
  const endedAt = new Date();
  for (const name of ["a", "b"]) await change(name, { problemKey: "failed openai Gone", status: "failed", endedAt });
  const found = await (await server.call(problems, { as: "admin", path: "/api/problems" })).json();
  const id = found.problems[0].id;
  expect((await ids("admin", `?problemId=${id}`)).toSorted()).toEqual(["tr_a", "tr_b"]);
  expect(await ids("member", `?problemId=${id}`)).toEqual(["tr_a"]);
});
