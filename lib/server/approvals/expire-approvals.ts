import type { Database } from "../db";
import type { ClaimedRun } from "../runs/claim-runs";
import { isNotFound } from "../runs/finish-run";
import { isRaceLost } from "../runs/insert-events";
import { toInterrupt } from "./approval-row";
import { storeDecisions } from "./store-decisions";

const BATCH = 200;

/**
 * Lets every ask whose time is over expire (`permissions.approval_ttl_hours`): its call ends with a result that says so,
 * and a run with nothing left open goes on. A decision that comes at the same moment wins or loses as a whole. Called
 * now and then by every host; what one leaves out the next beat finds.
 */
export async function expireApprovals(database: Database, nowMs: number): Promise<void> {
  const due = await database.approval.findMany({
    where: { status: "pending", expiresAt: { lte: new Date(nowMs) }, run: { status: "waiting" } },
    select: { runId: true },
    distinct: ["runId"],
    take: BATCH,
  });
  for (const { runId } of due) {
    const run = await database.run.findUnique({ where: { id: runId } });
    if (run?.status === "waiting") await expireAll(database, run, nowMs);
  }
}

async function expireAll(database: Database, run: ClaimedRun, nowMs: number): Promise<void> {
  const rows = await database.approval.findMany({
    where: { runId: run.id },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const isDue = ({ status, expiresAt }: (typeof rows)[number]) =>
    status === "pending" && expiresAt !== null && expiresAt.getTime() <= nowMs;
  const taken = rows.filter(isDue).map((row) => ({
    asked: { ...toInterrupt(row), id: row.id, runId: run.id },
    decision: { tool_call_id: row.toolCallId, decision: "expired" as const },
  }));
  if (taken.length === 0) return;
  try {
    await storeDecisions(database, { runs: [run], rows, taken, decider: null });
  } catch (error) {
    if (!(isNotFound(error) || isRaceLost(error))) throw error;
  }
}
