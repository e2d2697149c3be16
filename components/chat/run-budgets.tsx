"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Section } from "@/components/ui/section";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { runBudgetsQuery } from "@/lib/client/usage/budget-queries";

const BudgetLines = dynamic(async () => (await loadWithRetry(() => import("./budget-lines"))).BudgetLines, {
  loading: () => null,
});

/** The run's budgets and their usage, refetched while it works; nothing for a run without a limit. */
export function RunBudgets({ runId, isLive }: { runId: string; isLive: boolean }) {
  const { data: budgets = [] } = useQuery(runBudgetsQuery(runId, isLive));
  if (budgets.length === 0) return null;
  return (
    <Section title="Budgets">
      <BudgetLines budgets={budgets} />
    </Section>
  );
}
