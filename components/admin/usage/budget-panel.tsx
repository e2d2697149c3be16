"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { StateRing } from "@/components/ui/states/state-ring";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import { useAction } from "@/lib/client/ui/use-action";
import { budgetsQuery, deleteBudget } from "@/lib/client/usage/budget-queries";
import {
  budgetAmounts,
  budgetOwner,
  budgetShares,
  isReached,
  PERIOD_LABELS,
  reachSentence,
  reservedText,
  SCOPE_LABELS,
} from "@/lib/client/usage/budget-text";
import type { Budget } from "@/lib/schema/usage/budget";

const BudgetDialog = dynamic(async () => (await loadWithRetry(() => import("./budget-dialog"))).BudgetDialog, {
  loading: () => null,
});

/** Every budget: what is used and reserved, and what happens at the cap. */
export function BudgetPanel() {
  const budgets = useQuery(budgetsQuery);
  const [editing, setEditing] = useState<Budget | "new" | null>(null);
  const [deleting, setDeleting] = useState<Budget | null>(null);
  const remove = useAction({
    mutationFn: deleteBudget,
    invalidates: [budgetsQuery.queryKey],
  });
  const found = budgets.data ?? [];
  const reached = found.filter(isReached).length;
  return (
    <aside
      aria-label="Budgets"
      className="flex w-[392px] shrink-0 flex-col overflow-y-auto border-l border-border bg-background max-xl:w-auto max-xl:shrink max-xl:overflow-visible max-xl:border-t max-xl:border-l-0"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 border-b border-border pr-2 pl-4">
        <h2 className="text-sm font-semibold">Budgets</h2>
        <span className="tnum text-xs text-muted">
          {found.length === 0 ? "" : `${formatCount(found.length)}${reached > 0 ? `, ${reached} reached` : ""}`}
        </span>
        <span className="flex-1" />
        <Button variant="ghost" onPress={() => setEditing("new")}>
          <Plus aria-hidden />
          Add budget
        </Button>
      </header>
      <QueryState what="budgets" query={budgets}>
        {(all) =>
          all.length === 0 ? (
            <p className="p-4 text-sm text-muted">
              There are no budgets yet. A budget caps what the installation, a group, a person, an agent or an API key
              may spend. Agents also have limits of their own, in their configuration.
            </p>
          ) : (
            <ul>
              {all.map((budget) => (
                <BudgetRow
                  key={budget.id}
                  budget={budget}
                  onEdit={() => setEditing(budget)}
                  onDelete={() => setDeleting(budget)}
                />
              ))}
            </ul>
          )
        }
      </QueryState>
      <span className="flex-1" />
      <p className="border-t border-border px-4 py-3 text-xs text-muted">
        The worst case of each call is reserved before it, so spend passes a cap by at most one call, even with parallel
        subagents.
      </p>
      {editing === null ? null : (
        <BudgetDialog budget={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
      <ConfirmDialog
        title="Delete this budget?"
        confirmLabel="Delete budget"
        isOpen={deleting !== null}
        onConfirm={() => deleting && remove.mutate(deleting.id)}
        onClose={() => setDeleting(null)}
      >
        {deleting === null
          ? ""
          : `${budgetOwner(deleting)} is no longer limited by it, and runs that wait for it continue.`}
      </ConfirmDialog>
    </aside>
  );
}

interface BudgetRowProps {
  budget: Budget;
  onEdit: () => void;
  onDelete: () => void;
}

function BudgetRow({ budget, onEdit, onDelete }: BudgetRowProps) {
  const { scope, period, waiting, reachedCount } = budget;
  const owner = budgetOwner(budget);
  const isFull = isReached(budget);
  const name = `${owner}, ${PERIOD_LABELS[period]}`;
  return (
    <li className="border-b border-border px-4 py-3">
      <div className="flex min-h-6 items-center gap-2">
        <h3 className="min-w-0 truncate text-sm font-medium" title={owner}>
          {owner}
        </h3>
        <span className="shrink-0 text-xs text-muted">
          {scope === "key" || scope === "group" || scope === "project" ? `${scope}, ` : ""}
          {PERIOD_LABELS[period]}
        </span>
        <span className="flex-1" />
        {waiting.length > 0 ? (
          <span className="flex shrink-0 items-center gap-1.5 rounded-sm bg-signal-soft px-1.5 text-xs text-signal-text">
            <StateRing status="waiting" size={12} />
            Waiting for you · {waiting.length === 1 ? "1 run waits" : `${waiting.length} runs wait`}
          </span>
        ) : null}
      </div>
      <BudgetBar budget={budget} isFull={isFull} />
      <p className="tnum mt-1.5 text-xs">
        <span className={classNames("font-medium", isFull && "text-limit-text")}>{budgetAmounts(budget)}</span>{" "}
        <span className="text-muted">{reservedText(budget)}</span>
      </p>
      <p className="mt-0.5 text-xs text-muted">
        {reachSentence(budget)}
        {reachedCount > 0 ? ` Reached ${reachedCount === 1 ? "once" : `${formatCount(reachedCount)} times`}.` : ""}
      </p>
      {waiting.map(({ runId, title }) => (
        <p key={runId} className="mt-0.5 truncate text-xs">
          <Link href="/inbox" className="text-link underline underline-offset-2" title={title ?? undefined}>
            {title ?? "A run"}
          </Link>{" "}
          <span className="text-muted">asks for more</span>
        </p>
      ))}
      <div className="mt-1 -ml-2.5 flex gap-1">
        <Button variant="ghost" aria-label={`Edit the budget of ${name}`} onPress={onEdit}>
          Edit
        </Button>
        <Button variant="danger-ghost" aria-label={`Delete the budget of ${name}`} onPress={onDelete}>
          Delete
        </Button>
      </div>
      <span className="sr-only">{SCOPE_LABELS[scope]}</span>
    </li>
  );
}

/** Used is ink, reserved grey, reached the colour of a limit; the numbers are below. */
function BudgetBar({ budget, isFull }: { budget: Budget; isFull: boolean }) {
  const { used, reserved } = budgetShares(budget);
  const percent = (share: number) => `${Math.min(100, Math.max(0, share * 100))}%`;
  return (
    <span aria-hidden="true" className="mt-1.5 flex h-2 overflow-hidden rounded-xs bg-default">
      <span className={isFull ? "bg-limit" : "bg-foreground"} style={{ width: percent(used) }} />
      <span className="bg-halted" style={{ width: percent(reserved) }} />
    </span>
  );
}
