import type { StreamStep } from "./stream-step";
import { waitingBlanks } from "./waiting-blanks";

const TOKEN = "NO_REPLY";
const WORD = /[\p{L}\p{N}_]/u;
/** Only the basic plane, where one code unit is one character: other characters may be split between pieces. */
const LETTER = "(?![\\u{10000}-\\u{10ffff}])[\\p{L}\\p{N}_]";
const AT_START = new RegExp(`^\\s*${TOKEN}(?!${LETTER})\\s*`, "u");
const AT_END = new RegExp(`(?<!${LETTER})${TOKEN}(?=\\s*$)`, "u");

/** The text without the token at its start and end; null if neither has it. */
export function withoutToken(text: string): string | null {
  const rest = text.replace(AT_START, "").replace(AT_END, "");
  return rest.length === text.length ? null : rest;
}

/** True if the reply is silent: the token, and at most `maxOtherChars` besides it (D-40: 80). */
export function isSilentText(text: string, maxOtherChars: number): boolean {
  const rest = withoutToken(text);
  return rest !== null && rest.trim().length <= maxOtherChars;
}

/**
 * Removes the token from streamed text. A start that may be the token is held back until more than `maxOtherChars` have
 * arrived; a token at the end is removed, so a reply that only then turns out to be silent has already shown its text.
 */
export function silentReplyStep(maxOtherChars: number): StreamStep {
  let undecided: string | null = "";
  let tail = "";
  let last = "";
  const blanks = waitingBlanks();

  function pass(piece: string): string {
    if (tail.startsWith(TOKEN) && blanks.keeps(piece)) return "";
    const text = tail + blanks.take() + piece;
    const from = tokenStart(text, last);
    tail = text.slice(from);
    last = text.charAt(from - 1) || last;
    return text.slice(0, from);
  }
  return {
    push(piece) {
      if (undecided === null) return pass(piece);
      // They decide only whether what may be the token's beginning is one.
      if (!isBegun(undecided) && blanks.keeps(piece)) return "";
      undecided += blanks.take() + piece;
      const text = readStart(undecided, maxOtherChars);
      if (text === null) return "";
      undecided = null;
      return pass(text);
    },
    end() {
      const rest = blanks.take();
      if (undecided !== null) return withoutToken(undecided + rest) ?? undecided + rest;
      tail += rest;
      return tail.trimEnd() === TOKEN ? tail.slice(TOKEN.length) : tail;
    },
  };
}

/** Whether the text is a beginning of the token, and not all of it. */
function isBegun(text: string): boolean {
  const start = text.slice(-TOKEN.length).trimStart();
  return start !== "" && start !== TOKEN && TOKEN.startsWith(start) && text.trimStart() === start;
}

/** The text to emit once the start can no longer be a silent reply; null while it may be one. */
function readStart(text: string, maxOtherChars: number): string | null {
  const start = text.trimStart();
  if (TOKEN.startsWith(start)) return null;
  if (!AT_START.test(text)) return text;
  const rest = text.replace(AT_START, "");
  const known = rest.slice(0, tokenStart(rest, " ")).trim();
  return known.length > maxOtherChars ? rest : null;
}

/**
 * The start of a complete or partial token at the end of the text, including white space after a complete one;
 * otherwise the text's length.
 */
function tokenStart(text: string, before: string): number {
  const end = text.trimEnd().length;
  for (let length = end === text.length ? 1 : TOKEN.length; length <= TOKEN.length; length += 1) {
    const from = end - length;
    if (from < 0 || !text.startsWith(TOKEN.slice(0, length), from)) continue;
    const character = from === 0 ? before : text.charAt(from - 1);
    if (!WORD.test(character)) return from;
  }
  return text.length;
}
