import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner, EVERY_AGENT, selectReachable } from "@/lib/server/platform/db/queries/agent-access";

interface AskingRun {
  readonly id: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly rootRunId: string | null;
}

/**
 * Ids of the runs on which nobody can decide any more: their agent, or their thread's, was deleted or is limited to
 * groups that the run's owner is not in.
 */
export async function runsOfLostAgents(database: Database, runs: readonly AskingRun[]): Promise<Set<string>> {
  const agentsOf = await agentsOfRuns(database, runs);
  const lost = new Set<string>();
  for (const [ownerId, own] of Map.groupBy(runs, (run) => run.ownerId)) {
    const reachable = await selectReachable(database, [...new Set(own.flatMap(agentsOf))], accessOfOwner(ownerId));
    const isLost = (agentId: string) => !reachable.some(({ id }) => id === agentId);
    for (const run of own) if (agentsOf(run).some(isLost)) lost.add(run.id);
  }
  return lost;
}

/** Ids of the runs whose agent, or whose thread's agent, was deleted. */
export async function runsOfDeletedAgents(database: Database, runs: readonly AskingRun[]): Promise<Set<string>> {
  const agentsOf = await agentsOfRuns(database, runs);
  const agentIds = [...new Set(runs.flatMap(agentsOf))];
  const existing = await selectReachable(database, agentIds, EVERY_AGENT);
  const isDeleted = (agentId: string) => !existing.some(({ id }) => id === agentId);
  return new Set(runs.filter((run) => agentsOf(run).some(isDeleted)).map(({ id }) => id));
}

async function agentsOfRuns(database: Database, runs: readonly AskingRun[]) {
  const roots = await database.run.findMany({
    where: { id: { in: runs.flatMap(({ rootRunId }) => rootRunId ?? []) } },
    select: { id: true, agentId: true },
  });
  return ({ agentId, rootRunId }: AskingRun) => [
    agentId,
    ...roots.filter(({ id }) => id === rootRunId).map((root) => root.agentId),
  ];
}
