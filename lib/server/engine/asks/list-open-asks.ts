import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { runsOfTree } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { toInterrupt } from "./approval-row";

/**
 * What the run and the runs below it ask people, longest wait first. An ask of a run below has its `runId` and the
 * name of the subagent.
 */
export async function listOpenAsks(database: Database, run: ClaimedRun): Promise<Interrupt[]> {
  const runs = new Map((await runsOfTree(database, run)).map((one) => [one.id, one]));
  const rows = await database.approval.findMany({
    where: { runId: { in: [...runs.keys()] }, status: "pending", run: { status: "waiting" } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map((row) => {
    const asking = runs.get(row.runId);
    if (!asking || asking.id === run.id) return toInterrupt(row);
    return { ...toInterrupt(row), runId: asking.id, subagent: asking.subagentName ?? asking.agentId };
  });
}
