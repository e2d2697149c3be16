import { Tokenizer, type Tokens } from "marked";

/** Chinese, Japanese and Korean letters, which stand side by side without spaces. */
const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー々〆`;
const CJK_LETTER = new RegExp(`[${CJK}]`, "u");
/** What no address has as it is written: punctuation of CJK texts, quotation marks, brackets, dashes, bars, no width. */
const ENDS_ADDRESS =
  /[|\u00ab\u00bb\u200b\u2010-\u205e\u3000-\u3003\u3008-\u3020\u30fb\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3b\uff3d\uff5b-\uff65]/;
const PUNCTUATION = /[\p{P}\p{S}]/u;
/** Of the scripts alone: any letter may stand beside it without a space. */
const CJK_PUNCTUATION = /[\u3001-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;
const LETTER = /[\p{L}\p{N}]/u;
/** Stands for a letter between which and punctuation a mark may begin or end; as long in UTF-16. */
const STAND_IN = "、";

/** What marked reads in a paragraph, where its rules, made for English, would read people's texts wrong. */
export class ProseTokenizer extends Tokenizer {
  #masked = { source: "", spaced: "" };

  /** Only two tildes strike through: one is a range or "about", as in 5~7. */
  override del(source: string, masked: string, previous?: string): Tokens.Del | undefined {
    if (!source.startsWith("~~")) return undefined;
    const token = super.del(source, ...this.#spaced(source, masked, previous));
    return token?.raw.endsWith("~~") ? token : undefined;
  }

  /** `**“a”**的` is bold: between punctuation and a letter of these scripts a mark may begin and end. */
  override emStrong(source: string, masked: string, previous = ""): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(source, ...this.#spaced(source, masked, previous));
  }

  #spaced(source: string, masked: string, previous = ""): readonly [masked: string, previous: string] {
    if (this.#masked.source !== masked) this.#masked = { source: masked, spaced: spaceLetters(masked) };
    const { spaced } = this.#masked;
    const before = spaced.charAt(spaced.length - source.length - 1);
    return [spaced, before === STAND_IN ? before : previous];
  }

  /** A bare address ends where a reader would end it. */
  override url(source: string): Tokens.Link | undefined {
    const token = super.url(source);
    if (!token || token.href.startsWith("mailto:")) return token;
    const end = addressEnd(token.raw);
    return end < token.raw.length ? super.url(token.raw.slice(0, end)) : token;
  }
}

/** The text with a stand-in for each such letter that a run of marks divides from punctuation. */
function spaceLetters(text: string): string {
  if (!/[*_~]/.test(text) || !(CJK_LETTER.test(text) || CJK_PUNCTUATION.test(text))) return text;
  const characters = [...text];
  for (const mark of ["*", "_", "~"]) {
    for (let start = characters.indexOf(mark); start !== -1; ) {
      let end = start;
      while (characters[end] === mark) end += 1;
      spaceLetter(characters, start - 1, characters[end]);
      spaceLetter(characters, end, characters[start - 1]);
      start = characters.indexOf(mark, end);
    }
  }
  return characters.join("");
}

function spaceLetter(characters: string[], at: number, other: string | undefined): void {
  const letter = characters[at];
  if (letter === undefined || other === undefined) return;
  const isOfScripts = CJK_LETTER.test(letter) && PUNCTUATION.test(other) && !/[*_~]/.test(other);
  if (isOfScripts || (LETTER.test(letter) && CJK_PUNCTUATION.test(other))) {
    characters[at] = STAND_IN.repeat(letter.length);
  }
}

/** Where an address without spaces ends: at punctuation that no address has, at a bracket that it did not open. */
function addressEnd(address: string): number {
  const host = /^(?:[a-z]+:\/\/)?[a-z0-9.-]+/i.exec(address)?.[0].length ?? 0;
  const open: string[] = [];
  let previous = "";
  let at = 0;
  for (const character of address) {
    if (ENDS_ADDRESS.test(character)) return at;
    // In running text an address of plain letters ends before the next word, which no space divides from it.
    if (CJK_LETTER.test(character) && (at === host || /[a-z0-9]/i.test(previous))) return at;
    if (character in CLOSERS) open.push(CLOSERS[character] ?? "");
    else if ((character === "]" || character === "}" || character === ")") && open.pop() !== character) return at;
    previous = character;
    at += character.length;
  }
  return at;
}

const CLOSERS: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };
