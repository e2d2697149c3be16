import type { Database } from "@/lib/server/platform/db/database";

interface AskingRun {
  readonly id: string;
  readonly agentId: string;
  readonly rootRunId: string | null;
}

/** Ids of the runs whose agent was deleted, their own or that of the thread: nobody can decide on them any more. */
export async function runsOfDeletedAgents(database: Database, runs: readonly AskingRun[]): Promise<Set<string>> {
  const roots = await database.run.findMany({
    where: { id: { in: runs.flatMap(({ rootRunId }) => rootRunId ?? []) } },
    select: { id: true, agentId: true },
  });
  const agentsOf = ({ agentId, rootRunId }: AskingRun) => [
    agentId,
    ...roots.filter(({ id }) => id === rootRunId).map((root) => root.agentId),
  ];
  const deleted = await database.agent.findMany({
    where: { id: { in: [...new Set(runs.flatMap(agentsOf))] }, deletedAt: { not: null } },
    select: { id: true },
  });
  const isDeleted = (agentId: string) => deleted.some(({ id }) => id === agentId);
  return new Set(runs.filter((run) => agentsOf(run).some(isDeleted)).map(({ id }) => id));
}
