import { expect, test } from "vitest";
import { GET as getStream } from "@/app/api/runs/[runId]/stream/route";
import { GET as getThread } from "@/app/api/threads/[threadId]/route";
import { GET as getOne } from "@/app/api/traces/[traceId]/route";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { GET as list } from "@/app/api/traces/route";
import type { Span } from "@/lib/schema/traces/span";
import type { SpanBody } from "@/lib/schema/traces/span-body";
import type { Trace, TraceList } from "@/lib/schema/traces/trace";
import { waitedTime } from "@/lib/server/engine/ending/waited-time";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";
import { type Wait, withWaits } from "./waits";

const { server, newThread, say, decideOn } = approvalServer({ "Write a file": [writes("a.txt")] });

const read = async (runId: string): Promise<Trace> =>
  (await server().call(getOne, { as: "member", params: { traceId: runId } })).json();
const waitOf = ({ spans }: Trace) => spans.filter((span) => span.attributes.waiting_for === "approval");

/** Sets when the ask about the run's call was made and decided, in seconds. */
async function setTimes(runId: string, seconds: readonly [asked: number, decided: number | null]) {
  const { startedAt } = await server().database.trace.findUniqueOrThrow({ where: { runId } });
  const at = (second: number) => new Date(startedAt.getTime() + second * 1000);
  const [asked, decided] = seconds;
  const data = { createdAt: at(asked), decidedAt: decided === null ? null : at(decided) };
  await server().database.approval.updateMany({ where: { runId }, data });
  if (decided !== null) await server().database.trace.update({ where: { runId }, data: { endedAt: at(decided + 1) } });
  return startedAt.getTime();
}

test("an open question is a span that waits, and says for whom and by which rule", async () => {
  const asked = await say("Write a file", newThread());
  const trace = await read(asked.run_id);
  const [wait] = waitOf(trace);
  expect(wait).toMatchObject({ status: "waiting", endedAtMs: null, name: "tool.call" });
  expect(wait?.attributes).toMatchObject({ asked_of: "The member", asked_by_rule: "Rule: ask before write_file." });
  expect(trace.spans.find(({ type }) => type === "agent")?.name).toBe("Asks");
  expect([trace.waitedMs, Date.parse(trace.waitingSince ?? "")]).toEqual([0, wait?.startedAtMs]);
});

test("the end of a run says how long it waited, and its thread says the same later", async () => {
  const thread = newThread();
  const asked = await say("Write a file", thread);
  const { startedAt } = await server().database.trace.findUniqueOrThrow({ where: { runId: asked.run_id } });
  const createdAt = new Date(startedAt.getTime() - 90_000);
  await server().database.approval.updateMany({ where: { runId: asked.run_id }, data: { createdAt } });
  await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]);
  const { threadId } = await server().database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  const stream = await server().call(getStream, { as: "member", params: { runId: asked.run_id } });
  const [, streamed] = /"waitedMs":(\d+)/.exec(await stream.text()) ?? [];
  const { messages } = await (await server().call(getThread, { as: "member", params: { threadId } })).json();
  expect(Number(streamed)).toBeGreaterThanOrEqual(90_000);
  expect(messages.at(-1).metadata.waitedMs).toBe(Number(streamed));
});

test.each([
  ["allow", "approved", "completed"],
  ["deny", "denied", "cancelled"],
] as const)("%s: the wait lasts until the decision, is its outcome, and is not time worked", async (...decided) => {
  const [decision, outcome, status] = decided;
  const thread = newThread();
  const asked = await say("Write a file", thread);
  await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision, reason: "as agreed" }]);
  const startMs = await setTimes(asked.run_id, [2, 5.2]);
  const trace = await read(asked.run_id);
  const [wait] = waitOf(trace);
  expect(waitOf(trace)).toHaveLength(1);
  expect(wait).toMatchObject({ status, startedAtMs: startMs + 2000, endedAtMs: startMs + 5200 });
  const facts = { decision: outcome, decided_by_name: "The member", decided_via: "api", decision_reason: "as agreed" };
  expect(wait?.attributes).toMatchObject(facts);
  expect(trace).toMatchObject({ status: "completed", durationMs: 6200, waitedMs: 3200, waitingSince: null });
  const reply = await server().call(list, { as: "member" });
  const { traces }: TraceList = await reply.json();
  expect(traces.find(({ runId }) => runId === asked.run_id)).toMatchObject({ waitedMs: 3200, agentName: "Asks" });
  const params = { traceId: asked.run_id, spanId: wait?.id ?? "" };
  const body: SpanBody = await (await server().call(getBody, { as: "member", params })).json();
  expect(body.span).toMatchObject({ status, endedAtMs: startMs + 5200, attributes: facts });
});

const wait = (askedAtMs: number, decidedAtMs: number | null): Wait => ({
  runId: "r",
  toolCallId: "c",
  kind: "approval",
  outcome: decidedAtMs === null ? "pending" : "approved",
  askedAtMs,
  decidedAtMs,
  askedOf: "Ada",
  rule: null,
  decidedBy: null,
  decidedVia: null,
  scope: null,
  note: null,
});

test("what several waits share counts once, and the open one is told apart", () => {
  const since = (ms: number) => new Date(ms).toISOString();
  expect(waitedTime([wait(0, 10), wait(5, 20)], 100)).toEqual({ waitedMs: 20, waitingSince: null });
  expect(waitedTime([wait(0, 10), wait(5, 200)], 100)).toEqual({ waitedMs: 100, waitingSince: null });
  expect(waitedTime([wait(0, 10), wait(5, null)], null)).toEqual({ waitedMs: 5, waitingSince: since(5) });
  expect(waitedTime([wait(90, null)], 100)).toEqual({ waitedMs: 10, waitingSince: null });
});

test("a wait does not end before it began, even if the clock was set back", () => {
  const asking: Span = {
    ...{ id: "s", traceId: "t", runId: "r", parentId: null, type: "tool", name: "tool.call", error: null },
    ...{
      startedAtMs: 50,
      endedAtMs: 60,
      status: "waiting",
      attributes: { tool_call_id: "c", waiting_for: "approval" },
    },
  };
  expect(withWaits([asking], [wait(60, 10)])).toMatchObject([{ startedAtMs: 60, endedAtMs: 60 }]);
  expect(withWaits([asking], [wait(60, null)])).toMatchObject([{ startedAtMs: 60, endedAtMs: null }]);
  expect(waitedTime([wait(60, 10), wait(0, 5)], 100).waitedMs).toBe(5);
});

test("a call that waited for its subagent lasts until it goes on", () => {
  const part = (id: string, startedAtMs: number, waiting: object): Span => ({
    id,
    traceId: "t",
    runId: "r",
    parentId: null,
    type: "tool",
    name: "tool.call",
    error: null,
    startedAtMs,
    status: "waiting",
    endedAtMs: startedAtMs + 1,
    attributes: { tool_call_id: "c", ...waiting },
  });
  const [first] = withWaits([part("a", 0, { waiting_for: "child" }), part("b", 50, {})], []);
  expect(first).toMatchObject({ status: "completed", endedAtMs: 50 });
});
