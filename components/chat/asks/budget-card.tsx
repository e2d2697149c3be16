"use client";
import { useState } from "react";
import { useIsAdmin } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { FIELD } from "@/components/ui/controls/text-field";
import { Kbd } from "@/components/ui/kbd";
import { Bar } from "@/components/ui/section";
import { budgetTitle, raiseSteps } from "@/lib/client/chat/asks/budget-labels";
import { type OpenDecision, useDecision } from "@/lib/client/chat/asks/use-decisions";
import { classNames } from "@/lib/client/ui/class-names";
import { unlessHeld } from "@/lib/client/ui/input/unless-held";
import { useIsTyping } from "@/lib/client/ui/input/use-is-typing";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { type BudgetAsk, budgetTerms } from "@/lib/schema/runs/budget-ask";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import { AskFoot, AskFrame, BRASS, KeyOnBrass, RefusedDecision, Undecidable } from "./ask-frame";

export interface BudgetCardProps {
  runId: string;
  toolCallId: string;
  budget: BudgetAsk;
  expiresAt?: string;
  askedAtMs: number | null;
  /** The waiting subagent, if it is not the thread's agent. */
  from?: string;
}

/** Asks whether to raise a budget that has no room for a run's next call. */
export function BudgetCard({ runId, toolCallId, budget, expiresAt, askedAtMs, from }: BudgetCardProps) {
  const decision = useDecision(runId, toolCallId);
  const isAdmin = useIsAdmin();
  const mayRaise = isAdmin || budget.raise.by === "owner";
  const title = budgetTitle(budget, mayRaise);
  return (
    <AskFrame
      label={`Budget: ${title}`}
      title={title}
      isForOthers={!mayRaise}
      askedAtMs={askedAtMs}
      expiresAt={expiresAt}
    >
      <Spent budget={budget} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 px-3 pt-2 text-xs">
        <dt className="text-muted">Budget</dt>
        <dd className="min-w-0 break-words">{budgetTerms(budget)}</dd>
        <dt className="text-muted">Waiting</dt>
        <dd className="min-w-0">{from === undefined ? "The run" : `Subagent ${from}`} is paused. Nothing is lost.</dd>
      </dl>
      <RefusedDecision text={decision.error} />
      {decision.isReadOnly || decision.isAgentDeleted ? (
        <Undecidable isAgentDeleted={decision.isAgentDeleted} />
      ) : (
        <Choice budget={budget} decision={decision} mayRaise={mayRaise} isAdmin={isAdmin} />
      )}
    </AskFrame>
  );
}

function Spent({ budget }: { budget: BudgetAsk }) {
  const { capUsd, capTokens, spentUsd, spentTokens, nextUsd, nextTokens } = budget;
  const isUsd = capUsd !== null;
  const [spent, cap] = isUsd ? [spentUsd, capUsd] : [spentTokens, capTokens ?? 0];
  const words = isUsd ? formatUsd : tokenText;
  const next = isUsd && nextUsd !== null ? formatUsd(nextUsd) : tokenText(nextTokens);
  return (
    <div className="px-3 pt-3 text-xs">
      <Bar percent={cap === 0 ? 100 : (spent / cap) * 100} />
      <p className="mt-1.5 flex flex-wrap justify-between gap-x-4">
        <span className="tnum">
          <span className="font-medium">{words(spent)} spent</span> <span className="text-muted">of {words(cap)}</span>
        </span>
        <span className="tnum text-muted">The next call may cost up to {next}, which does not fit.</span>
      </p>
    </div>
  );
}

interface ChoiceProps {
  budget: BudgetAsk;
  decision: OpenDecision;
  mayRaise: boolean;
  isAdmin: boolean;
}

function Choice({ budget, decision, mayRaise, isAdmin }: ChoiceProps) {
  const isUsd = budget.capUsd !== null;
  const [first, second] = raiseSteps(budget, isAdmin);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = decision.canDecide;
  const isFirst = decision.isFirst;
  const add = (by: number) =>
    void decision.decide({ decision: "allow", args: isUsd ? { add_usd: by } : { add_tokens: Math.round(by) } });
  const stop = () => void decision.decide({ decision: "deny" });
  const addFirst = () => add(first);
  const answer = () => void decision.decide({ decision: "deny", args: { final_answer: true } });
  const stopKeys = { n: unlessHeld(stop), "alt+n": unlessHeld(stop) };
  const keys: Record<string, (event: KeyboardEvent) => void> = mayRaise
    ? { ...stopKeys, y: unlessHeld(addFirst), "alt+y": unlessHeld(addFirst) }
    : stopKeys;
  useShortcuts(isFirst && isOpen ? keys : {});
  const modifier = useIsTyping() ? "Alt " : "";
  return (
    <>
      {mayRaise ? null : <WhoCanRaise raisers={budget.raisers} />}
      {problem === null ? null : <RefusedDecision text={problem} />}
      <AskFoot>
        {mayRaise ? (
          <>
            <Raise decision={decision} words={isUsd ? formatUsd(first) : tokenText(first)} onPress={addFirst} />
            <OtherAmount
              label={isUsd ? "Another amount in dollars" : "Another number of tokens"}
              suggested={second}
              isOpen={isOpen}
              isWrong={problem !== null}
              readAmount={isUsd ? readDollars : readTokens}
              onProblem={setProblem}
              onAdd={add}
            />
            <Button variant="ghost" isDisabled={!isOpen} onPress={answer}>
              Answer with what it has
            </Button>
          </>
        ) : null}
        <span className="flex-1 @max-lg:hidden" />
        <Button variant="danger-ghost" isDisabled={!isOpen} onPress={stop}>
          {decision.sent === "deny" ? "Stopping" : "Stop"} {isFirst ? <Kbd>{`${modifier}n`}</Kbd> : null}
        </Button>
      </AskFoot>
    </>
  );
}

const NAMES = new Intl.ListFormat("en", { type: "conjunction" });

function WhoCanRaise({ raisers }: Pick<BudgetAsk, "raisers">) {
  const who = raisers.length > 0 ? NAMES.format(raisers) : "An administrator";
  return (
    <p className="px-3 pt-2.5 text-sm">
      {who} {raisers.length > 1 ? "have" : "has"} been asked to raise it.
    </p>
  );
}

interface RaiseProps {
  decision: OpenDecision;
  /** The amount it adds, in words. */
  words: string;
  onPress: () => void;
}

function Raise({ decision: { sent, isFirst, canDecide }, words, onPress }: RaiseProps) {
  const modifier = useIsTyping() ? "Alt " : "";
  return (
    <Button className={classNames("@max-lg:col-span-2", isFirst && BRASS)} isDisabled={!canDecide} onPress={onPress}>
      {sent === "allow" ? "Adding" : `Add ${words}`} {isFirst ? <KeyOnBrass>{`${modifier}y`}</KeyOnBrass> : null}
    </Button>
  );
}

interface OtherAmountProps {
  label: string;
  suggested: number;
  isOpen: boolean;
  isWrong: boolean;
  /** NaN for a text that is not an amount. */
  readAmount: (text: string) => number;
  onProblem: (problem: string | null) => void;
  onAdd: (by: number) => void;
}

function OtherAmount({ label, suggested, isOpen, isWrong, readAmount, onProblem, onAdd }: OtherAmountProps) {
  const [amount, setAmount] = useState(String(suggested));
  const addAmount = () => {
    const by = readAmount(amount);
    if (!(by > 0)) return onProblem("Enter how much to add, such as 2.50.");
    onProblem(null);
    onAdd(by);
  };
  return (
    <form
      className="flex items-center gap-1 @max-lg:col-span-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isOpen) addAmount();
      }}
    >
      <input
        aria-label={label}
        aria-invalid={isWrong}
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        className={classNames(FIELD, "tnum h-7 w-20 touch-row @max-lg:flex-1")}
      />
      <Button type="submit" isDisabled={!isOpen}>
        Add
      </Button>
    </form>
  );
}

function readDollars(text: string): number {
  return Number(text.replace(",", "."));
}

/** Tokens are whole numbers, so points, commas and spaces are thousands separators. */
function readTokens(text: string): number {
  return Number(text.replace(/[.,\s]/g, ""));
}

function tokenText(tokens: number): string {
  return `${tokens.toLocaleString("en")} tokens`;
}
