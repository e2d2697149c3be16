import { formatMoney, formatTokens } from "@/lib/client/ui/text/format";
import type { BudgetPeriod, BudgetScope } from "@/lib/schema/runs/budget-ask";
import { type Budget, namesOne, type OnReach, type RunBudget } from "@/lib/schema/usage/budget";

export const PERIOD_LABELS: Readonly<Record<BudgetPeriod, string>> = {
  run: "a run",
  thread: "a thread",
  day: "a day",
  month: "a month",
  total: "in all",
};

export const SCOPE_LABELS: Readonly<Record<BudgetScope, string>> = {
  installation: "Installation",
  each_user: "Each person",
  group: "Group",
  user: "Person",
  agent: "Agent",
  key: "API key",
  project: "Project",
  board: "Board",
};

/** The owner: the name, or what it limits. */
export function budgetOwner({ scope, name }: Pick<Budget, "scope" | "name">): string {
  return namesOne(scope) ? name : SCOPE_LABELS[scope];
}

/** The owner and the period, in a run's panel: "this run", "Ana Lima, a day". */
export function runBudgetName({ scope, name, period, isShare }: RunBudget): string {
  if (isShare) return "its subagents together";
  if (scope === "agent" && period === "run") return "this run";
  if (scope === "agent" && period === "thread") return "this thread";
  return `${scope === "installation" ? "Installation" : name}, ${PERIOD_LABELS[period]}`;
}

type Amounts = Pick<Budget, "usd" | "tokens" | "used" | "reserved" | "added">;

/** The used and reserved shares of whichever limit is closer; both from 0 to 1. */
export function budgetShares({ usd, tokens, used, reserved, added }: Amounts): { used: number; reserved: number } {
  const share = (limit: number | null, more: number, spent: number, held: number) => {
    const cap = limit === null ? null : limit + more;
    if (cap === null) return { used: 0, reserved: 0 };
    return cap === 0 ? { used: 1, reserved: 0 } : { used: spent / cap, reserved: held / cap };
  };
  const money = share(usd, added.usd, used.usd, reserved.usd);
  const counted = share(tokens, added.tokens, used.tokens, reserved.tokens);
  return money.used + money.reserved >= counted.used + counted.reserved ? money : counted;
}

/** "$1.88 of $5", "6.1M of 8M tokens", both if both are limited. */
export function budgetAmounts(budget: Amounts & Pick<Budget, "period" | "scope">): string {
  const isOfSeveral = budget.period === "run" || budget.period === "thread" || budget.scope === "each_user";
  const most = isOfSeveral ? "at most " : "";
  return amountsText(budget, most);
}

/** The same for one run's budget, whose account is known. */
export function amountsText({ usd, tokens, used, added }: Amounts, most = ""): string {
  const parts = [
    usd === null ? null : `${most}${formatMoney(used.usd)} of ${formatMoney(usd + added.usd)}`,
    tokens === null ? null : `${most}${formatTokens(used.tokens)} of ${formatTokens(tokens + added.tokens)} tokens`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

export function reservedText({ usd, reserved }: Pick<Amounts, "usd" | "reserved">): string {
  if (usd !== null && reserved.usd > 0) return `${formatMoney(reserved.usd)} reserved`;
  if (usd === null && reserved.tokens > 0) return `${formatTokens(reserved.tokens)} reserved`;
  return "nothing reserved";
}

const AT_THE_CAP: Readonly<Record<OnReach, string>> = {
  warn: "At the cap: runs continue, and the budget is shown here as reached.",
  wait: "At the cap: runs wait until an administrator adds to it; over /v1 they stop.",
  stop: "At the cap: runs stop with a notice; /v1 answers 402 budget_reached.",
};

/** The consequence of reaching the cap, in a sentence. */
export function reachSentence({ on_reach: onReach }: Pick<Budget, "on_reach">): string {
  return AT_THE_CAP[onReach];
}

/** A call did not fit, and nothing has been added since that would be enough for another. */
export function isReached(budget: Budget): boolean {
  return budget.waiting.length > 0 || budgetShares(budget).used >= 1;
}

/** The number in a field, such as 1,000.50 or 12,50: null for an empty one, NaN for what is not a number. */
export function readAmount(text: string): number | null {
  const trimmed = text.trim().replace(/^\$/, "");
  if (trimmed === "") return null;
  const [whole = "", ...groups] = trimmed.split(",");
  if (groups.every((group, index) => digitsIn(group, index === groups.length - 1) === 3)) {
    return Number([whole, ...groups].join(""));
  }
  // A comma that groups no thousands is a decimal one.
  return groups.length === 1 && !trimmed.includes(".") ? Number(trimmed.replace(",", ".")) : Number.NaN;
}

/** Of a group of thousands; the last may have decimals. */
function digitsIn(group: string, isLast: boolean): number {
  return isLast ? (group.split(".")[0] ?? "").length : group.length;
}
