import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallLimits, noteArrival } from "./call-limits";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const startCall = () => new CallLimits(new AbortController().signal, { model_ms: 1_000, idle_ms: 100 });

test("bytes that make no part yet show that the provider is at work", () => {
  const limits = startCall();
  for (let elapsedMs = 0; elapsedMs < 500; elapsedMs += 90) {
    vi.advanceTimersByTime(90);
    noteArrival(limits.signal);
  }
  expect(limits.exceeded).toBeUndefined();
  vi.advanceTimersByTime(100);
  expect(limits.exceeded).toBe("idle_ms");
});

test("bytes of another call do not count", () => {
  const limits = startCall();
  const other = startCall();
  vi.advanceTimersByTime(90);
  noteArrival(other.signal);
  vi.advanceTimersByTime(10);
  expect([limits.exceeded, other.exceeded]).toEqual(["idle_ms", undefined]);
});
