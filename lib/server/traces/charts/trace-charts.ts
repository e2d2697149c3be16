import "server-only";
import type { ChartBucket, ChartQuery, TraceCharts } from "@/lib/schema/traces/list/charts";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import {
  type ChartCount,
  selectChartCounts,
  selectFirstStart,
} from "@/lib/server/platform/db/queries/trace-list/charts";
import type { TraceSelection } from "@/lib/server/platform/db/queries/trace-list/conditions";
import type { Services } from "@/lib/server/platform/services";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { selectionOf } from "@/lib/server/traces/list/trace-selection";
import { chartEdges } from "./chart-edges";
import { percentileOf } from "./histogram";

const EMPTY_PERIOD_MS = 30 * 86_400_000;
/** No run began before, or will after: a chart over all time ends. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(2020, 0, 1), Date.UTC(2100, 0, 1)];

/**
 * The runs of the list under the same filters, by when they began, also by those of them that go on: the sums are the
 * list's, but that a replay, which fails and takes its time because of what it tries, counts only in tokens and cost
 * unless the filters name origins. Without `since` from the first run on, without `until` until now. Throws `invalid_input` as the list does.
 */
export async function chartTraces(
  services: Services,
  viewer: Viewer,
  { timezone, ...query }: ChartQuery,
): Promise<TraceCharts> {
  const { database } = services;
  const now = new Date();
  const zone = timezone ?? timeZoneOfUser(viewer.id) ?? serverTimeZone();
  const { selection } = await selectionOf(services, viewer, query);
  const { sinceMs, untilMs } = await periodOf(database, selection, now);
  const { unit, edges } = chartEdges(sinceMs, untilMs, zone);
  const isEmpty = selection === null || edges.length === 0;
  const within = { since: new Date(sinceMs), until: new Date(untilMs) };
  const replays = query.origin ? "counted" : "left out";
  const counts = isEmpty ? [] : await selectChartCounts(database, { ...selection, ...within }, { edges, replays });
  const ofBucket = Map.groupBy(counts, ({ bucket }) => bucket);
  const buckets = edges.slice(0, -1).map((edge, index) => ({
    since: new Date(edge).toISOString(),
    until: new Date(edges[index + 1] ?? untilMs).toISOString(),
    ...figuresOf(ofBucket.get(index) ?? []),
  }));
  return { unit, timezone: zone, buckets, total: figuresOf(counts), countedAt: now.toISOString() };
}

async function periodOf(database: Database, selection: TraceSelection | null, now: Date) {
  // A run may begin in the millisecond in which it is counted.
  const until = selection?.until?.getTime() ?? now.getTime() + 1;
  const untilMs = Math.min(Math.max(until, EARLIEST_MS), LATEST_MS);
  const since = selection === null ? undefined : (selection.since ?? (await selectFirstStart(database, selection)));
  return { sinceMs: Math.max(since?.getTime() ?? untilMs - EMPTY_PERIOD_MS, EARLIEST_MS), untilMs };
}

type Figures = Omit<ChartBucket, "since" | "until">;

function figuresOf(counts: readonly ChartCount[]): Figures {
  const statuses: Record<string, number> = {};
  const histogram = new Map<number, number>();
  const sums = { runs: 0, costUsd: 0, unpricedRuns: 0, inputTokens: 0, outputTokens: 0 };
  for (const count of counts) {
    if (count.runs > 0) statuses[count.status] = (statuses[count.status] ?? 0) + count.runs;
    if (count.time !== null) histogram.set(count.time, (histogram.get(count.time) ?? 0) + count.runs);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += count[name];
  }
  return { ...sums, statuses, p50Ms: percentileOf(histogram, 0.5), p95Ms: percentileOf(histogram, 0.95) };
}
