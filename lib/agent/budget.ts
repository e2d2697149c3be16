import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import { SharedError } from "@/lib/schema/shared-error";
import type { ModelRequest } from "./model";

/** What happens to a run if its next model call exceeds a budget. `refuse`: fails before any model call. */
export type BudgetOutcome = "wait" | "stop" | "final_answer" | "refuse";

/**
 * The budgets that a run draws on. Every model call, including those of hooks, reserves its worst case. Only the loop
 * can reserve before it starts a call, so that a call over budget leaves no trace.
 */
export interface RunBudget {
  /** Reserves the worst case of the loop's next call. Throws BudgetReached. */
  admit(request: ModelRequest): Promise<void>;
  /** Announces the run's last call: a budget that allows a final answer lets it pass. */
  admitLast(): void;
}

/** The error of a model call that exceeds a budget. */
export class BudgetReached extends SharedError {
  static override readonly kind = "BudgetReached";

  readonly outcome: BudgetOutcome;
  readonly ask: BudgetAsk;

  /** `message` tells people which budget was reached and what happened. */
  constructor(message: string, outcome: BudgetOutcome, ask: BudgetAsk) {
    super(message);
    this.outcome = outcome;
    this.ask = ask;
  }
}
