import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { runsOfTree } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { toInterrupt } from "./approval-row";

/**
 * The open asks of the run and the runs below it, longest wait first. An ask of a run below includes its `runId` and
 * the subagent's name.
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
