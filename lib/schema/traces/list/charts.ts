import { z } from "zod";
import { FacetQuery } from "@/lib/schema/traces/trace";
import { TimeZone } from "@/lib/schema/users/time-zone";

/** The list's filters. `timezone`: in which days, weeks and months begin; by default the viewer's. */
export const ChartQuery = FacetQuery.extend({ timezone: TimeZone.optional() });
export type ChartQuery = z.infer<typeof ChartQuery>;

const CHART_UNITS = ["minutes", "hour", "day", "week", "month", "year"] as const;
export type ChartUnit = (typeof CHART_UNITS)[number];

const FIGURES = {
  runs: z.number(),
  /** Runs by status; one that no run has is absent. */
  statuses: z.record(z.string(), z.number()),
  /** Percentiles of the time worked by the runs that have ended, null without any; from powers of two, so approximate. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  /** Of the runs whose cost is known. */
  costUsd: z.number(),
  /** Runs that have ended and whose cost is unknown. */
  unpricedRuns: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
} as const;

/** The runs that began from `since` (ISO 8601) to before `until`. */
const ChartBucket = z.object({ since: z.string(), until: z.string(), ...FIGURES });
export type ChartBucket = z.infer<typeof ChartBucket>;

/** Buckets without a gap, also where there are no runs; `minutes` are five. `total` is of all of them. */
export const TraceCharts = z.object({
  unit: z.enum(CHART_UNITS),
  timezone: z.string(),
  buckets: z.array(ChartBucket),
  total: z.object(FIGURES),
  countedAt: z.string(),
});
export type TraceCharts = z.infer<typeof TraceCharts>;
