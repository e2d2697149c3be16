import { formatCount } from "@/lib/client/ui/text/format";
import type { BudgetWhatIf, CallWhatIf } from "@/lib/schema/permissions/what-if";
import type { OnReach } from "@/lib/schema/usage/budget";

interface WhatIfSentence {
  readonly text: string;
  /** What a person had denied and would be allowed; it is shown in brass. */
  readonly warning: string | null;
}

/** "Of 412 calls in 30 days: 61 prompts fewer", and what a person had denied. */
export function whatIfSentence(found: CallWhatIf, days: number): WhatIfSentence {
  const { calls, unknown, promptsSaved, newlyAsked, newlyAllowed, newlyDenied, deniedByPeople } = found;
  if (calls === 0) {
    const text =
      unknown === 0
        ? `No calls in ${inDays(days)} to learn from.`
        : `Too little was recorded of the ${formatCount(unknown)} calls in ${inDays(days)} to judge them.`;
    return { text, warning: null };
  }
  const parts = [
    promptsSaved === 0 ? null : `${count(promptsSaved, "prompt")} fewer`,
    newlyAsked === 0 ? null : `${count(newlyAsked, "prompt")} more`,
    newlyAllowed === 0 || promptsSaved > 0 ? null : `${formatCount(newlyAllowed)} newly allowed`,
    newlyDenied === 0 ? null : `${formatCount(newlyDenied)} newly denied`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return { text: "Nothing would have been different.", warning: null };
  const scope = `Of ${found.isCut ? "the newest " : ""}${count(calls, "call")} in ${inDays(days)}`;
  return {
    text: `${scope}: ${parts.join(", ")}`,
    warning: deniedByPeople === 0 ? null : `${formatCount(deniedByPeople)} newly allowed that a person had denied`,
  };
}

const REACHED: Readonly<Record<OnReach, (runs: string) => string>> = {
  stop: (runs) => `would have stopped ${runs}`,
  wait: (runs) => `would have made ${runs} wait`,
  warn: (runs) => `would have been shown as reached in ${runs}`,
};

/** "In 30 days it would have stopped 3 runs of 120." */
export function budgetSentence(found: BudgetWhatIf, onReach: OnReach, days: number): string {
  const { runs, reached, unknown } = found;
  if (runs === 0) return `No runs in ${inDays(days)} to learn from.`;
  const priceless = unknown === 0 ? "" : ` The cost of ${count(unknown, "run")} is unknown.`;
  if (reached === 0) return `In ${inDays(days)} none of ${count(runs, "run")} would have reached it.${priceless}`;
  const of = reached === runs ? "" : ` of ${formatCount(runs)}`;
  return `In ${inDays(days)} it ${REACHED[onReach](`${count(reached, "run")}${of}`)}.${priceless}`;
}

function inDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

function count(value: number, word: string): string {
  return `${formatCount(value)} ${word}${value === 1 ? "" : "s"}`;
}
