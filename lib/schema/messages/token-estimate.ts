/** Up to here is Latin text, of which a token has several characters. */
const PLAIN_END = 0x0250;
const PUNCTUATION = 0x2000;
const PUNCTUATION_END = 0x2300;
/** Anything but that, and the dashes, quotation marks, arrows and signs that Latin text has. */
const DENSE = /[ɐ-῿⌀-￿]/;

/**
 * What one UTF-16 unit of a script costs, in tokens, below this code: rather too much than too little. An emoji is two
 * units.
 */
const SCRIPTS: readonly (readonly [before: number, tokens: number])[] = [
  // Phonetic signs and combining marks.
  [0x0370, 1],
  // Greek, Cyrillic, Armenian, Hebrew, Arabic.
  [0x0900, 0.5],
  // The scripts of India, Thai, Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer.
  [0x1e00, 1],
  // Vietnamese and ancient Greek letters.
  [0x2000, 0.5],
  // Symbols, Chinese, Japanese, Korean.
  [0xd800, 1],
  // Halves of emoji and of rare characters.
  [0xe000, 1.5],
  [0x1_0000, 1],
];

/**
 * The only rough token count of a text (D-7): its Latin characters divided by `charsPerToken`, and every other one by
 * its script, so that no language is cheap. Not rounded, so that pieces add up.
 */
export function exactTokens(text: string, charsPerToken = 4): number {
  if (!DENSE.test(text)) return text.length / charsPerToken;
  let plain = 0;
  let dense = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < PLAIN_END || (code >= PUNCTUATION && code < PUNCTUATION_END)) plain += 1;
    else dense += Math.max(tokensOfUnit(code), 1 / charsPerToken);
  }
  return plain / charsPerToken + dense;
}

function tokensOfUnit(code: number): number {
  return SCRIPTS.find(([before]) => code < before)?.[1] ?? 1;
}

/** How many characters a token of these texts has: `charsPerToken` for Latin ones, fewer for others. */
export function charsPerTokenOf(texts: readonly string[], charsPerToken: number): number {
  if (!texts.some((text) => DENSE.test(text))) return charsPerToken;
  const tokens = texts.reduce((sum, text) => sum + exactTokens(text, charsPerToken), 0);
  return texts.reduce((sum, text) => sum + text.length, 0) / tokens;
}

const USUAL_CHARS_PER_TOKEN = 4;

/** The length of Latin text that costs as much. */
export function latinLength(text: string): number {
  return exactTokens(text, USUAL_CHARS_PER_TOKEN) * USUAL_CHARS_PER_TOKEN;
}
