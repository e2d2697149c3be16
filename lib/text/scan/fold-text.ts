/** The forms of a message that the patterns examine. All are lower case and without invisible characters. */
export interface FoldedText {
  /** Compatibility forms (full width, styled letters) normalised; scripts and marks unchanged. */
  readonly native: string;
  /** Look-alikes from other scripts mapped to Latin, accents removed. */
  readonly latin: string;
  /**
   * `latin` with digits read as letters, `_` as a space, and spaced-out letters (`i g n o r e`) joined; white space is
   * collapsed.
   */
  readonly words: string;
}

const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|[\u115f\u1160\u3164\uffa0]|\u034f/gu;
const TAG_LETTERS = /[\u{e0020}-\u{e007e}]+/gu;
/** Capitals whose Latin look-alike differs from that of their lower-case form. */
const CAPITALS: Readonly<Record<string, string>> = { Ν: "n", Η: "h", Υ: "y", Ζ: "z" };
const BOXED_LETTER = /[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
/**
 * Two Arabic signs that normalise to up to eighteen characters: a message full of them would block the server for
 * everybody.
 */
const WHOLE_SENTENCES = /[\ufdfa\ufdfb]/g;
const MARK = /\p{M}/gu;
/**
 * More marks on one letter than any script has. Normalising brings a run of marks into an order, in time that grows with
 * the square of its length. The half-width signs become marks.
 */
const MORE_MARKS = /([\p{M}\uff9e\uff9f]{16})[\p{M}\uff9e\uff9f]+/gu;
const SPACED_LETTERS = /(?<![\p{L}\p{N}])(?:[a-z][ .*·|-]){2,200}[a-z](?![\p{L}\p{N}])/gu;

/** Letters of other scripts that look Latin; lower case, without marks. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "аαɑᴀ",
  b: "вβʙƅ",
  c: "сϲᴄ",
  d: "ԁɗᴅ",
  e: "еεᴇє",
  f: "ғꜰ",
  g: "ɡցɢ",
  h: "һнհʜ",
  i: "іιɩɪı",
  j: "јϳᴊյ",
  k: "кκᴋ",
  l: "ӏʟ",
  m: "мᴍ",
  n: "пηոɴ",
  o: "оοσօᴏ",
  p: "рρᴘ",
  q: "ԛգ",
  r: "гʀ",
  s: "ѕꜱ",
  t: "тτᴛ",
  u: "υսᴜ",
  v: "νѵᴠ",
  w: "ԝωᴡ",
  x: "хχ",
  y: "уүγʏ",
  z: "ᴢ",
};
const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  _: " ",
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/** Maps hidden and disguised letters to what a model reads. Linear in the length of the text. */
export function foldText(text: string): FoldedText {
  const plain = text
    .replace(TAG_LETTERS, (letters) => ` ${readTags(letters)} `)
    .replace(BOXED_LETTER, readBoxed)
    .replace(WHOLE_SENTENCES, " ")
    .replace(MORE_MARKS, "$1")
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replaceAll("’", "'");
  const latin = readAsLatin(plain);
  const words = latin
    .replace(/[013457@$_]/g, (sign) => LEET[sign] ?? sign)
    .replace(SPACED_LETTERS, joinLetters)
    .replace(/\s+/g, " ");
  return { native: plain.toLowerCase(), latin, words };
}

function readAsLatin(plain: string): string {
  if (isAscii(plain)) return plain.toLowerCase();
  return (
    plain
      .replace(/[ΝΗΥΖ]/g, (capital) => CAPITALS[capital] ?? capital)
      .toLowerCase()
      // Runs of marks may have grown where something invisible stood between them.
      .replace(MARK, "")
      .normalize("NFD")
      .replace(MARK, "")
      .replace(/[\u0250-\u{10ffff}]/gu, (letter) => LATIN.get(letter) ?? letter)
  );
}

/** Decodes Unicode tags: invisible copies of ASCII used to smuggle text past people. */
function readTags(letters: string): string {
  return [...letters].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0xe0000)).join("");
}

const BOXES = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];

function readBoxed(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const first = BOXES.findLast((start) => code >= start) ?? code;
  return String.fromCharCode(97 + code - first);
}

const joinLetters = (letters: string) => letters.replace(/[^a-z]/g, "");

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}
