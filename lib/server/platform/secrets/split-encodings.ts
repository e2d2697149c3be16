/** What stands at a place of an encoded text and how many characters it takes; 0 if it does not belong there. */
type Reading = number;

/** How an encoding is read that may have line breaks and separators between its symbols. */
export interface SplitEncoding {
  /** By the code of an ASCII character: what it is, or a symbol's own code where it is nothing else. */
  readonly kinds: Uint8Array;
  /** What stands at a character of the kind `SPECIAL`; `CUT` where the text ends too early to tell. */
  readonly readSpecial: (text: string, at: number) => Reading;
  /** Some of it is in every text that is split. */
  readonly splitBy?: RegExp;
}

/** No part of any encoded text. */
export const NOTHING = 0;
const SEPARATOR = 1;
/** What follows says what it is. */
const SPECIAL = 2;
/** Symbols have codes from here on. */
export const FIRST_SYMBOL = 3;
/** A reading that has to wait for more text. */
export const CUT = -1;
/** A reading is a width and below it a symbol's code or `SEPARATOR`. */
const WIDTH = 128;
/** More characters than this between two symbols end an encoded text. */
export const MOST_BETWEEN = 64;

export const symbolOf = (reading: Reading) => reading & (WIDTH - 1);
export const widthOf = (reading: Reading) => reading >> 7;
export const isSeparator = (reading: Reading) => symbolOf(reading) === SEPARATOR;

const read = (symbol: number, width: number): Reading => width * WIDTH + symbol;

export function readSymbol({ kinds, readSpecial }: SplitEncoding, text: string, at: number): Reading {
  const kind = kinds[text.charCodeAt(at)] ?? NOTHING;
  if (kind === SPECIAL) return readSpecial(text, at);
  return kind === NOTHING ? 0 : read(kind, 1);
}

interface Characters {
  readonly symbols: string;
  /** Which symbol each of them is. */
  readonly as: string;
  readonly separators: string;
  readonly specials: string;
}

function kindsOf({ symbols, as, separators, specials }: Characters): Uint8Array {
  const kinds = new Uint8Array(128);
  for (const [index, symbol] of [...symbols].entries()) kinds[symbol.charCodeAt(0)] = as.charCodeAt(index);
  for (const separator of separators) kinds[separator.charCodeAt(0)] = SEPARATOR;
  for (const special of specials) kinds[special.charCodeAt(0)] = SPECIAL;
  return kinds;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SLASH = "/".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/**
 * Base64 of both alphabets in lines, as in a mail or a PEM file, also indented, quoted, or written in JSON or an
 * address. Blanks alone separate nothing, or words would be taken for one text.
 */
export const BASE64: SplitEncoding = {
  kinds: kindsOf({
    symbols: `${LETTERS}0123456789+/-_`,
    as: `${LETTERS}0123456789+/+/`,
    separators: "",
    specials: " \t\r\n>\\%=",
  }),
  readSpecial(text, at) {
    if (isBreak(text, at)) return readBreak(text, at, at + 1);
    const sign = text.charAt(at);
    if (sign === "%") return readWritten(text, at, at + 1);
    if (sign === "=") return readSoftBreak(text, at);
    if (sign === "\\") return readBackslash(text, at, BACKSLASH_IN_BASE64);
    return isBlank(text, at) ? readBlanks(text, at) : 0;
  },
  splitBy: /[\r\n\\%]/g,
};

const PRINTABLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join("");

/** Not encoded at all, but folded over lines. */
export const PLAIN: SplitEncoding = {
  kinds: kindsOf({
    symbols: PRINTABLE.replace("\\", ""),
    as: PRINTABLE.replace("\\", ""),
    separators: "",
    specials: " \t\r\n\\",
  }),
  readSpecial(text, at) {
    if (isBreak(text, at)) return readBreak(text, at, at + 1);
    return isBlank(text, at) ? readBlanks(text, at) : readBackslash(text, at, BACKSLASH_IN_BOTH);
  },
  splitBy: /[\r\n\\]/g,
};

/** In pairs or groups, with what people and programs put between or before them: `6b:39`, `0x6b, 0x39`, `\x6b`. */
export const HEX: SplitEncoding = {
  kinds: kindsOf({
    symbols: "123456789abcdefABCDEF",
    as: "123456789abcdefabcdef",
    separators: ` \t\r\n>:,;-._'"%|+&#`,
    specials: "\\=0xXu",
  }),
  readSpecial(text, at) {
    const sign = text.charAt(at);
    if (sign === "=") return readSoftBreak(text, at);
    if (sign === "0") return readZero(text, at);
    if (sign === "\\") return readBackslash(text, at, BACKSLASH_IN_HEX);
    return text.charAt(at - 1) === "#" ? read(SEPARATOR, 1) : 0;
  },
};

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE, GREATER] = [9, 10, 13, 32, 62];

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === SPACE || code === TAB;
}

function isBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

/** A line break up to `end`, and what indents or quotes the next line. */
function readBreak(text: string, at: number, end: number): Reading {
  let next = end;
  while (next - end < MOST_BETWEEN && (isBlank(text, next) || text.charCodeAt(next) === GREATER)) next += 1;
  return read(SEPARATOR, next - at);
}

/** Blanks at the end of a line. */
function readBlanks(text: string, at: number): Reading {
  let end = at;
  while (end - at < MOST_BETWEEN && isBlank(text, end)) end += 1;
  if (end === text.length) return CUT;
  return isBreak(text, end) ? read(SEPARATOR, end - at) : 0;
}

/** Two digits from `from` on for a line break, or for one of the symbols of base64 that an address writes so. */
function readWritten(text: string, at: number, from: number): Reading {
  const end = from + 2;
  if (text.length < end) return CUT;
  switch (text.slice(from, end).toLowerCase()) {
    case "0a":
    case "0d":
    case "09":
    case "20":
      return readBreak(text, at, end);
    case "2b":
      return read("+".charCodeAt(0), end - at);
    case "2f":
      return read(SLASH, end - at);
    default:
      return 0;
  }
}

/** The end of a line of quoted-printable that goes on in the next. */
function readSoftBreak(text: string, at: number): Reading {
  if (at + 1 === text.length) return CUT;
  return isBreak(text, at + 1) ? read(SEPARATOR, 1) : 0;
}

/** A digit, or the beginning of `0x`. */
function readZero(text: string, at: number): Reading {
  if (at + 1 === text.length) return CUT;
  return "xX".includes(text.charAt(at + 1)) ? read(SEPARATOR, 2) : read(ZERO, 1);
}

/** What backslashes make of the character at `end`. */
type BackslashSigns = Readonly<Record<string, (text: string, at: number, end: number) => Reading>>;

/** As many as JSON within JSON has. */
const MOST_BACKSLASHES = 8;

function readBackslash(text: string, at: number, signs: BackslashSigns): Reading {
  let end = at + 1;
  while (end - at < MOST_BACKSLASHES && text.charAt(end) === "\\") end += 1;
  if (end === text.length) return CUT;
  return signs[text.charAt(end)]?.(text, at, end) ?? 0;
}

const writtenBreak = (text: string, at: number, end: number) => readBreak(text, at, end + 1);
const BACKSLASH_IN_BOTH: BackslashSigns = {
  n: writtenBreak,
  r: writtenBreak,
  t: writtenBreak,
  // A line of a shell that goes on in the next.
  "\n": writtenBreak,
  "\r": writtenBreak,
};
const BACKSLASH_IN_BASE64: BackslashSigns = {
  ...BACKSLASH_IN_BOTH,
  "/": (_text, at, end) => read(SLASH, end + 1 - at),
  u: (text, at, end) => afterZeros(text, end, () => readWritten(text, at, end + 3)),
};
const BACKSLASH_IN_HEX: BackslashSigns = {
  ...BACKSLASH_IN_BOTH,
  x: (_text, at, end) => read(SEPARATOR, end + 1 - at),
  u: (text, at, end) => afterZeros(text, end, () => read(SEPARATOR, end + 3 - at)),
};

/** Of `\u002b` what follows the zeros. */
function afterZeros(text: string, end: number, then: () => Reading): Reading {
  if (text.length < end + 3) return CUT;
  return text.startsWith("00", end + 1) ? then() : 0;
}
