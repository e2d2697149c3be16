import { facetWord } from "@/lib/client/trace/facets";
import type { Brush } from "@/lib/client/trace/use-trace-filters";
import { formatCount, formatMoney, formatTokens } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { ChartBucket, ChartUnit, TraceCharts } from "@/lib/schema/traces/list/charts";

type Figures = TraceCharts["total"];

const DAY = { day: "numeric", month: "short" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
const LABELS: Readonly<Record<ChartUnit, Intl.DateTimeFormatOptions>> = {
  minutes: { ...DAY, ...CLOCK },
  hour: { ...DAY, ...CLOCK },
  day: { ...DAY, weekday: "short" },
  week: { ...DAY, year: "numeric" },
  month: { month: "short", year: "numeric" },
  year: { year: "numeric" },
};

/** When a bucket begins: "Fri, 20 Nov", "20 Nov, 14:00", "week of 16 Nov 2026". */
export function bucketName(unit: ChartUnit, since: string): string {
  const words = new Date(since).toLocaleString("en-GB", LABELS[unit]);
  return unit === "week" ? `week of ${words}` : words;
}

/** "20 Nov, 14:00 to 21 Nov, 00:00". */
export function periodLabel({ since, until }: Brush): string {
  const [from, to] = [since, until].map((at) => new Date(at).toLocaleString("en-GB", { ...DAY, ...CLOCK }));
  return `${from} to ${to}`;
}

/** Since when, to the minute. */
export function sinceLabel(at: string): string {
  return `since ${new Date(at).toLocaleString("en-GB", { ...DAY, ...CLOCK })}`;
}

/** How many of the runs that have ended failed, from 0 to 1; null if none has ended. */
export function failedShare({ statuses }: Pick<Figures, "statuses">): number | null {
  const ended = Object.entries(statuses).filter(([status]) => hasEnded(status as RunStatus));
  const runs = ended.reduce((sum, [, count]) => sum + count, 0);
  return runs === 0 ? null : (statuses.failed ?? 0) / runs;
}

export interface FigureLabel {
  readonly value: string;
  readonly note: string;
}

export const CHARTS = ["runs", "errors", "worked", "tokens", "cost"] as const;
export type ChartName = (typeof CHARTS)[number];
export const CHART_LABELS: Readonly<Record<ChartName, string>> = {
  ...{ runs: "Runs", errors: "Failed", worked: "Worked, p50", tokens: "Tokens", cost: "Cost" },
};

const ABOUT = "≈ ";
const NONE = "none";

/** What each chart says of a bucket or of all of them. */
export function figureLabel(name: ChartName, figures: Figures): FigureLabel {
  const { runs, p50Ms, p95Ms, costUsd, unpricedRuns, inputTokens, outputTokens } = figures;
  const share = failedShare(figures);
  const words: Readonly<Record<ChartName, () => FigureLabel>> = {
    runs: () => ({ value: formatCount(runs), note: "" }),
    errors: () => ({
      value: share === null ? NONE : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`,
      note: figures.statuses.failed ? `${formatCount(figures.statuses.failed)} runs` : "",
    }),
    worked: () => ({
      value: p50Ms === null ? NONE : ABOUT + formatDuration(p50Ms),
      note: p95Ms === null ? "" : `p95 ${ABOUT}${formatDuration(p95Ms)}`,
    }),
    tokens: () => ({ value: formatTokens(inputTokens + outputTokens), note: `${formatTokens(outputTokens)} written` }),
    cost: () => ({
      value: formatMoney(costUsd),
      note: unpricedRuns === 0 ? "" : `unknown for ${formatCount(unpricedRuns)}`,
    }),
  };
  return words[name]();
}

/** The statuses of a bucket: "3 completed, 1 failed". */
export function statusCounts({ statuses }: Pick<Figures, "statuses">): string {
  return Object.entries(statuses)
    .map(([status, runs]) => `${formatCount(runs)} ${facetWord("status", status).toLowerCase()}`)
    .join(", ");
}

/** A bucket in a sentence. */
export function bucketSentence(unit: ChartUnit, bucket: ChartBucket): string {
  const name = bucketName(unit, bucket.since);
  if (bucket.runs === 0) return `${name}: no runs`;
  const { value, note } = figureLabel("worked", bucket);
  const worked = bucket.p50Ms === null ? [] : [`median ${value}, ${note}`];
  return [`${name}: ${statusCounts(bucket)}`, ...worked, figureLabel("cost", bucket).value].join("; ");
}
