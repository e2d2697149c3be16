import { expect, test } from "vitest";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { Span } from "@/lib/schema/traces/span";
import type { Trace } from "@/lib/schema/traces/trace";
import { digestOf } from "./digest-of";

const span = (id: string, more: Partial<Span> = {}): Span => ({
  ...{ id, traceId: "tr", runId: "run", parentId: "root", name: id, type: "tool", status: "completed", error: null },
  ...{ startedAtMs: 0, endedAtMs: 10, attributes: {} },
  ...more,
});
const call = (id: string, tool: string, args: object, more: Partial<Span> = {}): Span =>
  span(id, { ...more, attributes: { tool_name: tool, tool_args: args, ...more.attributes } });
const model = (id: string, step: number, costUsd: number, more: Partial<Span> = {}): Span =>
  span(id, { type: "llm", ...more, attributes: { step, cost_usd: costUsd } });

function trace(spans: readonly Span[], more: Partial<Trace> = {}): Trace {
  return {
    ...{ id: "tr", runId: "run", threadId: "th", agentId: "a", agentName: "A", agentVersion: 4, attended: true },
    ...{ origin: { kind: "chat" }, ownerId: "u", ownerName: "Ada", title: "T", message: null, model: null },
    ...{ status: "completed", error: null, errorCode: null, notice: null, cancelledBy: null, steps: 2 },
    ...{ startedAt: new Date(0).toISOString(), durationMs: 10_000, waitedMs: 0, waitingSince: null, usage: NO_USAGE },
    ...{ costUsd: 0.1, timeToFirstTokenMs: null, droppedSpans: 0, isSampled: true, scores: [] },
    spans: [span("root", { parentId: null, type: "agent", endedAtMs: 10_000 }), ...spans],
    ...more,
  };
}

test("what failed is told by its cause, alike failures once with their number, the latest first", () => {
  const failed = { status: "failed" as const };
  const lines = digestOf(
    trace([
      call("c1", "fetch", { url: "a" }, { ...failed, error: "HTTP 500\nat line 3" }),
      call("c2", "fetch", { url: "b" }, { ...failed, error: "HTTP 500\nat line 3" }),
      call("task", "task", { name: "research" }, { ...failed, error: "It failed." }),
      span("inner", { ...failed, type: "llm", parentId: "task", error: "No credit" }),
    ]),
    null,
  );
  expect(lines).toEqual([
    { kind: "failed", spanId: "inner", tool: null, gist: "", error: "No credit", times: 1 },
    { kind: "failed", spanId: "c2", tool: "fetch", gist: "b", error: "HTTP 500", times: 2 },
  ]);
});

test("what a rule or a person refused is no failure, and says who refused it", () => {
  const refused = (how: string) => ({ status: "failed" as const, error: "no", attributes: { refused: how } });
  const lines = digestOf(
    trace([
      call("c1", "execute", { command: "rm -rf /" }, refused("rule")),
      call("c2", "execute", { command: "rm -rf ~" }, refused("rule")),
      call("c3", "write_file", { path: "a.txt" }, refused("declined")),
    ]),
    null,
  );
  expect(lines).toEqual([
    { kind: "refused", spanId: "c2", tool: "execute", gist: "rm -rf ~", how: "rule", times: 2 },
    { kind: "refused", spanId: "c3", tool: "write_file", gist: "a.txt", how: "declined", times: 1 },
  ]);
});

test("the two longest waits are told with who was waited for, and are no work", () => {
  const wait = (id: string, waitedMs: number) =>
    call(
      id,
      "execute",
      { command: id },
      { endedAtMs: waitedMs, attributes: { waiting_for: "approval", asked_of: "Ada" } },
    );
  const lines = digestOf(
    trace([wait("w1", 51_000), wait("w2", 999), wait("w3", 2_000), wait("w4", 3_000)], { durationMs: 60_000 }),
    null,
  );
  expect(lines).toMatchObject([
    { kind: "waited", spanId: "w1", waitedMs: 51_000, person: "Ada", gist: "w1" },
    { kind: "waited", spanId: "w4", waitedMs: 3_000 },
  ]);
});

test("the call that took most and the one that cost most stand out only among several, and by a good share", () => {
  const calls = [model("m1", 1, 0.01, { endedAtMs: 900 }), model("m2", 2, 0.03, { endedAtMs: 800 })];
  const slow = call("c1", "execute", { command: "npm test" }, { endedAtMs: 6_000 });
  expect(digestOf(trace([...calls, slow]), null)).toEqual([
    { kind: "longest", spanId: "c1", tool: "execute", gist: "npm test", tookMs: 6_000, share: 0.6 },
    { kind: "dearest", spanId: "m2", step: 2, costUsd: 0.03, share: 0.75 },
  ]);
  expect(digestOf(trace([slow]), null)).toEqual([]);
  const even = Array.from({ length: 4 }, (_, index) => model(`m${index}`, index, 0.01, { endedAtMs: 2_000 }));
  expect(digestOf(trace(even), null)).toEqual([]);
});

test("against the version before, the two measures that differ most are told, from half as much again on", () => {
  const runs = [2, 4, 4, 5, 90].map((steps) => ({
    steps,
    workedMs: 9_000,
    costUsd: steps === 90 ? null : 0.02,
    inputTokens: 0,
  }));
  const before = { version: 3, runs };
  const lines = digestOf(trace([], { steps: 12, costUsd: 0.1 }), before);
  const line = { kind: "version", spanId: "root", version: 3 };
  expect(lines).toEqual([
    { ...line, measure: "costUsd", value: 0.1, usual: 0.02, runs: 4 },
    { ...line, measure: "steps", value: 12, usual: 4, runs: 5 },
  ]);
  expect(digestOf(trace([], { steps: 5, costUsd: 0.02 }), before)).toEqual([]);
  expect(digestOf(trace([], { steps: 12, status: "running" }), before)).toEqual([]);
});

test("a run without spans has nothing to say", () => {
  expect(digestOf(trace([], { spans: [] }), null)).toEqual([]);
});
