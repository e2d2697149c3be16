import { expect, test } from "vitest";
import {
  addCost,
  addUsage,
  NO_USAGE,
  readUsage,
  roundedUsd,
  showUsage,
  UNKNOWN_SPENDING,
  wireUsageNotes,
} from "./usage";

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

test("a sum that contains an estimate says so, and is read back as it was", () => {
  const counted = { ...NO_USAGE, inputTokens: 5, outputTokens: 1 };
  const sum = addUsage(counted, { ...counted, isUsageEstimated: true });
  expect(showUsage(sum)).toMatchObject({ inputTokens: 10, outputTokens: 2, estimated: true });
  expect(showUsage(counted)).not.toHaveProperty("estimated");
  expect(readUsage(showUsage(sum))).toEqual(sum);
  expect(wireUsageNotes(showUsage(sum))).toEqual({ estimated: true });
});

test("beside unknown usage the estimate is marked where its numbers are", () => {
  const sum = addUsage({ ...NO_USAGE, inputTokens: 5, isUsageEstimated: true }, UNKNOWN_SPENDING.usage);
  expect(showUsage(sum)).toMatchObject({ inputTokens: null, knownUsage: { inputTokens: 5, estimated: true } });
  expect(readUsage(showUsage(sum))).toEqual(sum);
  expect(wireUsageNotes(showUsage(sum))).toEqual({
    known_usage: { input_tokens: 5, output_tokens: 0, estimated: true },
  });
});
