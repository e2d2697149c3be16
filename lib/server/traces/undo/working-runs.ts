import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { backendOf, placeOf } from "@/lib/server/file-access/run-workspace";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";

/** Runs that are going on at once; more than a server executes. */
const MAX_RUNS = 2_000;

/**
 * Throws `conflict`, with the run's id, while a run works in one of the workspaces or in the thread. The workspaces are
 * marked before this looks, and a run that begins looks for the mark: one of the two sees the other.
 */
export async function requireNobodyWorks(
  database: Database,
  { workspaceIds, threadId }: { readonly workspaceIds: readonly string[]; readonly threadId: string },
): Promise<void> {
  const workspaces = await database.workspace.findMany({ where: { id: { in: [...workspaceIds] } } });
  const agentIds = workspaces.map(({ agentId }) => agentId).filter((id) => id !== "");
  const projectIds = workspaces.flatMap(({ projectId }) => projectId ?? []);
  const isShared = workspaces.some(({ agentId }) => agentId === "");
  const runs = await database.run.findMany({
    where: {
      status: { in: ["running", "waiting"] },
      OR: [
        { threadId },
        { agentId: { in: agentIds } },
        { projectId: { in: projectIds } },
        ...(isShared ? [{ fileScope: { startsWith: "board:" } }] : []),
      ],
    },
    take: MAX_RUNS,
  });
  for (const run of runs) {
    const isThere = run.threadId === threadId || workspaceIds.includes((await workspaceOf(database, run)) ?? "");
    if (isThere)
      throw new AppError("conflict", `The run ${run.id} works on the same files. Wait for its end, or stop it.`, {
        details: { runId: run.id },
      });
  }
}

async function workspaceOf(database: Database, run: ClaimedRun): Promise<string | null> {
  const { config } = await loadAgentVersion(database, run.agentVersionId);
  const backend = backendOf(run, config);
  if (backend === null) return null;
  return (await requireWorkspace(database, backend.scope, await placeOf(database, run))).id;
}
