import { formatDuration } from "@/lib/schema/format-duration";
import { maskText } from "@/lib/server/platform/masking";
import type { Wait } from "@/lib/server/traces/waits";

const OUTCOMES: Readonly<Record<string, string>> = {
  edited: "Edited and allowed",
  denied: "Denied",
  answered: "Answered",
  declined: "Nobody answered: a new message or a stop came first",
  expired: "Nobody decided in time",
  pending: "No decision yet",
};

/** Who was waited for and for how long, and what they decided by which rule; masked. */
export function waitLabels(wait: Wait): { readonly title: string; readonly decision: string } {
  const { askedAtMs, decidedAtMs, askedOf, rule, note } = wait;
  const title =
    decidedAtMs === null
      ? `Waiting for ${askedOf}`
      : `Waited ${formatDuration(Math.max(0, decidedAtMs - askedAtMs))} for ${askedOf}`;
  const sentences = [
    wait.decidedBy === null ? outcomeOf(wait) : `${outcomeOf(wait)} by ${wait.decidedBy}`,
    note === null || note === "" ? null : `“${maskText(note)}”`,
    rule === null ? null : `Rule: ${maskText(rule)}`,
  ];
  return {
    title,
    decision: sentences
      .flatMap((sentence) => sentence ?? [])
      .map(withStop)
      .join(" "),
  };
}

function outcomeOf({ outcome, scope, kind }: Wait): string {
  if (outcome !== "approved") return OUTCOMES[outcome] ?? outcome;
  if (kind === "connect") return "Connected";
  return scope === null || scope === "once" ? "Allowed once" : "Allowed for the whole thread";
}

function withStop(sentence: string): string {
  return /[.!?”]$/u.test(sentence) ? sentence : `${sentence}.`;
}
