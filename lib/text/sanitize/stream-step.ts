/**
 * One step of cleaning text that arrives in pieces: text in, text out, and what is undecided is held back. The output
 * is the same however the text is split.
 */
export interface StreamStep {
  push(piece: string): string;
  /** The rest, once nothing more arrives. */
  end(): string;
}

/** The steps as one, each fed by the one before it. */
export function chainSteps(steps: readonly StreamStep[]): StreamStep {
  return {
    push: (piece) => steps.reduce((text, step) => (text === "" ? "" : step.push(text)), piece),
    end: () => steps.reduce((text, step) => (text === "" ? "" : step.push(text)) + step.end(), ""),
  };
}

/** What the step makes of a whole text. */
export function applyStep(step: StreamStep, text: string): string {
  return step.push(text) + step.end();
}
