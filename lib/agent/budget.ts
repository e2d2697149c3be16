import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import type { ModelRequest } from "./model";

/** What happens to a run whose next model call does not fit into a budget. `refuse`: nothing was asked yet, and fails. */
export type BudgetOutcome = "wait" | "stop" | "final_answer" | "refuse";

/**
 * The budgets that a run draws on. Every model call reserves its worst case, also those of hooks; only the loop may ask
 * beforehand, so that a call that does not fit leaves no trace of having begun.
 */
export interface RunBudget {
  /** Reserves the worst case of the loop's next call. Throws BudgetReached. */
  admit(request: ModelRequest): Promise<void>;
  /** The next call is the run's last: a budget that lets runs answer with what they have lets it pass. */
  admitLast(): void;
}

/** A model call does not fit into a budget. Detect it with `isBudgetReached`, never with `instanceof`. */
export class BudgetReached extends Error {
  override readonly name = "BudgetReached";

  readonly outcome: BudgetOutcome;
  readonly ask: BudgetAsk;

  /** `message` tells people which budget, and what happened. */
  constructor(message: string, outcome: BudgetOutcome, ask: BudgetAsk) {
    super(message);
    this.outcome = outcome;
    this.ask = ask;
  }
}

export function isBudgetReached(error: unknown): error is BudgetReached {
  return error instanceof Error && error.name === "BudgetReached";
}
