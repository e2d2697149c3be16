"use client";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { ApprovalCard } from "./approval-card";
import { BudgetCard, ConnectCard } from "./lazy-cards";
import { QuestionCard } from "./question-card";

export interface AskCardProps extends Omit<Interrupt, "runId"> {
  runId: string;
  askedAtMs: number | null;
  /** The asking subagent. */
  from?: string;
}

/** An ask shown outside its run's own transcript: it can be decided now. */
export function AskCard({ kind, tool, args, facts, questions = [], budget, connect, ...common }: AskCardProps) {
  const { reason, runsIn, runId, toolCallId, askedAtMs, expiresAt, from } = common;
  const asked = { runId, toolCallId, askedAtMs, expiresAt, from, isReady: true };
  if (budget !== undefined) return <BudgetCard {...asked} budget={budget} />;
  if (connect !== undefined) return <ConnectCard {...asked} connect={connect} tool={tool} />;
  return kind === "question" ? (
    <QuestionCard {...asked} questions={questions} />
  ) : (
    <ApprovalCard {...asked} tool={tool} args={args} facts={facts} reason={reason} runsIn={runsIn} />
  );
}
