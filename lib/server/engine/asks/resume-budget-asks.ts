import { BudgetRaise, formatUsd } from "@/lib/schema/runs/budget-ask";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isRaceLost } from "@/lib/server/platform/db/errors";
import { type ApprovalRow, toInterrupt } from "./approval-row";
import { raiseOf } from "./raise-budget";
import { type Decider, storeDecisions, type TakenDecision } from "./store-decisions";

/** Runs that wait for the same account go on too: each asks again if there is not enough for it. */
export async function goOnWith(db: Database, taken: readonly TakenDecision[], decider: Decider): Promise<void> {
  for (const { asked, decision } of taken) {
    const account = asked.budget?.account;
    if (account !== undefined && raiseOf(asked, decision)) await goOnWithAsksAbout(db, account, decider);
  }
}

/** Runs that wait for a budget that has changed try again. */
export function goOnWithBudget(db: Database, budgetId: string, decider: Decider): Promise<void> {
  return goOnWithAsksAbout(db, budgetId, decider);
}

/** `id` is that of an account or of a budget, which every ask contains. */
async function goOnWithAsksAbout(db: Database, id: string, decider: Decider): Promise<void> {
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
  if (!(isNotFound(error) || isRaceLost(error))) throw error;
}

/** "Jonas added $1 just now": what the second of two people reads. Null for other asks. */
export async function decidedText(db: Database, rows: readonly ApprovalRow[]): Promise<string | null> {
  const row = rows.findLast(({ kind, decidedBy }) => kind === "budget" && decidedBy !== null);
  if (!row) return null;
  const who = await db.user.findUnique({ where: { id: row.decidedBy ?? "" }, select: { name: true } });
  const name = who?.name ?? "Somebody";
  if (row.status === "denied") return `${name} stopped the run just now.`;
  const raise = BudgetRaise.safeParse(JSON.parse(row.editedArgs ?? "{}")).data;
  if (raise?.add_usd) return `${name} added ${formatUsd(raise.add_usd)} just now.`;
  return raise?.add_tokens
    ? `${name} added ${raise.add_tokens.toLocaleString("en")} tokens just now.`
    : `${name} let it go on just now.`;
}
