import { formatCount } from "@/lib/client/ui/text/format";
import type { ComparedRuns, ComparedStep } from "@/lib/schema/traces/compare-runs";

/** = the same, ≠ matched but different, A and B: only in that run. */
export type Sign = "=" | "≠" | "A" | "B";

export function stepSign({ same, a, b }: Pick<ComparedStep, "same" | "a" | "b">): Sign {
  return signOf(a !== null, b !== null, same);
}

export function signOf(isInA: boolean, isInB: boolean, same: boolean): Sign {
  if (!isInB) return "A";
  if (!isInA) return "B";
  return same ? "=" : "≠";
}

/** What differs in a step, in a few words: "answer, arguments". */
export function stepText(step: ComparedStep): string {
  const sign = stepSign(step);
  if (sign === "=") return "same";
  if (sign !== "≠") return `only in ${sign}`;
  const words = [
    step.answer.same ? null : "answer",
    step.calls.some(({ a, b }) => a === null || b === null) ? "calls" : null,
    step.isReordered ? "order of calls" : null,
    step.calls.some(({ a, b, args }) => a !== null && b !== null && !args.same) ? "arguments" : null,
    step.calls.some(({ a, b, result }) => a !== null && b !== null && !result.same) ? "result" : null,
  ];
  return words.flatMap((word) => word ?? []).join(", ");
}

/** "−35 %" for what is less in the second; "" where there is nothing to compare. */
export function changeText(a: number | null, b: number | null): string {
  if (a === null || b === null || a === 0 || a === b) return "";
  const percent = Math.round(((b - a) / a) * 100);
  if (percent === 0) return "";
  return `${percent < 0 ? "−" : "+"}${formatCount(Math.abs(percent))} %`;
}

/** The places that differ, in the order of the page. */
export function differences({ config, message, steps, end }: ComparedRuns): string[] {
  return [
    ...(config === null || config.same ? [] : ["config"]),
    ...(message.same ? [] : ["message"]),
    ...steps.flatMap((step) => (step.same ? [] : [stepPlace(step.step)])),
    ...(end.same ? [] : ["end"]),
  ];
}

export function stepPlace(step: number): string {
  return `step-${step}`;
}
