"use client";
import { useQuery } from "@tanstack/react-query";
import type { UsageFigures, UsageRow } from "@/lib/schema/usage/usage-report";
import { usageQuery } from "./usage-queries";
import { type UsageView, useUsageView } from "./use-usage-view";

/** Below this many runs a rate says more about chance than about the version. */
const RUNS_FOR_A_RATE = 20;

/** The share of failed runs; null if there are too few to say. */
export function failureRate({ runs, failed }: Pick<UsageFigures, "runs" | "failed">): number | null {
  return runs < RUNS_FOR_A_RATE ? null : failed / runs;
}

/** The average cost of a run; null if no price is known. */
export function costOfRun({ runs, costUsd, knownCostUsd }: UsageFigures): number | null {
  if (runs === 0 || (costUsd === null && knownCostUsd === 0)) return null;
  return knownCostUsd / runs;
}

/** The rows of one agent's versions, newest first. */
export function versionRows(rows: readonly UsageRow[], agentId: string): UsageRow[] {
  return rows
    .filter(({ agent }) => agent === agentId)
    .sort((left, right) => Number(right.version ?? 0) - Number(left.version ?? 0));
}

type Scope = NonNullable<UsageView["scope"]>;

/** The figures of an agent's versions in the period in the page's URL, without replays; `query` is undefined on the server. */
export function useVersionUsage(agentId: string) {
  const view = useUsageView();
  const scope = { ...scopeBy(view.scope, ["agent", "version"]), replays: "exclude" as const };
  const query = useQuery({ ...usageQuery(scope), enabled: view.scope !== null });
  return { view, query, rows: query.data === undefined ? null : versionRows(query.data.rows, agentId) };
}

/** By day, and in total. */
export function useAgentUsage(agentId: string, scope: Scope) {
  const days = useQuery(usageQuery(scopeBy(scope, ["day", "agent"])));
  const sum = useQuery(usageQuery(scopeBy(scope, ["agent"])));
  const ofAgent = (rows: readonly UsageRow[]) => rows.filter(({ agent }) => agent === agentId);
  return {
    days: { ...days, data: days.data && ofAgent(days.data.rows) },
    total: sum.data && (ofAgent(sum.data.rows)[0] ?? null),
  };
}

function scopeBy(scope: Scope | null, by: Parameters<typeof usageQuery>[0]["by"]) {
  return { from: scope?.from ?? "", to: scope?.to ?? "", timezone: scope?.timezone ?? "", by };
}
