import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announceRows } from "@/lib/server/engine/log/signals";
import { runChanges } from "./run-changes";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Whether it is time to look after this much time. */
async function isDueAfter(changes: ReturnType<typeof runChanges>, delayMs: number): Promise<boolean> {
  let isDue = false;
  void changes.timeToLook().then(() => {
    isDue = true;
  });
  await vi.advanceTimersByTimeAsync(delayMs);
  return isDue;
}

test("a run is looked at when it is first watched, then half a second after the last look if it has stored something", async () => {
  const changes = runChanges();
  changes.watch(["run_1"]);
  expect(await isDueAfter(changes, 1)).toBe(true);
  changes.looked();
  announceRows("run_1", []);
  announceRows("run_1", []);
  expect(await isDueAfter(changes, 499)).toBe(false);
  expect(await isDueAfter(changes, 1)).toBe(true);
  changes.stop();
});

test("runs without changes are left alone for 5 s, and others' changes do not count", async () => {
  const changes = runChanges();
  changes.watch(["run_1", "run_2"]);
  changes.looked();
  changes.watch(["run_2"]);
  announceRows("run_1", []);
  expect(await isDueAfter(changes, 4_999)).toBe(false);
  expect(await isDueAfter(changes, 1)).toBe(true);
  changes.stop();
  expect(vi.getTimerCount()).toBe(0);
});
