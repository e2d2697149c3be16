"use client";
import { useQuery } from "@tanstack/react-query";
import { budgetWhatIfQuery, callWhatIfQuery } from "@/lib/client/permissions/what-if-queries";
import { budgetSentence, whatIfSentence } from "@/lib/client/permissions/what-if-sentences";
import { useSettled } from "@/lib/client/ui/input/use-settled";
import type { CallWhatIf, WhatIfBody } from "@/lib/schema/permissions/what-if";
import type { CreateBudgetBody } from "@/lib/schema/usage/budget";

const DAYS = 30;

/** What a grant would have done with the last month's calls, in one sentence; nothing until that is known. */
export function GrantWhatIf({ agentId, grant }: { agentId: string; grant: NonNullable<WhatIfBody["grant"]> }) {
  const settled = useSettled(JSON.stringify(grant));
  const query = useQuery(callWhatIfQuery({ agentId, grant: JSON.parse(settled), days: DAYS }));
  return (
    <p role="status" className="min-h-4 text-xs text-muted">
      {query.data === undefined ? null : <Sentence found={query.data} days={DAYS} />}
    </p>
  );
}

/** What a budget would have done with the last month's runs, in one sentence; null while it is not one yet. */
export function BudgetWhatIfLine({ budget }: { budget: CreateBudgetBody | null }) {
  const settled = useSettled(budget === null ? null : JSON.stringify(budget));
  const asked: CreateBudgetBody | null = settled === null ? null : JSON.parse(settled);
  const query = useQuery({
    ...budgetWhatIfQuery({ budget: asked ?? { scope: "installation", period: "total" } }),
    enabled: asked !== null,
  });
  return (
    <p role="status" className="min-h-5 text-sm text-muted">
      {asked === null || query.data === undefined ? null : budgetSentence(query.data, asked.on_reach, DAYS)}
    </p>
  );
}

/** The sentence, with what a person had denied in brass. */
export function Sentence({ found, days }: { found: CallWhatIf; days: number }) {
  const { text, warning } = whatIfSentence(found, days);
  if (warning === null) return text.endsWith(".") ? text : `${text}.`;
  return (
    <>
      {text}, <span className="text-signal-text">{warning}.</span>
    </>
  );
}
