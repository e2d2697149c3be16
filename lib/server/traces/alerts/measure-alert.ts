import "server-only";
import { hasEnded, RunOriginKind, RunStatus } from "@/lib/schema/runs/run";
import type { AlertMetric } from "@/lib/schema/traces/alert";
import { filtersOf } from "@/lib/schema/traces/alert-query";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { countMissed, countRunsAfter, selectOldestAsk } from "@/lib/server/platform/db/queries/trace-list/alert-values";
import type { Services } from "@/lib/server/platform/services";
import { chartTraces } from "@/lib/server/traces/charts/trace-charts";
import { selectionOf } from "@/lib/server/traces/list/trace-selection";

type TraceFilters = ReturnType<typeof filtersOf>;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

export interface Measured {
  readonly metric: AlertMetric;
  readonly query: string;
  readonly windowMinutes: number;
  /** From when on a problem counts as back. */
  readonly armedAt: Date;
}

/** Replays wait for whoever tries something. */
function withoutReplays(filters: TraceFilters): TraceFilters {
  return filters.origin ? filters : { ...filters, origin: OTHER_ORIGINS };
}

const OTHER_ORIGINS = RunOriginKind.options.filter((origin) => origin !== "replay").join(",");

/**
 * The metric over what the viewer may see under the alert's filters, in the unit of its threshold; null if there is
 * nothing to measure. Throws `invalid_input` as the list does.
 */
export async function measureAlert(
  services: Services,
  viewer: Viewer,
  alert: Measured,
  now: Date,
): Promise<number | null> {
  const since = new Date(now.getTime() - alert.windowMinutes * MINUTE_MS);
  if (alert.metric === "schedule_missed") return missedSchedules(services.database, viewer, alert, since);
  if (alert.metric === "waiting") return longestWait(services, viewer, alert, now);
  if (alert.metric === "problem_back") return runsOfProblem(services, viewer, alert, since);
  const within = { since: since.toISOString(), until: new Date(now.getTime() + 1).toISOString() };
  const { total } = await chartTraces(services, viewer, { ...filtersOf(alert.query), ...within });
  if (alert.metric === "p95_worked") return total.p95Ms === null ? null : total.p95Ms / 1_000;
  if (alert.metric === "error_rate") return failedPercent(total.statuses);
  const isNothing = total.runs === 0 && total.costUsd === 0;
  return isNothing ? null : (total.costUsd * DAY_MINUTES) / alert.windowMinutes;
}

function failedPercent(statuses: Readonly<Record<string, number>>): number | null {
  const ended = RunStatus.options.filter(hasEnded).reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  return ended === 0 ? null : (100 * (statuses.failed ?? 0)) / ended;
}

async function longestWait(services: Services, viewer: Viewer, { query }: Measured, now: Date): Promise<number | null> {
  const { selection } = await selectionOf(services, viewer, withoutReplays(filtersOf(query)));
  const oldest = selection === null ? null : await selectOldestAsk(services.database, selection);
  return oldest === null ? null : Math.max(0, now.getTime() - oldest.getTime()) / MINUTE_MS;
}

/** Of a resolved problem only runs of later versions: those of the same one do not open it again either. */
async function runsOfProblem(
  services: Services,
  viewer: Viewer,
  { query, armedAt }: Measured,
  since: Date,
): Promise<number> {
  const filters = filtersOf(query);
  const { selection } = await selectionOf(services, viewer, filters);
  if (selection === null) return 0;
  const problem = await services.database.problem.findUnique({
    where: { id: filters.problemId ?? "" },
    select: { resolvedInVersion: true },
  });
  const within = { ...selection, since: armedAt > since ? armedAt : since };
  return countRunsAfter(services.database, within, problem?.resolvedInVersion ?? 0);
}

function missedSchedules(database: Database, viewer: Viewer, { query }: Measured, since: Date): Promise<number> {
  const { agentId = "", mine } = filtersOf(query);
  const ownerId = hasAdminScope(viewer) && !mine ? undefined : viewer.id;
  return countMissed(database, { ownerId, agentIds: agentId.split(",").filter(Boolean), since });
}
