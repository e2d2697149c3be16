import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";
import { formsOf, type SecretForm } from "./secret-forms";

const REDACTED = "[redacted]";
/** Slots of the table that says how far a pair of characters is from the end of a form's beginning. */
const PAIR_SLOTS = 1 << 15;
/** What an escape before a form may need. */
const CONTEXT_CHARS = 6;

/** Text in, text out; what may begin a secret is held back until `end`. */
export interface RedactedStream {
  push(piece: string): string;
  end(): string;
}

/** Replaces secrets by `[redacted]`. */
export interface SecretFinder {
  redact(text: string): string;
  /** The same for text that arrives in pieces. */
  stream(): RedactedStream;
}

/** One pass over the text, however many secrets there are; most characters are skipped. */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.text.length - a.text.length);
  if (forms.length === 0) return { redact: (text) => text, stream: () => UNCHANGED };
  const skips = skipTable(forms);
  const byBeginning = Map.groupBy(forms, ({ text }) => text.slice(0, MIN_SECRET_CHARS));
  const byPair = Map.groupBy(forms, ({ text }) => pairAt(text, 1));
  const firsts = new Set(forms.map(({ text }) => text.charCodeAt(0)));
  return {
    redact: (text) => redactWhole(text, skips, byBeginning),
    stream: () => streamStep(byPair, firsts),
  };
}

const UNCHANGED: RedactedStream = { push: (piece) => piece, end: () => "" };

/** The search of Wu and Manber: a pair that ends no beginning of a form lets the window move past it. */
function skipTable(forms: readonly SecretForm[]): Uint8Array {
  const skips = new Uint8Array(PAIR_SLOTS).fill(MIN_SECRET_CHARS - 1);
  for (const { text } of forms) {
    for (let last = 1; last < MIN_SECRET_CHARS; last += 1) {
      const slot = slotOf(text, last);
      skips[slot] = Math.min(skips[slot] ?? 0, MIN_SECRET_CHARS - 1 - last);
    }
  }
  return skips;
}

function slotOf(text: string, last: number): number {
  return ((text.charCodeAt(last - 1) << 7) ^ text.charCodeAt(last)) & (PAIR_SLOTS - 1);
}

function pairAt(text: string, last: number): number {
  return text.charCodeAt(last - 1) * 65_536 + text.charCodeAt(last);
}

function redactWhole(text: string, skips: Uint8Array, byBeginning: ReadonlyMap<string, readonly SecretForm[]>): string {
  const parts: string[] = [];
  let kept = 0;
  for (let last = MIN_SECRET_CHARS - 1; last < text.length; ) {
    const skip = skips[slotOf(text, last)] ?? 1;
    if (skip > 0) {
      last += skip;
      continue;
    }
    const start = last - MIN_SECRET_CHARS + 1;
    const candidates = byBeginning.get(text.slice(start, last + 1)) ?? [];
    const found = candidates.find((form) => text.startsWith(form.text, start) && isAlone(text, start, form));
    if (!found) {
      last += 1;
      continue;
    }
    parts.push(text.slice(kept, start), REDACTED);
    kept = start + found.text.length;
    last = kept + MIN_SECRET_CHARS - 1;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
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
function streamStep(byPair: ReadonlyMap<number, readonly SecretForm[]>, firsts: ReadonlySet<number>): RedactedStream {
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
  const lengthAt = (text: string, at: number, isEnd: boolean) => {
    if (text.length - at > 1) return lengthOf(byPair.get(pairAt(text, at + 1)) ?? [], text, at, isEnd);
    return !isEnd && firsts.has(text.charCodeAt(at)) ? UNDECIDED : 0;
  };
  return { push: (piece) => take(piece, false), end: () => take("", true) };
}

const UNDECIDED = -1;

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
