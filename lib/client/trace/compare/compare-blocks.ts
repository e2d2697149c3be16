import type { ComparedRuns, ComparedStep, ComparedTexts } from "@/lib/schema/traces/compare-runs";
import { stepPlace } from "./compare-labels";

/** A part of the page, from the settings to how the runs ended. */
export type CompareBlock =
  | { readonly kind: "texts"; readonly key: "config" | "message" | "end"; readonly texts: ComparedTexts }
  | { readonly kind: "step"; readonly key: string; readonly step: ComparedStep }
  /** Steps that are the same, in a row. */
  | { readonly kind: "same"; readonly key: string; readonly steps: readonly ComparedStep[] };

/** The blocks in order; steps that are the same are one line for each row of them, unless `isWhole`. */
export function compareBlocks({ config, message, steps, end }: ComparedRuns, isWhole: boolean): CompareBlock[] {
  const texts = (key: "config" | "message" | "end", found: ComparedTexts | null): CompareBlock[] => {
    if (found === null || (found.a ?? found.b) === null || (found.same && !isWhole)) return [];
    return [{ kind: "texts", key, texts: found }];
  };
  return [
    ...texts("config", config),
    ...texts("message", message),
    ...(isWhole ? steps.map(stepBlock) : foldSame(steps)),
    ...texts("end", end),
  ];
}

function stepBlock(step: ComparedStep): CompareBlock {
  return { kind: "step", key: stepPlace(step.step), step };
}

function foldSame(steps: readonly ComparedStep[]): CompareBlock[] {
  const blocks: CompareBlock[] = [];
  for (const step of steps) {
    const last = blocks.at(-1);
    if (!step.same) blocks.push(stepBlock(step));
    else if (last?.kind === "same") blocks[blocks.length - 1] = { ...last, steps: [...last.steps, step] };
    else blocks.push({ kind: "same", key: `same-${step.step}`, steps: [step] });
  }
  return blocks;
}
