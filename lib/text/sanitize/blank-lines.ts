import type { StreamStep } from "./stream-step";
import { waitingBlanks } from "./waiting-blanks";

/** Drops leading blank lines; keeps the indentation of the first real line. */
export function leadingBlankLinesStep(): StreamStep {
  let hasBegun = false;
  const blanks = waitingBlanks();
  return {
    push(piece) {
      if (hasBegun) return piece;
      if (blanks.keeps(piece)) return "";
      hasBegun = true;
      const held = blanks.take() + piece;
      const start = held.length - held.trimStart().length;
      return held.slice(held.lastIndexOf("\n", start) + 1);
    },
    end: () => "",
  };
}

/** The final trim of white space at both ends. */
export function trimStep(): StreamStep {
  let held = "";
  let hasBegun = false;
  return {
    push(piece) {
      const begun = hasBegun ? piece : piece.trimStart();
      const text = begun.trimEnd();
      if (text === "") {
        held += begun;
        return "";
      }
      const out = held + text;
      held = begun.slice(text.length);
      hasBegun = true;
      return out;
    },
    end: () => "",
  };
}
