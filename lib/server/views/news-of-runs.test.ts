import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announceRows } from "@/lib/server/engine/log/signals";
import { newsOfRuns } from "./news-of-runs";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Whether it is time to look once this much time has gone by. */
async function isDueAfter(news: ReturnType<typeof newsOfRuns>, delayMs: number): Promise<boolean> {
  let isDue = false;
  void news.timeToLook().then(() => {
    isDue = true;
  });
  await vi.advanceTimersByTimeAsync(delayMs);
  return isDue;
}

test("a run is looked at when it is first watched, then half a second after the last look if it has stored something", async () => {
  const news = newsOfRuns();
  news.watch(["run_1"]);
  expect(await isDueAfter(news, 1)).toBe(true);
  news.looked();
  announceRows("run_1", []);
  announceRows("run_1", []);
  expect(await isDueAfter(news, 499)).toBe(false);
  expect(await isDueAfter(news, 1)).toBe(true);
  news.stop();
});

test("runs without news are left alone for 5 s, and others' news do not count", async () => {
  const news = newsOfRuns();
  news.watch(["run_1", "run_2"]);
  news.looked();
  news.watch(["run_2"]);
  announceRows("run_1", []);
  expect(await isDueAfter(news, 4_999)).toBe(false);
  expect(await isDueAfter(news, 1)).toBe(true);
  news.stop();
  expect(vi.getTimerCount()).toBe(0);
});
