import type { BudgetData } from "@/lib/schema/messages/ui-message";
import { type BudgetAsk, budgetName } from "@/lib/schema/runs/budget-ask";
import { formatUsd } from "@/lib/schema/runs/format-usd";

/** "This run has reached its budget of $0.50. Continue?", and without the question to who may not raise it. */
export function budgetTitle(budget: BudgetAsk, mayRaise: boolean): string {
  return `${reached(budget)}${mayRaise ? " Continue?" : ""}`;
}

function reached(budget: BudgetAsk): string {
  const { capUsd, capTokens, spentUsd, spentTokens, period, isShare } = budget;
  const limit = capUsd === null ? `${(capTokens ?? 0).toLocaleString("en")} tokens` : formatUsd(capUsd);
  if (isShare) return `The subagents have reached their share of ${limit}.`;
  if (period === "run") return `This run has reached its budget of ${limit}.`;
  const name = budgetName(budget);
  const isSpent = capUsd === null ? spentTokens >= (capTokens ?? 0) : spentUsd >= capUsd;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${isSpent ? "is spent" : "does not cover the next call"}.`;
}

/**
 * The amounts of the main button and of the field next to it: enough for the next call, within what the viewer may add.
 */
export function raiseSteps(budget: BudgetAsk, isAdmin: boolean): [first: number, second: number] {
  if (budget.capUsd === null) {
    const { nextTokens, spentTokens, reservedTokens, capTokens } = budget;
    const missing = nextTokens + spentTokens + reservedTokens - (capTokens ?? 0);
    const step = Math.max(10_000, Math.ceil(missing / 10_000) * 10_000);
    return [step, 5 * step];
  }
  const most = isAdmin ? null : budget.raise.maxUsd;
  const needed = (budget.nextUsd ?? 0) + budget.spentUsd + budget.reservedUsd - budget.capUsd;
  const step = Math.max(1, Math.ceil(needed));
  return most === null ? [step, 2 * step] : [Math.min(step, most), Math.min(2 * step, most)];
}

/** The outcome of a budget ask, for the line that replaces its card. */
export function budgetOutcome({ status, added, budget }: BudgetData): string {
  if (status === "denied") return "Stopped at the budget";
  if (status === "expired") return "Expired: nobody raised the budget in time";
  if (status === "declined") return "Stopped at the budget: nobody raised it";
  if (status !== "approved") return "Waiting at the budget";
  if (added?.add_usd) return `Added ${formatUsd(added.add_usd)} to ${budgetName(budget)},`;
  if (added?.add_tokens) return `Added ${added.add_tokens.toLocaleString("en")} tokens to ${budgetName(budget)},`;
  return "Continued";
}
