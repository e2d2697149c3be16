import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";
import { createDumpFinder } from "./dump-finder";
import { DumpStream } from "./dump-stream";
import { FormIndex, replaceMatches } from "./form-index";
import { inTurn, type RedactedStream } from "./redacted-stream";
import { base64Forms, formsOf, hexForms, isToken, type SecretForm } from "./secret-forms";
import { createSplitFinder, type SplitFinder, UNDECIDED } from "./split-finder";

const REDACTED = "[redacted]";
/** What an escape before a form may need. */
const CONTEXT_CHARS = 6;

/** Replaces secrets by `[redacted]`. */
export interface SecretFinder {
  redact(text: string): string;
  /** The same for text that arrives in pieces. */
  stream(): RedactedStream;
}

/**
 * One pass over the text for what is written in one piece, and one for each encoding that may have line breaks or
 * separators between its symbols, however many secrets there are; most characters are skipped.
 */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return { redact: (text) => text, stream: () => UNCHANGED };
  const index = new FormIndex(forms);
  const byPair = Map.groupBy(forms, ({ text }) => pairAt(text, 1));
  const firsts = new Set(forms.map(({ text }) => text.charCodeAt(0)));
  const long = secrets.filter(({ length }) => length >= MIN_SECRET_CHARS);
  const split = createSplitFinder({
    base64: long.flatMap(base64Forms),
    hex: long.flatMap(hexForms),
    plain: long.filter(isToken),
  });
  const redactDumps = createDumpFinder(long);
  // At least a byte a line.
  const mostLines = Math.max(0, ...long.map((secret) => Buffer.byteLength(secret)));
  return {
    redact(text) {
      const shown = redactDumps(text, REDACTED);
      const found = index.find(shown, (start, form) => isAlone(shown, start, form));
      return split.redact(replaceMatches(shown, found, REDACTED), REDACTED);
    },
    stream: () =>
      inTurn(new DumpStream((lines) => redactDumps(lines, REDACTED), mostLines), streamStep(byPair, firsts, split)),
  };
}

const UNCHANGED: RedactedStream = { push: (piece) => piece, end: () => "" };

function pairAt(text: string, last: number): number {
  return text.charCodeAt(last - 1) * 65_536 + text.charCodeAt(last);
}

function isAlone(text: string, start: number, { text: form, standsAlone }: SecretForm): boolean {
  if (!standsAlone) return true;
  return !isWordAt(text, start + form.length) && (!isWordAt(text, start - 1) || endsEscape(text, start));
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\d]/u.test(text.charAt(at));
}

/** Whether the characters before `at` are an escape of JSON or of an address. */
function endsEscape(text: string, at: number): boolean {
  return /(?:\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2})$/.test(text.slice(Math.max(0, at - CONTEXT_CHARS), at));
}

/** Holds back what may be the beginning of a secret. */
function streamStep(
  byPair: ReadonlyMap<number, readonly SecretForm[]>,
  firsts: ReadonlySet<number>,
  split: SplitFinder,
): RedactedStream {
  let context = "";
  let held = "";
  const take = (piece: string, isEnd: boolean) => {
    const text = context + held + piece;
    let out = "";
    let at = context.length;
    let kept = at;
    while (at < text.length) {
      const step = lengthAt(text, at, isEnd);
      if (step === UNDECIDED) break;
      if (step > 0) {
        out += text.slice(kept, at) + REDACTED;
        kept = at + step;
      }
      at += Math.max(1, step);
    }
    out += text.slice(kept, at);
    context = text.slice(Math.max(0, at - CONTEXT_CHARS), at);
    held = text.slice(at);
    return out;
  };
  const wholeLengthAt = (text: string, at: number, isEnd: boolean) => {
    if (text.length - at > 1) return lengthOf(byPair.get(pairAt(text, at + 1)) ?? [], text, at, isEnd);
    return !isEnd && firsts.has(text.charCodeAt(at)) ? UNDECIDED : 0;
  };
  const lengthAt = (text: string, at: number, isEnd: boolean) =>
    wholeLengthAt(text, at, isEnd) || split.lengthAt(text, at, isEnd);
  return { push: (piece) => take(piece, false), end: () => take("", true) };
}

/** The length of the secret that begins here, 0 for none. */
function lengthOf(forms: readonly SecretForm[], text: string, at: number, isEnd: boolean): number {
  const rest = text.length - at;
  for (const form of forms) {
    const { length } = form.text;
    // What follows decides whether it stands alone.
    if (!isEnd && (rest < length || (rest === length && form.standsAlone))) {
      if (form.text.startsWith(text.slice(at))) return UNDECIDED;
    } else if (text.startsWith(form.text, at) && isAlone(text, at, form)) return length;
  }
  return 0;
}
