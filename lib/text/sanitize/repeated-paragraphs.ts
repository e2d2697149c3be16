import type { StreamStep } from "./stream-step";

const SEPARATOR = "\n\n";

/**
 * Drops a paragraph that equals the preceding one (trimmed). A paragraph is held back only while it matches the
 * preceding one. Code is unchanged, because repetition in code is intentional.
 */
export function repeatedParagraphsStep(): StreamStep {
  let previous = "";
  let isInCode = false;
  let paragraph = "";
  /** The paragraph and the separator before it, while undecided. */
  let held: string | null = "";
  /** How many of its characters are those of the preceding one. */
  let matched = 0;
  let newline = "";

  function add(text: string): string {
    paragraph += text;
    if (held === null) return text;
    held += text;
    return mayRepeat(matched === 0 ? text.trimStart() : text) ? "" : release();
  }
  /** Whether the paragraph may still repeat the preceding one with what comes next; only that is compared. */
  function mayRepeat(next: string): boolean {
    if (next === "") return true;
    if (isInCode || previous === "") return false;
    const known = next.slice(0, previous.length - matched);
    if (!previous.startsWith(known, matched)) return false;
    matched += known.length;
    return next.slice(known.length).trim() === "";
  }
  function release(): string {
    const text = held ?? "";
    held = null;
    return text;
  }
  function finish(): string {
    const trimmed = paragraph.trim();
    const isRepeated = held !== null && trimmed !== "" && trimmed === previous;
    const out = isRepeated ? "" : release();
    if (trimmed !== "") previous = trimmed;
    if ((paragraph.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1) isInCode = !isInCode;
    paragraph = "";
    matched = 0;
    return out;
  }
  function push(piece: string): string {
    let text = newline + piece;
    let out = "";
    for (let end = text.indexOf(SEPARATOR); end >= 0; end = text.indexOf(SEPARATOR)) {
      out += add(text.slice(0, end)) + finish();
      held = SEPARATOR;
      text = text.slice(end + SEPARATOR.length);
    }
    newline = text.endsWith("\n") ? "\n" : "";
    return out + add(text.slice(0, text.length - newline.length));
  }
  return {
    push,
    end() {
      const last = newline;
      newline = "";
      return add(last) + finish();
    },
  };
}
