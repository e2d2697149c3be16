import type { UsageRow } from "@/lib/schema/usage/usage-report";

/** One day of a chart; `unknownUsd` is what the tokens without a price would cost at the mean price. */
export interface UsageDay {
  readonly day: string;
  readonly knownUsd: number;
  readonly unknownUsd: number;
  readonly unpricedTokens: number;
  readonly runs: number;
  readonly tokens: number;
}

/** `2026-11-23` of a time in this browser's time zone. */
export function dayOf(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** `count` days from that day on, each as its first moment in this browser's time zone. */
export function daysFrom(first: Date, count: number): Date[] {
  return Array.from(
    { length: count },
    (_, index) => new Date(first.getFullYear(), first.getMonth(), first.getDate() + index),
  );
}

/** The average cost of a priced token; 0 while no price is known. */
export function meanPriceOf(rows: readonly UsageRow[]): number {
  const sums = rows.reduce(
    (sum, row) => ({
      usd: sum.usd + row.knownCostUsd,
      tokens: sum.tokens + row.inputTokens + row.outputTokens - row.unpricedTokens,
    }),
    { usd: 0, tokens: 0 },
  );
  return sums.tokens > 0 ? sums.usd / sums.tokens : 0;
}

/** All of the days, including those without a run. */
export function usageByDay(rows: readonly UsageRow[], days: readonly string[], meanPrice: number): UsageDay[] {
  const rowsOf = Map.groupBy(rows, ({ day }) => day ?? "");
  return days.map((day) => {
    const found = rowsOf.get(day) ?? [];
    const sum = (value: (row: UsageRow) => number) => found.reduce((total, row) => total + value(row), 0);
    const unpricedTokens = sum((row) => row.unpricedTokens);
    return {
      day,
      knownUsd: sum((row) => row.knownCostUsd),
      unknownUsd: unpricedTokens * meanPrice,
      unpricedTokens,
      runs: sum(({ runs }) => runs),
      tokens: sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    };
  });
}

/** The sum of several rows, without percentiles, which cannot be added. */
export interface UsageTotal {
  readonly runs: number;
  readonly failed: number;
  readonly tokens: number;
  readonly knownCostUsd: number;
  readonly hasUnknown: boolean;
}

export function totalOf(rows: readonly UsageRow[]): UsageTotal {
  return rows.reduce<UsageTotal>(
    (sum, row) => ({
      runs: sum.runs + row.runs,
      failed: sum.failed + row.failed,
      tokens: sum.tokens + row.inputTokens + row.outputTokens,
      knownCostUsd: sum.knownCostUsd + row.knownCostUsd,
      hasUnknown: sum.hasUnknown || row.costUsd === null,
    }),
    { runs: 0, failed: 0, tokens: 0, knownCostUsd: 0, hasUnknown: false },
  );
}

/** Round numbers for the lines of a scale up to `most`: at most four, the last at or below it. */
export function scaleLines(most: number): number[] {
  if (most <= 0) return [];
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? rough;
  const lines: number[] = [];
  for (let line = step; line <= most * 1.0001; line += step) lines.push(line);
  return lines;
}
