import { AppError } from "@/lib/schema/app-error";
import { BudgetRaise, BudgetRefusal } from "@/lib/schema/runs/budget-ask";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import type { Database } from "@/lib/server/platform/db/database";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import { raiseAccountStatement } from "@/lib/server/platform/db/queries/usage/budgets";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { ApprovalRow } from "./approval-row";
import type { Decider, TakenDecision } from "./store-decisions";

type Asked = TakenDecision["asked"];
type Decision = TakenDecision["decision"];

/** What the decision adds to a budget; null for any other decision. */
export function raiseOf(asked: Pick<Interrupt, "kind">, { decision, args }: Decision): BudgetRaise | null {
  return asked.kind === "budget" && decision === "allow" ? BudgetRaise.parse(args) : null;
}

/** Throws `forbidden`, naming those who may, when the decider may not add this much to the budget. */
export function requireMayRaise(
  asked: Asked,
  decision: Decision,
  { isOwner, isAdmin = false }: Pick<Decider, "isAdmin"> & { readonly isOwner: boolean },
): void {
  const raise = raiseOf(asked, decision);
  if (asked.budget === undefined) return;
  refuseOtherUnit(raise, asked.budget);
  const isSpending = raise !== null || BudgetRefusal.safeParse(decision.args).data?.final_answer === true;
  if (!isSpending || isAdmin) return;
  const { raise: rule, raisers } = asked.budget;
  if (rule.by === "admins" || !isOwner) {
    const who = raisers.length > 0 ? `${raisers.join(", ")} can.` : "An administrator can.";
    throw new AppError("forbidden", `You may not raise this budget. ${who}`);
  }
  if (rule.maxUsd === null || worthOf(raise, asked.budget) <= rule.maxUsd) return;
  throw new AppError(
    "forbidden",
    `You may add up to ${formatUsd(rule.maxUsd)} to this budget (raise_usd of the agent).`,
  );
}

/** Raising a limit that does not exist would leave the run waiting as before. */
function refuseOtherUnit(raise: BudgetRaise | null, { capUsd, capTokens }: NonNullable<Asked["budget"]>): void {
  const isOther = (amount: number | undefined, cap: number | null) =>
    amount !== undefined && amount > 0 && cap === null;
  const problem = isOther(raise?.add_usd, capUsd)
    ? { path: "args.add_usd", message: "This budget limits tokens, not dollars: say add_tokens." }
    : isOther(raise?.add_tokens, capTokens)
      ? { path: "args.add_tokens", message: "This budget limits dollars, not tokens: say add_usd." }
      : null;
  if (problem) throw new AppError("invalid_input", problem.message, { details: [problem] });
}

/** In dollars. Tokens are valued at the waiting call's price per token; without a price they may cost any amount. */
function worthOf(raise: BudgetRaise | null, { nextUsd, nextTokens }: NonNullable<Asked["budget"]>): number {
  const { add_usd: usd = 0, add_tokens: tokens = 0 } = raise ?? {};
  if (tokens === 0) return usd;
  if (nextUsd === null || nextTokens === 0) return Number.POSITIVE_INFINITY;
  return usd + (tokens * nextUsd) / nextTokens;
}

/**
 * For the transaction that stores the decision: raises the period's account, once, and records in the audit log by
 * whom.
 */
export function raiseStatements(asked: Asked, decision: Decision, decider: Decider | null): SqlStatement[] {
  const raise = raiseOf(asked, decision);
  const { add_usd: usd = 0, add_tokens: tokens = 0 } = raise ?? {};
  if (asked.budget === undefined || decider === null || usd + tokens === 0) return [];
  const { account, budgetId, capUsd, capTokens } = asked.budget;
  const now = new Date();
  const added = { addedUsd: { increment: usd }, addedTokens: { increment: tokens } };
  return [
    raiseAccountStatement(account, { ...added, addedByName: decider.name, addedAt: now, updatedAt: now }),
    auditStatement({
      actorId: decider.id,
      action: "budget.raised",
      target: `budget:${budgetId ?? account}`,
      details: { account, addUsd: usd, addTokens: tokens, capUsd, capTokens, runId: asked.runId },
    }),
  ];
}

/** Who decided on a budget and how, for the second of two people: "Jonas added $1 just now." Null for other asks. */
export async function decidedText(db: Database, rows: readonly ApprovalRow[]): Promise<string | null> {
  const row = rows.findLast(({ kind, decidedBy }) => kind === "budget" && decidedBy !== null);
  if (!row) return null;
  const who = await db.user.findUnique({ where: { id: row.decidedBy ?? "" }, select: { name: true } });
  const name = who?.name ?? "Another person";
  if (row.status === "denied") return `${name} stopped the run just now.`;
  const raise = BudgetRaise.safeParse(JSON.parse(row.editedArgs ?? "{}")).data;
  if (raise?.add_usd) return `${name} added ${formatUsd(raise.add_usd)} just now.`;
  return raise?.add_tokens
    ? `${name} added ${raise.add_tokens.toLocaleString("en")} tokens just now.`
    : `${name} let the run continue just now.`;
}
