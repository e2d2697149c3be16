import type { StreamStep } from "./stream-step";

/** Drops blank lines at the beginning; the indentation of the first real line stays. */
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

/** Drops white space at the end of the text. */
export function trailingSpaceStep(): StreamStep {
  let held = "";
  return {
    push(piece) {
      const text = piece.trimEnd();
      if (text === "") {
        held += piece;
        return "";
      }
      const out = held + text;
      held = piece.slice(text.length);
      return out;
    },
    end: () => "",
  };
}
