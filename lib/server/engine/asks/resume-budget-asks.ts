import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, isRaceLost } from "@/lib/server/platform/db/errors";
import { toInterrupt } from "./approval-row";
import { raiseOf } from "./raise-budget";
import { type Decider, storeDecisions, type TakenDecision } from "./store-decisions";

/**
 * After a raise, resumes the other runs that wait for the same accounts. Each asks again if the remainder is still too
 * little for its next call.
 */
export async function resumeAfterRaise(db: Database, taken: readonly TakenDecision[], decider: Decider): Promise<void> {
  for (const { asked, decision } of taken) {
    const account = asked.budget?.account;
    if (account !== undefined && raiseOf(asked, decision)) await resumeAsksAbout(db, account, decider);
  }
}

/** Resumes the runs that wait for a changed budget; each asks again if its call still does not fit. */
export function resumeRunsOfBudget(db: Database, budgetId: string, decider: Decider): Promise<void> {
  return resumeAsksAbout(db, budgetId, decider);
}

/** `id` is an account's or a budget's; an ask's arguments contain it. */
async function resumeAsksAbout(db: Database, id: string, decider: Decider): Promise<void> {
  const waiting = await db.approval.findMany({
    where: { kind: "budget", status: "pending", args: { contains: JSON.stringify(id) } },
    include: { run: true },
  });
  for (const { run, ...row } of waiting) {
    if (run.status !== "waiting") continue;
    const asked = { ...toInterrupt(row), id: row.id, runId: run.id };
    const decision = { tool_call_id: row.toolCallId, decision: "allow", args: { add_usd: 0 } } as const;
    const rows = await db.approval.findMany({
      where: { runId: run.id },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    await storeDecisions(db, { runs: [run], rows, taken: [{ asked, decision }], decider }).catch(unlessOvertaken);
  }
}

function unlessOvertaken(error: unknown): void {
  if (!(isNothingChanged(error) || isRaceLost(error))) throw error;
}
