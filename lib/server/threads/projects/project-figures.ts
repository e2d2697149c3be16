import "server-only";
import type { Project } from "@/lib/schema/projects/project";
import { roundedUsd } from "@/lib/schema/runs/usage";
import { database } from "@/lib/server/platform/db/database";
import { countProjectThreads, sumProjectCost } from "@/lib/server/platform/db/queries/threads";
import { startOfPeriod } from "@/lib/server/platform/local-day";

/** How many threads each filter of the project's list shows to this member. */
export function countThreads(projectId: string, viewerId: string): Promise<Project["counts"]> {
  return countProjectThreads(database(), projectId, viewerId);
}

/** What the runs of the project's threads have cost since the month began, and its budget for a month. */
export async function monthlyCost(projectId: string, now = new Date()): Promise<Project["cost"]> {
  const [{ usd, unpriced }, budget] = await Promise.all([
    sumProjectCost(database(), projectId, startOfPeriod("month", now)),
    database().budget.findFirst({
      where: { scope: "project", scopeId: projectId, period: "month", usd: { not: null } },
      orderBy: [{ usd: "asc" }, { id: "asc" }],
      select: { usd: true },
    }),
  ]);
  return { usd: roundedUsd(usd), isPartial: unpriced > 0, budgetUsd: budget?.usd ?? null };
}
