import { expect, test } from "vitest";
import type { Span } from "@/lib/schema/traces/span";
import { stepStops } from "./step-stops";

const span = (id: string, type: Span["type"], startedAtMs: number, attributes: Span["attributes"]): Span => ({
  id,
  traceId: "tr",
  runId: attributes.run === undefined ? "run" : String(attributes.run),
  parentId: "root",
  type,
  name: type === "llm" ? "llm.call" : "tool.call",
  status: "completed",
  startedAtMs,
  endedAtMs: startedAtMs + 1,
  attributes,
  error: null,
});

const trace = {
  runId: "run",
  steps: 2,
  status: "completed" as const,
  startedAt: new Date(1000).toISOString(),
  durationMs: 500,
  spans: [
    span("a", "llm", 1000, { step: 1 }),
    span("b", "tool", 1100, { step: 1, waiting_for: "approval" }),
    span("of a child", "llm", 1150, { step: 2, run: "child" }),
    span("c", "llm", 1200, { step: 2 }),
  ],
};

test("there is a stop for each model call of the run itself, and the end", () => {
  expect(stepStops(trace)).toEqual([
    { step: 1, isEnd: false, atMs: 1000, hasWait: false, spanId: "a" },
    { step: 2, isEnd: false, atMs: 1200, hasWait: true, spanId: "c" },
    { step: 3, isEnd: true, atMs: 1500, hasWait: false, spanId: null },
  ]);
});

test("a run that goes on has no end, and as many stops as it has called its model", () => {
  const running = { ...trace, steps: 1, status: "running" as const, durationMs: null };
  expect(stepStops(running).map(({ step }) => step)).toEqual([1, 2]);
  expect(stepStops({ ...running, steps: 0, spans: [] })).toEqual([]);
});

test("a run without spans has stops without times", () => {
  expect(stepStops({ ...trace, spans: [] }).map(({ atMs }) => atMs)).toEqual([null, null, 1500]);
});
