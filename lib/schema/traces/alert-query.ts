import { AppError } from "@/lib/schema/app-error";
import type { AlertMetric } from "./alert";
import { FacetQuery } from "./trace";

/** Filters that the list's page calls otherwise than its route. */
const PAGE_NAMES = { agentId: "agent", minCostUsd: "minCost", minWorkedMs: "minWorked" } as const;
const ROUTE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PAGE_NAMES).map(([route, page]) => [page, route]),
);

/** What the page's address says besides filters: an alert has its window instead of times, and no order. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "period",
  "day",
  "from",
  "to",
  "since",
  "until",
  "sort",
  "columns",
  "live",
  "peek",
  "limit",
  "cursor",
]);

/** Filters of the runs of schedules that were never started. */
const OF_SCHEDULES: ReadonlySet<string> = new Set(["agentId", "mine"]);

/** The filters of a query string, as the list's route reads them. Throws `invalid_input` for what is none. */
export function filtersOf(query: string): FacetQuery {
  const named = alertFilters(query).map(([name, value]) => [ROUTE_NAMES[name] ?? name, value]);
  const read = FacetQuery.safeParse(Object.fromEntries(named));
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  throw refused(problem ? `${problem.path.join(".")} ${problem.message}`.trim() : "is no query of the list");
}

/** The filters as the page's address has them. Throws `invalid_input` where the metric can't be measured under them. */
export function keptQuery(query: string, metric: AlertMetric): string {
  const problem = whyNot(Object.keys(filtersOf(query)), metric);
  if (problem !== null) throw refused(problem);
  const pageNames: Readonly<Record<string, string>> = PAGE_NAMES;
  return new URLSearchParams(alertFilters(query).map(([name, value]) => [pageNames[name] ?? name, value])).toString();
}

/** Whether the metric can be measured under the filters of the page's address. */
export function canMeasure(query: string, metric: AlertMetric): boolean {
  return (
    whyNot(
      alertFilters(query).map(([name]) => ROUTE_NAMES[name] ?? name),
      metric,
    ) === null
  );
}

function whyNot(names: readonly string[], metric: AlertMetric): string | null {
  if (metric === "problem_back" && !names.includes("problemId")) return "needs the filter problemId";
  if (metric !== "schedule_missed" || names.every((name) => OF_SCHEDULES.has(name))) return null;
  return "may filter only by agent and mine: a run that never began has nothing else";
}

/** The filters of a query string, by name; what is no filter of an alert is left out. */
export function alertFilters(query: string): [string, string][] {
  return [...new URLSearchParams(query)].filter(([name, value]) => !LEFT_OUT.has(name) && value !== "");
}

function refused(message: string): AppError {
  return new AppError("invalid_input", `query ${message}`, { details: [{ path: "query", message }] });
}
