"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Section } from "@/components/ui/section";
import { runBudgetsQuery } from "@/lib/client/usage/budget-queries";

const BudgetLines = dynamic(() => import("./budget-lines").then((module) => module.BudgetLines), {
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
