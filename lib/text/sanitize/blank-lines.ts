import type { StreamStep } from "./stream-step";

/** Drops leading blank lines; keeps the indentation of the first real line. */
export function leadingBlankLinesStep(): StreamStep {
  let held: string | null = "";
  return {
    push(piece) {
      if (held === null) return piece;
      held += piece;
      const start = held.length - held.trimStart().length;
      if (start === held.length) return "";
      const text = held.slice(held.lastIndexOf("\n", start) + 1);
      held = null;
      return text;
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
