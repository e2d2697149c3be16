import { expect, it } from "vitest";
import type { Trace } from "@/lib/schema/traces/trace";
import { isMoving, mayGrow } from "./trace-growth";

const END = 60_000;

function trace(status: string, endedAtMs: number | null): Trace {
  return { status, startedAt: new Date(0).toISOString(), durationMs: END, spans: [{ endedAtMs }] } as unknown as Trace;
}

it("waits for what follows a run, until that has ended", () => {
  expect(mayGrow(trace("running", 1), END)).toBe(true);
  expect(mayGrow(trace("waiting", 1), END * 100)).toBe(true);
  expect(mayGrow(trace("completed", 1), END + 4000)).toBe(true);
  expect(isMoving(trace("completed", 1), END + 4000)).toBe(false);
  expect(mayGrow(trace("completed", null), END + 30_000)).toBe(true);
  expect(mayGrow(trace("completed", 1), END + 30_000)).toBe(false);
});

it("does not wait for ever for a span that nobody ended", () => {
  expect(mayGrow(trace("failed", null), END + 3_600_000)).toBe(false);
});
