import { expect, test } from "vitest";
import { monthOf } from "./heartbeat-month";

const NOW = new Date("2026-11-24T12:00:00.000Z");
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const PACE = { every: "30m", active: "08:00-20:00" };
const count = (part: object) => ({
  triggerId: "hb1",
  stoppedBy: null,
  beats: 0,
  calls: 0,
  usd: 0,
  unpriced: 0,
  firstAt: daysAgo(10),
  ...part,
});

test("a month at this pace is what the beats so far have cost, spread over the days they took", () => {
  const counts = [
    count({ beats: 40, calls: 40, usd: 0.4 }),
    count({ stoppedBy: "when", beats: 60, firstAt: daysAgo(9) }),
  ];
  const month = monthOf(counts, PACE, NOW);
  expect(month).toMatchObject({ beats: 100, calls: 40, usd: 0.4, stopped: { hours: 0, budget: 0, file: 0, when: 60 } });
  expect(month.monthUsd).toBeCloseTo(1.2);
  // 24 beats of one cent on each of 30 days.
  expect(month.everyBeatUsd).toBeCloseTo(7.2);
});

test("too few beats, and calls without a price, say nothing", () => {
  expect(monthOf([count({ beats: 19, calls: 5, usd: 0.1 })], PACE, NOW).monthUsd).toBeNull();
  const unknown = monthOf([count({ beats: 50, calls: 5, usd: 0.1, unpriced: 1 })], PACE, NOW);
  expect(unknown).toMatchObject({ usd: null, monthUsd: null, everyBeatUsd: null });
  expect(monthOf([], PACE, NOW)).toMatchObject({ beats: 0, calls: 0, usd: 0, monthUsd: null, everyBeatUsd: null });
});
