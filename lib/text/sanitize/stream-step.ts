/**
 * One step that cleans streamed text: text in, text out, undecided text is held back. The output does not depend on how
 * the text is split.
 */
export interface StreamStep {
  push(piece: string): string;
  /** Returns the held-back rest at the end of the stream. */
  end(): string;
}

/** Chains the steps: each is fed by the preceding one. */
export function chainSteps(steps: readonly StreamStep[]): StreamStep {
  return {
    push: (piece) => steps.reduce((text, step) => (text === "" ? "" : step.push(text)), piece),
    end: () => steps.reduce((text, step) => (text === "" ? "" : step.push(text)) + step.end(), ""),
  };
}

/** Applies the step to a whole text. */
export function applyStep(step: StreamStep, text: string): string {
  return step.push(text) + step.end();
}
