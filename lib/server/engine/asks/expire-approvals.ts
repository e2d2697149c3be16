import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { cancelRun, endUnclaimedRun } from "@/lib/server/engine/ending/cancel";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { isNothingChanged, isRaceLost } from "@/lib/server/platform/db/errors";
import { toInterrupt } from "./approval-row";
import { runsOfDeletedAgents } from "./deleted-agents";
import { expiryStatement, storeDecisions } from "./store-decisions";

const BATCH = 200;

/**
 * Expires every ask past its deadline (`permissions.approval_ttl_hours`): its call ends with a result that says so, and
 * a run with no open asks left continues; a deleted agent's run ends. A simultaneous decision wins or loses as a whole.
 * Every host calls this periodically, so a missed ask is caught at the next beat.
 */
export async function expireApprovals(database: Database, nowMs: number): Promise<void> {
  const due = await database.approval.findMany({
    where: { status: "pending", expiresAt: { lte: new Date(nowMs) }, run: { status: "waiting" } },
    select: { runId: true },
    distinct: ["runId"],
    take: BATCH,
  });
  await eachAlone(due, "expiring what a run asked", async ({ runId }) => {
    const run = await database.run.findUnique({ where: { id: runId } });
    if (run?.status !== "waiting") return;
    const gone = await findDeleted(database, run);
    if (gone === null) await expireAll(database, run, nowMs);
    else await endRunOfDeletedAgent(database, run, gone);
  });
}

/** Of the asking run and its root, the outermost whose agent was deleted; null if both agents exist. */
async function findDeleted(database: Database, run: ClaimedRun): Promise<string | null> {
  const root = run.rootRunId === null ? null : await database.run.findUnique({ where: { id: run.rootRunId } });
  const deleted = await runsOfDeletedAgents(database, root ? [root, run] : [run]);
  return [root?.id, run.id].find((id) => id !== undefined && deleted.has(id)) ?? null;
}

/**
 * A deleted agent's run does not continue without its call, because nobody could decide on its next one: it ends at
 * once, together with the runs above it that belong to the deleted agent. A parent whose agent exists continues.
 */
async function endRunOfDeletedAgent(database: Database, run: ClaimedRun, gone: string): Promise<void> {
  const open = await database.approval.findMany({ where: { runId: run.id, status: "pending" } });
  if (await endUnclaimedRun(database, run.id, { kind: "undecided", by: DELETED_AGENT, why: "agent-deleted" })) {
    const statements = open.map((row) => expiryStatement({ ...toInterrupt(row), id: row.id }, run));
    await database.runAll(statements);
  }
  await cancelRun(database, gone, DELETED_AGENT);
  await wakeParents(database);
}

const DELETED_AGENT = "the deleted agent";

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
    if (!(isNothingChanged(error) || isRaceLost(error))) throw error;
  }
}
