import type { RunStatus } from "@/lib/schema/runs/run";
import type { Database } from "@/lib/server/platform/db/database";

interface WaitingRow {
  readonly id: string;
  readonly status: string;
  readonly waitingFor: string | null;
}

/**
 * The statuses of runs as people see them: a run that only waits for its child runs is running, unless a run below it
 * asks a person.
 */
export async function shownStatuses(database: Database, rows: readonly WaitingRow[]): Promise<Map<string, RunStatus>> {
  const onChildren = rows.filter(({ status, waitingFor }) => status === "waiting" && waitingFor === "child");
  const asking = await askingRoots(
    database,
    onChildren.map(({ id }) => id),
  );
  return new Map(
    rows.map((row) => [
      row.id,
      (onChildren.includes(row) && !asking.has(row.id) ? "running" : row.status) as RunStatus,
    ]),
  );
}

async function askingRoots(database: Database, runIds: string[]): Promise<Set<string>> {
  if (runIds.length === 0) return new Set();
  const asking = await database.run.findMany({
    where: { rootRunId: { in: runIds }, status: "waiting", waitingFor: { not: "child" } },
    select: { rootRunId: true },
  });
  return new Set(asking.flatMap(({ rootRunId }) => rootRunId ?? []));
}
