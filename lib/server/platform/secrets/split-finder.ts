import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";
import { FormIndex, replaceMatches } from "./form-index";
import {
  BASE64,
  CUT,
  FIRST_SYMBOL,
  HEX,
  isSeparator,
  MOST_BETWEEN,
  NOTHING,
  readSymbol,
  type SplitEncoding,
  symbolOf,
  widthOf,
} from "./split-encodings";

/** What more text decides. */
export const UNDECIDED = -1;

/** Finds encoded forms of secrets that line breaks or separators cut. */
export interface SplitFinder {
  readonly redact: (text: string, replacement: string) => string;
  /** The length of a form that begins at `at`, 0 for none; `isEnd`: no more text follows. */
  readonly lengthAt: (text: string, at: number, isEnd: boolean) => number;
}

/** `base64` and `hex` are the forms in these encodings, in any alphabet and case. */
export function createSplitFinder(base64: readonly string[], hex: readonly string[]): SplitFinder {
  const searches = [searchOf(BASE64, base64), searchOf(HEX, hex)];
  return {
    redact: (text, replacement) => searches.reduce((left, search) => redactIn(left, replacement, search), text),
    lengthAt(text, at, isEnd) {
      const lengths = searches.map((search) => lengthIn(text, at, isEnd, search));
      return lengths.find((length) => length > 0) ?? Math.min(...lengths);
    },
  };
}

/** A form as symbols with nothing between them. */
interface SplitForm {
  readonly text: string;
}

interface Search {
  readonly encoding: SplitEncoding;
  readonly index: FormIndex<SplitForm>;
  readonly byPair: ReadonlyMap<number, readonly SplitForm[]>;
  readonly firsts: ReadonlySet<number>;
  /** The length of the shortest form. */
  readonly shortest: number;
}

function searchOf(encoding: SplitEncoding, written: readonly string[]): Search {
  const texts = new Set(written.map((form) => symbolsOf(encoding, form)));
  const forms = [...texts]
    .filter(({ length }) => length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.length - a.length)
    .map((text) => ({ text }));
  return {
    encoding,
    index: new FormIndex(forms),
    byPair: Map.groupBy(forms, ({ text }) => pairOf(text.charCodeAt(0), text.charCodeAt(1))),
    firsts: new Set(forms.map(({ text }) => text.charCodeAt(0))),
    shortest: forms.at(-1)?.text.length ?? Number.POSITIVE_INFINITY,
  };
}

function symbolsOf({ kinds }: SplitEncoding, written: string): string {
  return Array.from(written, (symbol) => {
    const kind = kinds[symbol.charCodeAt(0)] ?? NOTHING;
    return kind < FIRST_SYMBOL ? symbol : String.fromCharCode(kind);
  }).join("");
}

const pairOf = (first: number, second: number) => first * 128 + second;

function redactIn(text: string, replacement: string, search: Search): string {
  const { encoding, shortest } = search;
  if (shortest === Number.POSITIVE_INFINITY) return text;
  const matches: { start: number; length: number }[] = [];
  for (let at = placeFrom(text, 0, search); at >= 0; ) {
    const part = partAround(text, at, encoding);
    if (part.symbols >= shortest && part.isSplit) {
      for (const match of matchesIn(text.slice(part.start, part.end), search)) {
        matches.push({ start: part.start + match.start, length: match.length });
      }
    }
    at = placeFrom(text, Math.max(at + 1, part.end), search);
  }
  return replaceMatches(text, matches, replacement);
}

/**
 * A place that every form from `from` on may have within it: the next sign of a line break, where only that splits an
 * encoding; else, because a form takes at least as many characters as it has symbols, so many further. -1: none.
 */
function placeFrom(text: string, from: number, { encoding, shortest }: Search): number {
  if (encoding.splitBy) {
    encoding.splitBy.lastIndex = from;
    return encoding.splitBy.exec(text)?.index ?? -1;
  }
  const at = from + shortest - 1;
  return at < text.length ? at : -1;
}

/** What of a text may be encoded. */
interface Part {
  readonly start: number;
  /** Behind its last character; the place that was asked for if nothing there may be encoded. */
  readonly end: number;
  /** Their number, at most. */
  readonly symbols: number;
  /** Whether it has more than symbols. */
  readonly isSplit: boolean;
}

function partAround(text: string, at: number, { kinds }: SplitEncoding): Part {
  const wordEnd = kinds === BASE64.kinds ? SPACE : NOTHING;
  const end = edgeFrom(text, at, { step: 1, kinds, wordEnd });
  if (end === at) return { start: at, end, symbols: 0, isSplit: false };
  const start = edgeFrom(text, at, { step: -1, kinds, wordEnd }) + 1;
  const firstSymbol = FIRST_SYMBOL;
  let symbols = 0;
  for (let place = start; place < end; place += 1) {
    const character = text.charCodeAt(place);
    if ((kinds[character] ?? 0) >= firstSymbol || character === ZERO) symbols += 1;
  }
  return { start, end, symbols, isSplit: symbols < end - start };
}

interface Way {
  readonly step: 1 | -1;
  readonly kinds: Uint8Array;
  /** Where it stands between words a part ends. */
  readonly wordEnd: number;
}

/** The first place in that direction that is no part of an encoded text; `text.length` or -1 if all is. */
function edgeFrom(text: string, from: number, { step, kinds, wordEnd }: Way): number {
  let at = from;
  for (; at >= 0 && at < text.length; at += step) {
    const character = text.charCodeAt(at);
    if (!kinds[character] || (character === wordEnd && isBetweenWords(text, at))) break;
  }
  return at;
}

const ZERO = "0".charCodeAt(0);
const SPACE = " ".charCodeAt(0);
const ENDS_LINE = /[\s>]$|\\[nrt]$|%(?:0[9ad]|20)$/i;

/** Whether the space at `at` stands alone, without a line break beside it. */
function isBetweenWords(text: string, at: number): boolean {
  if (text.charCodeAt(at + 1) <= SPACE) return false;
  return !ENDS_LINE.test(text.slice(Math.max(0, at - 3), at));
}

/** The forms in a text, whose symbols are looked at without what separates them. */
function matchesIn(text: string, { encoding, index }: Search): { start: number; length: number }[] {
  const symbols = Buffer.allocUnsafe(text.length);
  const places = new Uint32Array(text.length);
  let count = 0;
  let lastEnd = 0;
  for (let at = 0; at < text.length; ) {
    const reading = readSymbol(encoding, text, at);
    const end = at + (reading > 0 ? widthOf(reading) : 1);
    const isSymbol = reading > 0 && !isSeparator(reading);
    // What is no symbol, or is too far from the one before, goes in as something that no form has.
    if (isSymbol || reading <= 0 || end - lastEnd > MOST_BETWEEN) {
      symbols[count] = isSymbol ? symbolOf(reading) : NOTHING;
      places[count] = at;
      count += 1;
      lastEnd = end;
    }
    at = end;
  }
  return index.find(symbols.toString("latin1", 0, count)).map(({ start, length }) => {
    const from = places[start] ?? 0;
    const last = places[start + length - 1] ?? from;
    return { start: from, length: last + widthOf(readSymbol(encoding, text, last)) - from };
  });
}

function lengthIn(text: string, at: number, isEnd: boolean, search: Search): number {
  const length = lengthAt(text, at, search);
  return length === UNDECIDED && isEnd ? 0 : length;
}

function lengthAt(text: string, at: number, { encoding, firsts, byPair }: Search): number {
  const first = readSymbol(encoding, text, at);
  if (first === CUT) return MAY_BE_SYMBOL.has(text.charAt(at)) ? UNDECIDED : 0;
  if (first === 0 || !firsts.has(symbolOf(first))) return 0;
  const place = nextPlace(encoding, text, at + widthOf(first));
  if (place < 0) return place === CUT ? UNDECIDED : 0;
  const pair = pairOf(symbolOf(first), symbolOf(readSymbol(encoding, text, place)));
  const lengths = (byPair.get(pair) ?? []).map((form) => lengthOf(form, encoding, text, at));
  return lengths.find((length) => length !== 0) ?? 0;
}

/** With what follows, these are either a symbol or a separator. */
const MAY_BE_SYMBOL: ReadonlySet<string> = new Set(["0", "\\", "%"]);
const NOWHERE = -2;

/** Where the next symbol stands. */
function nextPlace(encoding: SplitEncoding, text: string, from: number): number {
  for (let at = from; at < text.length; ) {
    const reading = readSymbol(encoding, text, at);
    if (reading <= 0) return reading === CUT ? CUT : NOWHERE;
    if (!isSeparator(reading)) return at;
    at += widthOf(reading);
    if (at - from > MOST_BETWEEN) return NOWHERE;
  }
  return CUT;
}

function lengthOf({ text: symbols }: SplitForm, encoding: SplitEncoding, text: string, from: number): number {
  let end = from;
  for (let matched = 0; matched < symbols.length; matched += 1) {
    const place = nextPlace(encoding, text, end);
    if (place === CUT) return UNDECIDED;
    const reading = place === NOWHERE ? 0 : readSymbol(encoding, text, place);
    if (symbolOf(reading) !== symbols.charCodeAt(matched)) return 0;
    end = place + widthOf(reading);
  }
  return end - from;
}
