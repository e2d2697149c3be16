import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { Budget, CreateBudgetBody, UpdateBudgetBody } from "@/lib/schema/usage/budget";

const budget = async () => (await loadWithRetry(() => import("@/lib/schema/usage/budget"))).Budget;
const budgetList = async () => (await loadWithRetry(() => import("@/lib/schema/usage/budget"))).BudgetList;
const runBudgetList = async () =>
  (await loadWithRetry(() => import("@/lib/client/chat/page-schemas"))).PAGE_SCHEMAS.RunBudgetList;

const REFRESH_MS = 15_000;

/** Every budget, with what it has used. */
export const budgetsQuery = queryOptions({
  queryKey: ["budgets"],
  queryFn: async ({ signal }) => (await callJson(budgetList, "/api/budgets", { signal })).budgets,
  refetchInterval: REFRESH_MS,
});

const LIVE_MS = 2_000;

/** The budgets of a run; refetched while it is active. */
export function runBudgetsQuery(runId: string, isLive: boolean) {
  return queryOptions({
    queryKey: ["run-budgets", runId, isLive],
    queryFn: async ({ signal }) =>
      (await callJson(runBudgetList, `/api/runs/${encodeURIComponent(runId)}/budgets`, { signal })).budgets,
    refetchInterval: ({ state }) => (isLive && state.data?.length !== 0 ? LIVE_MS : false),
    placeholderData: (previous) => previous,
  });
}

export function createBudget(body: CreateBudgetBody): Promise<Budget> {
  return callJson(budget, "/api/budgets", { method: "POST", body });
}

export function updateBudget({ id, change }: { id: string; change: UpdateBudgetBody }): Promise<Budget> {
  return callJson(budget, `/api/budgets/${encodeURIComponent(id)}`, { method: "PATCH", body: change });
}

export async function deleteBudget(id: string): Promise<void> {
  await callApi(`/api/budgets/${encodeURIComponent(id)}`, { method: "DELETE" });
}
