/**
 * The form in which texts are searched: without case, accents and width, the same for a text and for what is searched
 * in it. Every database and the browser use this one.
 *
 * Accents of Latin, Greek and Cyrillic letters go, as do the vowel points of Hebrew and Arabic, which are mostly not
 * written. Letters of Arabic that people write for one another are one (ى and ي, ة and ه), and the digits of all scripts
 * are those of ASCII, as in Lucene's ArabicNormalizer, PersianNormalizer and DecimalDigitFilter. What makes another
 * letter stays: й, ў and ї (but ё is е, as it is usually written), the voiced kana, hiragana beside katakana, and all
 * signs of Indic scripts and of Thai. Hangul stays whole syllables. Each character becomes a few at most, so the time is
 * linear.
 */
export function fold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : foldWithPlaces(text).folded;
}

export interface FoldedPlaces {
  readonly folded: string;
  /** For each character of `folded`, where the character that it is of starts. */
  readonly places: readonly number[];
  readonly length: number;
}

/** Up to `limit` places, from `start` to `end`, in the text as it is written; `wanted` is folded. */
export function findAllFolded(text: FoldedPlaces, wanted: string, limit = Number.POSITIVE_INFINITY) {
  const found: { readonly start: number; readonly end: number }[] = [];
  if (wanted === "") return found;
  for (let at = text.folded.indexOf(wanted); at !== -1 && found.length < limit; ) {
    found.push({ start: text.places[at] ?? text.length, end: endOf(text, at + wanted.length) });
    at = text.folded.indexOf(wanted, at + wanted.length);
  }
  return found;
}

/** The end of a character of the text, also where the match ends within what it became. */
function endOf({ places, length }: FoldedPlaces, after: number): number {
  let next = after;
  while (next < places.length && places[next] === places[after - 1]) next += 1;
  return places[next] ?? length;
}

export function foldWithPlaces(text: string): FoldedPlaces {
  const output: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    for (const piece of piecesOf(character)) {
      if (JOINS.has(piece.codePointAt(0) ?? 0)) joinTo(output, places, piece, place);
      else {
        output.push(piece);
        places.push(place);
      }
    }
    place += character.length;
  }
  const ofUnits = output.flatMap((piece, index) =>
    piece.length === 1 ? (places[index] ?? 0) : repeat(piece, places[index]),
  );
  return { folded: output.join(""), places: ofUnits, length: text.length };
}

function repeat(piece: string, place = 0): number[] {
  return Array.from({ length: piece.length }, () => place);
}

/** Makes a character and the one before it one, if they are; an accent that makes no letter goes. */
function joinTo(output: string[], places: number[], piece: string, place: number): void {
  const isMark = isAccent(piece);
  const joined = join(output.at(-1), piece, isMark);
  if (joined !== null) output[output.length - 1] = joined;
  if (joined !== null || isMark) return;
  output.push(piece);
  places.push(place);
}

/** Both as one character; null if they stay two. */
function join(before: string | undefined, piece: string, isMark: boolean): string | null {
  if (before === undefined || (isMark && !LETTER_MARKS.has(before + piece))) return null;
  const joined = (before + piece).normalize("NFC");
  return [...joined].length === 1 ? joined : null;
}

const ACCENTS = codesOf([0x300, 0x36f], [0x1ab0, 0x1aff], [0x1dc0, 0x1dff], [0x20d0, 0x20ff], [0xfe20, 0xfe2f]);
/** What joins the character before it: accents, the voicing marks of kana, the vowels and endings of Hangul. */
const JOINS: ReadonlySet<number> = new Set([...ACCENTS, ...codesOf([0x3099, 0x309a], [0x1160, 0x11ff])]);

function codesOf(...ranges: readonly (readonly [number, number])[]): ReadonlySet<number> {
  return new Set(ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index)));
}

const isAccent = (character: string) => ACCENTS.has(character.codePointAt(0) ?? 0);

/** With the mark, another letter of Cyrillic. */
const LETTER_MARKS: ReadonlySet<string> = new Set(["и\u0306", "у\u0306", "і\u0308"]);
/** Points of Hebrew and Arabic, tatweel, and characters that nobody sees. */
const IGNORED =
  /[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]/u;
/** Letters with a stroke and the like, which Unicode does not take apart, and those of Arabic that keyboards mix up. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ł: "l",
  ŧ: "t",
  "\u0671": "\u0627", // alef wasla: alef
  "\u0649": "\u064a", // alef maksura: yeh
  "\u06cc": "\u064a", // Farsi yeh: yeh
  "\u0629": "\u0647", // teh marbuta: heh
  "\u06c3": "\u0647", // teh marbuta goal: heh
  "\u06c1": "\u0647", // heh goal: heh
  "\u06be": "\u0647", // heh doachashmee: heh
  "\u06a9": "\u0643", // keheh: kaf
};
/** A sign of a whole sentence would become it. */
const MOST_PIECES = 6;

const known = new Map<number, readonly string[]>();
const MOST_KNOWN = 20_000;

function piecesOf(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  if (isWhole(code)) return [character];
  const stored = known.get(code);
  if (stored !== undefined) return stored;
  if (known.size >= MOST_KNOWN) known.clear();
  const pieces = takeApart(character);
  known.set(code, pieces);
  return pieces;
}

/** Syllables of Hangul, and Han characters other than those for compatibility. */
function isWhole(code: number): boolean {
  return (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
}

function takeApart(character: string): readonly string[] {
  const parts = [...character.normalize("NFKD")];
  if (parts.length > MOST_PIECES) return [character];
  return parts
    .filter((part) => !IGNORED.test(part))
    .flatMap((part) =>
      isAccent(part) ? [part] : [...part.toLowerCase().toUpperCase().toLowerCase().normalize("NFKD")],
    )
    .map((part) => (part === "ς" ? "σ" : (PLAIN[part] ?? asDigit(part))))
    .flatMap((part) => [...part]);
}

const DIGIT = /^\p{Nd}$/u;

/** A decimal digit of any script as that of ASCII: Unicode keeps the ten of a script together, from zero. */
function asDigit(character: string): string {
  if (!DIGIT.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}
