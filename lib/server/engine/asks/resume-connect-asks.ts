import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, isRaceLost } from "@/lib/server/platform/db/errors";
import { toInterrupt } from "./approval-row";
import { storeDecisions } from "./store-decisions";

/** The calls of all runs that wait for a connection to an MCP server, with the connection's owner. */
export async function waitingForConnection(db: Database) {
  const rows = await db.approval.findMany({
    where: { kind: "connect", status: "pending", run: { status: "waiting" } },
    include: { run: true },
  });
  return rows.flatMap(({ run, ...row }) => {
    const { connect } = toInterrupt(row);
    return connect === undefined ? [] : [{ row, run, connect, ownerId: row.ownerId }];
  });
}

/** Resumes a run whose call can now be made; it asks again if the server refuses the new connection too. */
export async function resumeConnectAsk(
  db: Database,
  { row, run, ownerId }: Awaited<ReturnType<typeof waitingForConnection>>[number],
): Promise<void> {
  const owner = await db.user.findUnique({ where: { id: ownerId }, select: { name: true } });
  const asked = { ...toInterrupt(row), id: row.id, runId: run.id };
  const decision = { tool_call_id: row.toolCallId, decision: "allow" } as const;
  const rows = await db.approval.findMany({
    where: { runId: run.id },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const decider = { id: ownerId, name: owner?.name ?? ownerId, via: "page" } as const;
  try {
    const fresh = await db.run.findUnique({ where: { id: run.id } });
    if (fresh?.status !== "waiting") return;
    await storeDecisions(db, { runs: [fresh], rows, taken: [{ asked, decision }], decider });
  } catch (error) {
    if (!(isNothingChanged(error) || isRaceLost(error))) throw error;
  }
}
