import { expect, test } from "vitest";
import { addCost, roundedUsd } from "./usage";

test("sums of prices are the sums that a person would write down", () => {
  expect([0.0273, 0.0221, 0.0221].reduce<number | null>(addCost, 0)).toBe(0.0715);
  expect(addCost(0.1, 0.2)).toBe(0.3);
});

test("the cheapest token still counts", () => {
  expect(roundedUsd(0.01 / 1_000_000)).toBe(0.000_000_01);
});

test("a sum with an unknown price is unknown", () => {
  expect(addCost(0.1, null)).toBeNull();
});
