import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";
import { type Match, replaceMatches } from "./form-index";
import {
  BASE64,
  CUT,
  FIRST_SYMBOL,
  HEX,
  isSeparator,
  MOST_BETWEEN,
  NOTHING,
  PLAIN,
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

interface SplitForms {
  /** In any of the alphabets. */
  readonly base64: readonly string[];
  /** In either case. */
  readonly hex: readonly string[];
  readonly plain: readonly string[];
}

export function createSplitFinder({ base64, hex, plain }: SplitForms): SplitFinder {
  const folded = searchOf(PLAIN, plain.filter(isPrintable));
  const searches = [searchOf(BASE64, base64), searchOf(HEX, hex), folded];
  return {
    redact(text, replacement) {
      const decoded = searches.slice(0, 2).reduce((left, search) => redactIn(left, replacement, search), text);
      return replaceMatches(decoded, foldedIn(decoded, folded), replacement);
    },
    lengthAt(text, at, isEnd) {
      const lengths = searches.map((search) => lengthIn(text, at, isEnd, search));
      return lengths.find((length) => length > 0) ?? Math.min(...lengths);
    },
  };
}

/** Others are no tokens that a program would fold. */
function isPrintable(secret: string): boolean {
  return /^[!-[\]-~]+$/.test(secret);
}

/** A form as symbols with nothing between them. */
interface SplitForm {
  readonly text: string;
}

interface Pieces {
  readonly table: Uint8Array;
  readonly texts: ReadonlySet<string>;
}

interface Search {
  readonly encoding: SplitEncoding;
  /** Not 0 where a form may begin so. */
  readonly beginnings: Uint8Array;
  /** Null if they are encoded. */
  readonly pieces: Pieces | null;
  readonly byPair: ReadonlyMap<number, readonly SplitForm[]>;
  readonly firsts: ReadonlySet<number>;
  readonly longest: number;
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
    beginnings: tableOf(texts),
    pieces: encoding === PLAIN ? piecesOf(forms) : null,
    byPair: Map.groupBy(forms, ({ text }) => pairOf(text.charCodeAt(0), text.charCodeAt(1))),
    firsts: new Set(forms.map(({ text }) => text.charCodeAt(0))),
    longest: forms[0]?.text.length ?? 0,
    shortest: forms.at(-1)?.text.length ?? Number.POSITIVE_INFINITY,
  };
}

function gramOf(text: string, from: number): number {
  let gram = 0;
  for (let at = from; at < from + GRAM; at += 1) gram = nextGram(gram, text.charCodeAt(at));
  return gram;
}

/** Not 0 for these beginnings. */
function tableOf(texts: Iterable<string>): Uint8Array {
  const table = new Uint8Array(GRAMS);
  for (const text of texts) table[gramOf(text, 0)] = 1;
  return table;
}

/** What the forms have within them. */
function piecesOf(forms: readonly SplitForm[]): Pieces {
  const texts = new Set(
    forms.flatMap(({ text }) => Array.from({ length: text.length - GRAM + 1 }, (_, at) => text.slice(at, at + GRAM))),
  );
  return { table: tableOf(texts), texts };
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
  const matches: Match[] = [];
  for (let at = placeFrom(text, 0, search); at >= 0; ) {
    const part = partAround(text, at, encoding);
    if (mayHoldForm(text, part, search)) {
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
}

function partAround(text: string, at: number, { kinds, splitBy }: SplitEncoding): Part {
  const wordEnd = splitBy ? SPACE : NOTHING;
  const end = edgeFrom(text, at, { step: 1, kinds, wordEnd });
  const start = end === at ? at : edgeFrom(text, at, { step: -1, kinds, wordEnd }) + 1;
  return { start, end };
}

/** Whether it has as many symbols as the shortest form, and something between them. */
function mayHoldForm(text: string, { start, end }: Part, { encoding: { kinds }, shortest }: Search): boolean {
  if (end - start <= shortest) return false;
  let symbols = 0;
  for (let place = start; place < end; place += 1) {
    const character = text.charCodeAt(place);
    if ((kinds[character] ?? 0) >= FIRST_SYMBOL || character === ZERO) symbols += 1;
    const isSplit = symbols < Math.max(place + 1 - start, end - place);
    if (symbols >= shortest && isSplit) return true;
  }
  return false;
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

/** So many symbols of a form's beginning are looked at together. */
const GRAM = 4;
const GRAM_BITS = 5;
const GRAMS = 1 << (GRAM * GRAM_BITS);
/** The symbols before, as far as they are still looked at, and one more. */
const nextGram = (gram: number, symbol: number) => ((gram << GRAM_BITS) ^ symbol) & (GRAMS - 1);

/** The forms in a text, whose symbols are looked at without what separates them. */
function matchesIn(text: string, search: Search): Match[] {
  const { encoding, beginnings } = search;
  const found: Match[] = [];
  // Where the last symbols begin, as many as there are in a gram.
  const places = new Int32Array(GRAM);
  let gram = 0;
  let known = 0;
  let lastEnd = 0;
  for (let at = 0; at < text.length; ) {
    const reading = readSymbol(encoding, text, at);
    const width = widthOf(reading);
    if (reading <= 0) known = 0;
    if (reading <= 0 || isSeparator(reading)) {
      at += Math.max(1, width);
      continue;
    }
    known = at - lastEnd > MOST_BETWEEN ? 1 : known + 1;
    gram = nextGram(gram, symbolOf(reading));
    places[known % GRAM] = at;
    at += width;
    lastEnd = at;
    if (known < GRAM || beginnings[gram] === 0) continue;
    const first = places[(known + 1) % GRAM] ?? 0;
    const length = lengthFrom(text, first, search);
    if (length > 0) {
      found.push({ start: first, length });
      at = first + length;
      lastEnd = at;
      known = 0;
    }
  }
  return found;
}

/** The length of the form that begins at `from`, where one may; 0 for none. */
function lengthFrom(text: string, from: number, { encoding, byPair }: Search): number {
  const first = readSymbol(encoding, text, from);
  const second = readSymbol(encoding, text, nextPlace(encoding, text, from + widthOf(first)));
  const forms = byPair.get(pairOf(symbolOf(first), symbolOf(second))) ?? [];
  for (const form of forms) {
    const length = lengthOf(form, encoding, text, from);
    if (length > 0) return length;
  }
  return 0;
}

/** More than a fold and an indentation in every twentieth character of a secret. */
const AROUND_FOLD = 64;

/**
 * Secrets that are folded over lines. Of one with lines of at least four characters, those directly before or behind
 * some line break are in the secret, which little else is; one with shorter lines has several of them in a row. Only
 * there more is looked at.
 */
function foldedIn(text: string, search: Search): Match[] {
  const found = new Map<number, Match>();
  if (search.longest === 0) return [];
  for (const sign of LINE_BREAKS) {
    for (const { start, end } of placesOfFolds(text, sign, search)) {
      for (const match of matchesIn(text.slice(start, end), search)) {
        found.set(start + match.start, { start: start + match.start, length: match.length });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

const LINE_BREAKS = ["\n", "\\n", "\\r"];
const BLANKS = " \t\r\n";

/** What is around the line breaks that may fold a secret; none overlaps another. */
function placesOfFolds(text: string, sign: string, search: Search): readonly Part[] {
  const reach = 2 * search.longest + AROUND_FOLD;
  const places: { start: number; end: number }[] = [];
  let isAfterShort = false;
  for (const at of breaksNearSymbols(text, sign)) {
    const isShort = isShortLine(text, at, search.encoding);
    const isBetweenShort = isShort && isAfterShort;
    isAfterShort = isShort;
    if (!isBetweenShort && !isFold(text, at, search)) continue;
    const last = places.at(-1);
    if (last && at - reach <= last.end) last.end = at + reach;
    else places.push({ start: Math.max(0, at - reach), end: at + reach });
  }
  return places;
}

/** Without those so deep among blanks and line breaks that no symbol before or behind belongs to them. */
function* breaksNearSymbols(text: string, sign: string): Generator<number> {
  let blanks: Part = { start: 0, end: 0 };
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    if (at >= blanks.end) blanks = blanksAround(text, at);
    if (at - blanks.start < MOST_BETWEEN || blanks.end - at <= MOST_BETWEEN) yield at;
  }
}

/** The blanks and line breaks around a place: before it as many as may stand between two symbols, behind it all. */
function blanksAround(text: string, at: number): Part {
  let start = at;
  while (start > 0 && at - start < MOST_BETWEEN && BLANKS.includes(text.charAt(start - 1))) start -= 1;
  let end = at;
  while (end < text.length && BLANKS.includes(text.charAt(end))) end += 1;
  return { start, end };
}

/**
 * Whether the line behind the break at `from` has fewer symbols than are looked at together. Of lines without any, no
 * more are passed over than may stand between two symbols.
 */
function isShortLine(text: string, from: number, encoding: SplitEncoding): boolean {
  let symbols = 0;
  for (let at = from; at < text.length && symbols < GRAM; ) {
    const reading = readSymbol(encoding, text, at);
    if (reading <= 0) return false;
    if (!isSeparator(reading)) symbols += 1;
    else if (symbols > 0) return true;
    at += widthOf(reading);
    if (symbols === 0 && at - from > MOST_BETWEEN) return false;
  }
  return symbols < GRAM;
}

function isFold(text: string, at: number, search: Search): boolean {
  if (isInside(text, lastPlace(text, at) - GRAM + 1, search)) return true;
  const next = nextPlace(search.encoding, text, at);
  return next >= 0 && isInside(text, next, search);
}

/** The last character before a line break. */
function lastPlace(text: string, at: number): number {
  let last = at - 1;
  while (last >= 0 && at - last < MOST_BETWEEN && text.charCodeAt(last) <= SPACE) last -= 1;
  return last;
}

/** Whether these characters follow each other in a form. */
function isInside(text: string, from: number, { pieces }: Search): boolean {
  if (pieces === null || from < 0 || pieces.table[gramOf(text, from)] === 0) return false;
  return pieces.texts.has(text.slice(from, from + GRAM));
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
