import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { calmPace, inChunks } from "./in-chunks";

const atOnce = { rest: async () => true };

/** Processes rows that take `rowMs` each; `limits` are the limits it was called with. */
function work(rows: number, rowMs: number) {
  const limits: number[] = [];
  let left = rows;
  const chunk = async (limit: number) => {
    limits.push(limit);
    const found = Math.min(limit, left);
    left -= found;
    for (const until = performance.now() + found * rowMs; performance.now() < until; );
    return found;
  };
  return { chunk, limits };
}

test("chunks become smaller while they take long, and larger while they don't", async () => {
  const slow = work(150, 1);
  expect(await inChunks(slow.chunk, atOnce)).toBe(150);
  expect(slow.limits[0]).toBe(100);
  expect(Math.max(...slow.limits.slice(1))).toBeLessThan(50);
  const quick = work(10_000, 0);
  expect(await inChunks(quick.chunk, atOnce)).toBe(10_000);
  expect(quick.limits.at(-1)).toBe(2_000);
});

test("it rests after each chunk as long as it is told, and ends when it has to", async () => {
  const told: number[] = [];
  const pace = {
    rest: async (tookMs: number) => {
      told.push(tookMs);
      return told.length < 3;
    },
  };
  const { chunk, limits } = work(100_000, 0);
  await inChunks(chunk, pace);
  expect([told.length, limits.length]).toEqual([3, 3]);
  expect(await calmPace(() => true).rest(1)).toBe(false);
});

test("it rests four times as long as it worked, and what is shorter than a few milliseconds together", async () => {
  const restOf = async (...tookMs: number[]) => {
    const pace = calmPace();
    const startedAt = performance.now();
    for (const took of tookMs) expect(await pace.rest(took)).toBe(true);
    return performance.now() - startedAt;
  };
  // A timer may be early by the fraction of a millisecond that its clock does not show.
  expect(await restOf(30)).toBeGreaterThanOrEqual(118);
  expect(await restOf(10, 10)).toBeGreaterThanOrEqual(78);
  expect(await restOf(3, 3, 3, 3)).toBeGreaterThanOrEqual(46);
});

test("it rests longer while the process is busy", async () => {
  const rest = calmPace().rest(10);
  let isOver = false;
  void rest.then(() => {
    isOver = true;
  });
  const keepBusy = () => {
    for (const until = performance.now() + 20; performance.now() < until; );
  };
  const startedAt = performance.now();
  while (performance.now() < startedAt + 200) {
    keepBusy();
    await setTimeout(0);
  }
  expect(isOver).toBe(false);
  expect(await rest).toBe(true);
});
