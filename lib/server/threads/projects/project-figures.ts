import "server-only";
import type { Project } from "@/lib/schema/projects/project";
import { roundedUsd } from "@/lib/schema/runs/usage";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { countProjectThreads, sumProjectCost } from "@/lib/server/platform/db/queries/threads";
import { startOfPeriod } from "@/lib/server/platform/time/local-day";

/** How many threads each filter of the project's list shows this member. */
export function countThreads(database: Database, projectId: string, viewer: Reader): Promise<Project["counts"]> {
  return countProjectThreads(database, projectId, viewer);
}

/** The cost of the runs in the project's threads since the month began, and the project's monthly budget. */
export async function monthlyCost(database: Database, projectId: string, now = new Date()): Promise<Project["cost"]> {
  const [{ usd, unpriced }, budget] = await Promise.all([
    sumProjectCost(database, projectId, startOfPeriod("month", now)),
    database.budget.findFirst({
      where: { scope: "project", scopeId: projectId, period: "month", usd: { not: null } },
      orderBy: [{ usd: "asc" }, { id: "asc" }],
      select: { usd: true },
    }),
  ]);
  return { usd: roundedUsd(usd), isPartial: unpriced > 0, budgetUsd: budget?.usd ?? null };
}
