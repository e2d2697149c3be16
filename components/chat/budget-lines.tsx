import { Bar } from "@/components/ui/section";
import { classNames } from "@/lib/client/ui/class-names";
import { amountsText, budgetShares, reservedText, runBudgetName } from "@/lib/client/usage/budget-text";
import type { RunBudget } from "@/lib/schema/usage/budget";

/** Each budget's name, use and limit. */
export function BudgetLines({ budgets }: { budgets: readonly RunBudget[] }) {
  return (
    <ul className="space-y-2">
      {budgets.map((budget) => (
        <BudgetLine key={budget.id} budget={budget} />
      ))}
    </ul>
  );
}

function BudgetLine({ budget }: { budget: RunBudget }) {
  const { used, reserved } = budgetShares(budget);
  const isFull = used >= 1;
  const name = runBudgetName(budget);
  return (
    <li className="text-xs">
      <p className="flex justify-between gap-2">
        <span className="min-w-0 truncate text-muted" title={name}>
          {name}
        </span>
        <span className={classNames("tnum shrink-0", isFull && "font-medium text-limit-text")}>
          {amountsText(budget)}
        </span>
      </p>
      <Bar percent={(used + reserved) * 100} className={isFull ? "bg-limit" : undefined} />
      {reserved > 0 ? <p className="tnum mt-0.5 text-muted">{reservedText(budget)}</p> : null}
    </li>
  );
}
