import { announceBudgets, onBudgetsChanged } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { type BudgetRow, selectBudgets } from "@/lib/server/platform/db/queries/usage/budgets";
import { processState } from "@/lib/server/platform/process-state";

type Rows = Promise<readonly BudgetRow[]>;

/** Keyed by database: tests have several. */
const cache = processState("budget-rows", () => {
  const known = { rows: new WeakMap<Database, Rows>() };
  onBudgetsChanged(() => {
    known.rows = new WeakMap();
  });
  return known;
});

/** The installation's budgets, read once and again after any process changes one. They cost a run no query. */
export function budgetRows(database: Database): Rows {
  const known = cache.rows.get(database);
  if (known !== undefined) return known;
  const loading = selectBudgets(database);
  cache.rows.set(database, loading);
  loading.catch(() => cache.rows.delete(database));
  return loading;
}

/** Makes every process read the budgets again before its next call. */
export function budgetsChanged(): void {
  announceBudgets();
}
