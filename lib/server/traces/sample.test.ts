import { expect, test } from "vitest";
import { isSampled } from "./sample";

const RUNS = Array.from({ length: 2_000 }, (_, index) => `run_${index}`);

test("all, none, or the same part of the runs every time", () => {
  expect(RUNS.every((id) => isSampled(id, 1))).toBe(true);
  expect(RUNS.some((id) => isSampled(id, 0))).toBe(false);
  const quarter = RUNS.filter((id) => isSampled(id, 0.25));
  expect(quarter.length / RUNS.length).toBeCloseTo(0.25, 1);
  expect(quarter.every((id) => isSampled(id, 0.5))).toBe(true);
});
