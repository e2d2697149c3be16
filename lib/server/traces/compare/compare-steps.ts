import type { ComparedCall, ComparedStep, ComparedTexts } from "@/lib/schema/traces/compare-runs";
import type { ReadCall, ReadPassage, ReadRun } from "@/lib/schema/traces/read-trace";
import { alignCalls, type CallPair, isReordered } from "./align-calls";

type StepHead = Extract<ReadPassage, { kind: "step" }>;

/** What a run did from one model call to the next. */
interface RunStep {
  readonly head: StepHead;
  readonly thought: string;
  readonly answer: string;
  readonly calls: readonly ReadCall[];
}

/** What was recorded of a step beside its text. */
export interface StepSummary {
  readonly tokens: number | null;
  readonly promptHash: string | null;
  readonly toolsHash: string | null;
}

/** A run as it is compared. */
export interface ComparedRun {
  readonly run: ReadRun;
  readonly factsOf: (step: number) => StepSummary;
}

/** The steps of two runs side by side, by their number. */
export function compareSteps(first: ComparedRun, second: ComparedRun): ComparedStep[] {
  const [stepsOfA, stepsOfB] = [stepsOf(first.run), stepsOf(second.run)];
  const numbers = [...new Set([...stepsOfA.keys(), ...stepsOfB.keys()])].toSorted((one, other) => one - other);
  return numbers.map((step) => {
    const a = withSummary(stepsOfA.get(step), first.factsOf(step));
    const b = withSummary(stepsOfB.get(step), second.factsOf(step));
    return { step, ...compareStep(a, b) };
  });
}

type KnownStep = RunStep & StepSummary;

function withSummary(step: RunStep | undefined, facts: StepSummary): KnownStep | null {
  return step === undefined ? null : { ...step, ...facts };
}

function compareStep(a: KnownStep | null, b: KnownStep | null): Omit<ComparedStep, "step"> {
  const [callsOfA, callsOfB] = [a?.calls ?? [], b?.calls ?? []];
  const pairs = alignCalls(callsOfA, callsOfB);
  const calls = pairs.map(compareCall);
  const answer = compareTexts(a?.answer ?? null, b?.answer ?? null);
  const reordered = isReordered(pairs, callsOfB);
  return {
    same: a !== null && b !== null && answer.same && !reordered && calls.every(({ same }) => same),
    a: a && sideOf(a),
    b: b && sideOf(b),
    answer,
    thought: compareTexts(a?.thought ?? null, b?.thought ?? null),
    calls,
    isReordered: reordered,
    ...compareRequests(a, b),
  };
}

function compareRequests(a: KnownStep | null, b: KnownStep | null): Pick<ComparedStep, "samePrompt" | "sameTools"> {
  if (a === null || b === null) return { samePrompt: null, sameTools: null };
  return { samePrompt: isSame(a.promptHash, b.promptHash), sameTools: isSame(a.toolsHash, b.toolsHash) };
}

function stepsOf({ passages }: ReadRun): ReadonlyMap<number, RunStep> {
  const steps = new Map<number, RunStep>();
  let step: RunStep | undefined;
  for (const passage of passages) {
    if (passage.kind === "step") step = { head: passage, thought: "", answer: "", calls: [] };
    else if (step !== undefined) step = withPassage(step, passage);
    if (step !== undefined) steps.set(step.head.step, step);
  }
  return steps;
}

function withPassage(step: RunStep, passage: ReadPassage): RunStep {
  if (passage.kind === "thought") return { ...step, thought: passage.text.text };
  if (passage.kind === "answer") return { ...step, answer: passage.text.text };
  return passage.kind === "call" ? { ...step, calls: [...step.calls, passage] } : step;
}

function sideOf({ head: { workedMs, costUsd }, tokens }: KnownStep) {
  return { workedMs, costUsd, tokens };
}

function isSame(one: string | null, other: string | null): boolean | null {
  return one === null || other === null ? null : one === other;
}

function compareCall({ a, b }: CallPair): ComparedCall {
  const args = compareTexts(a?.args.text ?? null, b?.args.text ?? null);
  const result = compareTexts(a?.result?.text ?? null, b?.result?.text ?? null);
  return {
    tool: (a ?? b)?.tool ?? "",
    same: a !== null && b !== null && args.same && result.same,
    a: a && callSide(a),
    b: b && callSide(b),
    args,
    result,
  };
}

function callSide({ toolCallId, spanId, gist, status, durationMs }: ReadCall) {
  return { toolCallId, spanId, gist, status, durationMs };
}

/** A longer text is cut around its first difference. */
const MAX_CHARS = 8_000;
const CONTEXT_CHARS = 400;
/** Of a text that both share, as much as a glance needs. */
const SAME_CHARS = 2_000;

/** Both texts, cut to what a reader of their difference needs. */
export function compareTexts(a: string | null, b: string | null): ComparedTexts {
  if (a === b) {
    const shown = a === null ? null : cut(a, 0, SAME_CHARS);
    return { same: true, a: shown, b: shown };
  }
  const from = a === null || b === null ? 0 : Math.max(0, firstDifference(a, b) - CONTEXT_CHARS);
  const show = (text: string | null) => (text === null ? null : cut(text, from, MAX_CHARS));
  return { same: false, a: show(a), b: show(b) };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function cut(text: string, from: number, most: number): string {
  if (text.length <= most) return text;
  const shown = text.slice(from, from + most).toWellFormed();
  return `${from > 0 ? "…" : ""}${shown}${from + most < text.length ? "…" : ""}`;
}
