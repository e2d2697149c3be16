"use client";
import type { ReactNode } from "react";
import { AnsweredQuestion } from "@/components/chat/asks/answered-question";
import { ApprovalDecision } from "@/components/chat/asks/approval-decision";
import { DecisionLine, type DecisionLineProps } from "@/components/chat/asks/decision-line";
import { CallArguments } from "@/components/chat/transcript/call-arguments";
import { budgetOutcome } from "@/lib/client/chat/asks/budget-labels";
import { connectText } from "@/lib/client/chat/asks/interrupt-labels";
import type { AskOutcome } from "@/lib/schema/inbox/ask-outcome";

interface DecidedAskProps {
  /** What was asked. */
  title: string;
  /** Null until it is known, and for good if its thread was deleted. */
  outcome: AskOutcome | null;
}

/** An ask that was decided elsewhere: by whom, where and when, in the words of its thread; nothing to press. */
export function DecidedAsk({ title, outcome }: DecidedAskProps) {
  if (outcome?.kind === "question") return <AnsweredQuestion data={outcome.data} />;
  return (
    <section
      ref={takeLostFocus}
      tabIndex={-1}
      aria-label={`No longer waits: ${title}`}
      className="overflow-hidden rounded-lg border border-border bg-surface text-sm"
    >
      <h2 className="border-b border-separator px-3 py-1.5 font-medium break-words">{title}</h2>
      <Outcome outcome={outcome} />
    </section>
  );
}

/** The button that had the focus has gone with the ask: what replaces it takes the focus. */
function takeLostFocus(section: HTMLElement | null): void {
  if (document.activeElement === document.body) section?.focus();
}

function Outcome({ outcome }: { outcome: Exclude<AskOutcome, { kind: "question" }> | null }) {
  if (outcome === null) return <p className="px-3 py-1.5 text-xs text-muted">It no longer waits for you.</p>;
  if (outcome.kind === "approval") {
    const { data } = outcome;
    return (
      <>
        <CallArguments args={data.editedArgs ?? data.args} />
        <ApprovalDecision approval={data} />
      </>
    );
  }
  const text = outcome.kind === "budget" ? budgetOutcome(outcome.data) : connectText(outcome.data);
  return (
    <Line decided={outcome.data} note={outcome.data.note}>
      {text}
    </Line>
  );
}

function Line({ decided, note, children }: DecisionLineProps & { note?: string; children: ReactNode }) {
  return (
    <div className="px-3 py-1.5 text-xs text-muted">
      <DecisionLine decided={decided}>{children}</DecisionLine>
      {note ? <p className="pl-3.5 break-words whitespace-pre-wrap">“{note}”</p> : null}
    </div>
  );
}
