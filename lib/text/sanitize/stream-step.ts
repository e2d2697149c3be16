/**
 * One step of the clean-up of text that arrives in pieces: text in, text out, and what is undecided is held back.
 * However the text is cut into pieces, everything that comes out is the same.
 */
export interface StreamStep {
  push(piece: string): string;
  /** The rest, once nothing more comes. */
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
