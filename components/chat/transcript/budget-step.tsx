"use client";
import { DecisionLine } from "@/components/chat/asks/decision-line";
import { BudgetCard } from "@/components/chat/asks/lazy-cards";
import { budgetOutcome } from "@/lib/client/chat/asks/budget-labels";
import { isOpenInterrupt } from "@/lib/client/chat/transcript-steps";
import type { BudgetData } from "@/lib/schema/messages/ui-message";

/** A budget that the run has reached: the ask while it is open, then its outcome. */
export function BudgetStep({ runId, data }: { runId: string; data: BudgetData }) {
  if (isOpenInterrupt(data)) return <BudgetCard {...data} runId={runId} askedAtMs={data.requestedAtMs} />;
  return (
    <div className="text-sm leading-6 text-muted">
      <DecisionLine decided={data}>{budgetOutcome(data)}</DecisionLine>
    </div>
  );
}
