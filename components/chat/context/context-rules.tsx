"use client";
import { StateRing } from "@/components/ui/states/state-ring";
import { percentText, RULE_TITLES } from "@/lib/client/agents/context/rule-titles";
import type { RuleStep } from "@/lib/client/chat/context/context-summary";
import { classNames } from "@/lib/client/ui/class-names";
import { FillRing } from "./fill-ring";

const STATE_LABELS: Readonly<Record<RuleStep["state"], string>> = { now: "Now", next: "Next", later: "Later" };

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The rules that keep the window from filling up: those that act now, the next one, later ones. */
export function Rules({ steps, window }: { steps: readonly RuleStep[]; window: number | null }) {
  if (steps.length === 0) {
    return (
      <p className="text-xs text-muted">
        No rule is active. A conversation that outgrows the window fails at the provider.
      </p>
    );
  }
  return (
    <ol className="-mx-2">
      {steps.map(({ name, ratio, state, way, words }) => (
        <li
          key={name}
          className={classNames("flex gap-2 rounded-md px-2 py-1 text-xs", state === "next" && "bg-default")}
        >
          <span className="flex h-5 w-3.5 shrink-0 items-center">
            <RuleMark state={state} way={way} />
            <span className="sr-only">{STATE_LABELS[state]}: </span>
          </span>
          <span className="min-w-0">
            <span className={classNames("tnum block text-sm", state === "next" && "font-medium")}>
              {window === null || ratio === 0
                ? RULE_TITLES[name]
                : `At ${percentText(ratio)} ${lowerFirst(RULE_TITLES[name])}`}
            </span>
            <span className="tnum text-muted">{words}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** A tick for a rule in effect, a filling ring for the next one, a dotted ring for later ones. */
function RuleMark({ state, way }: Pick<RuleStep, "state" | "way">) {
  if (state !== "next") return <StateRing status={state === "now" ? "completed" : "queued"} size={14} />;
  return <FillRing share={way} />;
}
