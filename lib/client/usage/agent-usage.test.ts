import { expect, test } from "vitest";
import type { UsageRow } from "@/lib/schema/usage/usage-report";
import { costOfRun, failureRate, versionRows } from "./agent-usage";

function row(rest: Partial<UsageRow> = {}): UsageRow {
  const tokens = { inputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const cost = { costUsd: 0, knownCostUsd: 0, unpricedTokens: 0, partialRuns: 0 };
  return { runs: 1, failed: 0, ...tokens, ...cost, p50Ms: null, p95Ms: null, ...rest };
}

test.each([
  [19, 1, null],
  [20, 1, 0.05],
  [0, 0, null],
])("of %d runs with %d failed ones the rate is %j", (runs, failed, rate) => {
  expect(failureRate({ runs, failed })).toBe(rate);
});

test("a run whose price nobody knows costs an unknown amount, not nothing", () => {
  expect(costOfRun(row({ runs: 4, costUsd: null }))).toBeNull();
  expect(costOfRun(row({ runs: 4, costUsd: 2, knownCostUsd: 2 }))).toBe(0.5);
});

test("versions are those of the agent, the newest first", () => {
  const rows = [row({ agent: "a", version: 2 }), row({ agent: "b", version: 9 }), row({ agent: "a", version: 10 })];
  expect(versionRows(rows, "a").map(({ version }) => version)).toEqual([10, 2]);
});
