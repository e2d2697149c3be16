"use client";
import Link from "next/link";
import { MadeByKeyLine } from "@/components/shell/made-by-key";
import { Button } from "@/components/ui/controls/button";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { StateRing } from "@/components/ui/states/state-ring";
import { memberName, memberText, spentText, wokenText } from "@/lib/client/boards/board-labels";
import { formatCost, formatMoney } from "@/lib/client/ui/text/format";
import type { Board } from "@/lib/schema/boards/board";
import type { RunStatus } from "@/lib/schema/runs/run";
import { BudgetRing } from "./budget-ring";

const RINGS: Partial<Record<Board["team"][number]["state"], RunStatus>> = {
  working: "running",
  reviewing: "running",
  asks: "waiting",
  gone: "failed",
};

const PLAN_RINGS = { done: "completed", in_progress: "running", pending: "queued" } as const;

/** The board's members, what woke the lead, and the cost. */
export function TeamPanel({ board, onChange }: { board: Board; onChange: (() => void) | null }) {
  const { team, lead, leadThreadId, plan, goal, budget, used, max_parallel: most } = board;
  const hasBudget = budget.usd !== null || budget.tokens !== null;
  return (
    <div className="flex flex-col text-sm">
      {goal.trim() === "" ? null : (
        <Section title="Goal">
          <p className="text-sm whitespace-pre-wrap wrap-anywhere">{goal}</p>
        </Section>
      )}
      {plan.length === 0 ? null : (
        <Section
          title="The lead’s plan"
          extra={
            <span className="text-xs text-muted">
              {plan.filter(({ status }) => status === "done").length} of {plan.length} done
            </span>
          }
        >
          <ol className="flex flex-col gap-1">
            {plan.map(({ id, title, status }) => (
              <li key={id} className="flex items-start gap-2">
                <span className="flex h-5 items-center">
                  <StateRing status={PLAN_RINGS[status]} size={12} labelled />
                </span>
                <span className={status === "done" ? "text-muted" : status === "in_progress" ? "font-medium" : ""}>
                  {title}
                </span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Section title="Lead">
        <p>{lead === null ? "You" : memberName(board, lead)}</p>
        {lead === null ? null : (
          <p className="text-xs text-muted">
            {wokenText(board)}{" "}
            {leadThreadId === null ? null : (
              <Link href={`/threads/${encodeURIComponent(leadThreadId)}`} className="text-link underline">
                Open the lead’s thread
              </Link>
            )}
          </p>
        )}
      </Section>
      <Section title="Members" extra={<span className="text-xs text-muted">{most} at once at most</span>}>
        <ul className="flex flex-col gap-2">
          {team.map((member) => {
            const ring = RINGS[member.state];
            return (
              <li key={member.agentId} className="flex items-start gap-2">
                <Mark size={14} className="mt-0.5" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate" title={member.agentId}>
                    {member.name}{" "}
                    {member.version === null ? null : <span className="text-muted">v{member.version}</span>}
                  </span>
                  <span className="block text-xs text-muted">{memberText(member)}</span>
                </span>
                <span className="flex h-5 items-center gap-1.5 text-xs">
                  {ring === undefined ? null : <StateRing status={ring} size={12} />}
                  <span className="tnum text-muted">{formatCost(member.costUsd)}</span>
                </span>
              </li>
            );
          })}
        </ul>
      </Section>
      <Section
        title="Budget"
        extra={
          onChange === null ? null : (
            <Button variant="ghost" onPress={onChange}>
              Change
            </Button>
          )
        }
      >
        <div className="flex items-center gap-3">
          <BudgetRing board={board} size={40} />
          <p className="tnum font-medium">{hasBudget ? spentText(board) : formatMoney(used.usd)}</p>
        </div>
        <p className="mt-1.5 text-xs text-muted">
          {hasBudget
            ? "When it is reached, no card starts and running cards wait for you."
            : "No budget of its own. Your budgets and those of its agents apply."}
        </p>
        <MadeByKeyLine apiKey={board.apiKey} className="mt-1.5" />
      </Section>
    </div>
  );
}
