import type { Lexer, MarkedToken, Token, TokenizerThis } from "marked";

/** Syntax beyond CommonMark and GitHub's tables and tasks. */
export type ExtraToken =
  | { readonly type: "math"; readonly raw: string; readonly text: string; readonly isBlock: boolean; isOpen: boolean }
  | { readonly type: "footnote-reference"; readonly raw: string; readonly id: string }
  | { readonly type: "footnote"; readonly raw: string; readonly id: string; readonly tokens: Token[] }
  | {
      readonly type: "details";
      readonly raw: string;
      readonly summary: Token[];
      readonly isOpen: boolean;
      readonly tokens: Token[];
    };

export type MarkdownToken = MarkedToken | ExtraToken;

/** The tokenizers' findings besides the tokens, in text order. */
export interface Footnotes {
  readonly references: string[];
  readonly definitions: string[];
}

const LONGEST_FORMULA = 5000;
const LONGEST_INLINE_FORMULA = 1000;

/** For `Lexer`; `isStreaming` says that unclosed marks are still to be closed. */
export function markdownExtensions(isStreaming: boolean, footnotes: Footnotes) {
  return {
    renderers: {},
    childTokens: {},
    block: [
      (source: string) => mathBlock(source, isStreaming),
      function footnote(this: TokenizerThis, source: string) {
        return footnoteDefinition(this.lexer, source, footnotes);
      },
      function details(this: TokenizerThis, source: string) {
        return detailsBlock(this.lexer, source);
      },
    ],
    startBlock: [startOfBlock],
    inline: [
      (source: string, tokens: Token[]) => mathInline(source, tokens.at(-1)?.raw ?? ""),
      (source: string) => footnoteReference(source, footnotes),
    ],
    startInline: [(source: string) => source.indexOf("$")],
  };
}

const BLOCK_START = /\n {0,3}(?:\$\$|\\\[|\[\^[^\]\s]+\]:|<details[\s>])/u;

/** The start of a block that may end a paragraph; never beyond the next empty line. */
function startOfBlock(source: string): number {
  const end = source.indexOf("\n\n");
  return (end === -1 ? source : source.slice(0, end)).search(BLOCK_START);
}

function mathBlock(source: string, isStreaming: boolean): ExtraToken | undefined {
  const opening = /^ {0,3}(\$\$|\\\[)/u.exec(source);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const closing = opening[1] === "$$" ? "$$" : "\\]";
  const end = source.indexOf(closing, start);
  if (end === -1) {
    if (!isStreaming || source.length > LONGEST_FORMULA) return undefined;
    return { type: "math", raw: source, text: source.slice(start).trim(), isBlock: true, isOpen: true };
  }
  const text = source.slice(start, end).trim();
  const rest = /^[ \t]*(?=\n|$)/u.exec(source.slice(end + closing.length, end + closing.length + 80));
  if (rest === null || text === "" || text.length > LONGEST_FORMULA) return undefined;
  return { type: "math", raw: source.slice(0, end + closing.length), text, isBlock: true, isOpen: false };
}

/** `$…$`, `$$…$$`, `\(…\)` and `\[…\]` within a line of text. */
function mathInline(source: string, before: string): ExtraToken | undefined {
  if (source.startsWith("$")) return dollarMath(source, before);
  if (!/^\\[([]/u.test(source)) return undefined;
  const isBlock = source[1] === "[";
  const end = source.slice(0, LONGEST_INLINE_FORMULA).indexOf(isBlock ? "\\]" : "\\)", 2);
  if (end === -1) return undefined;
  const text = source.slice(2, end).trim();
  // Escaped brackets are also a way to write plain brackets.
  if (text === "" || (isBlock && !/[\\^_=+<>]/u.test(text))) return undefined;
  return { type: "math", raw: source.slice(0, end + 2), text, isBlock, isOpen: false };
}

/** A dollar sign in a price has a digit after the second one, a space before it, or words that no formula has. */
const PRICES = /^\d[\d.,]*\s+[a-z]{2,}(?:\s|$)/iu;

function dollarMath(source: string, before: string): ExtraToken | undefined {
  const display = /^\$\$((?:\\[\s\S]|[^$\\])+)\$\$/u.exec(source.slice(0, LONGEST_INLINE_FORMULA));
  if (display?.[1] !== undefined) {
    const text = display[1].trim();
    return text === "" ? undefined : { type: "math", raw: display[0], text, isBlock: true, isOpen: false };
  }
  if (/[\p{L}\p{N}$\\]$/u.test(before)) return undefined;
  const inline = /^\$((?:\\[\s\S]|[^$\\])+)\$(?![\d$])/u.exec(source.slice(0, LONGEST_INLINE_FORMULA));
  const text = inline?.[1];
  if (inline === null || text === undefined || text.trim() !== text) return undefined;
  if (PRICES.test(text) && !text.includes("\\")) return undefined;
  return { type: "math", raw: inline[0], text, isBlock: false, isOpen: false };
}

function footnoteReference(source: string, { references }: Footnotes): ExtraToken | undefined {
  const found = /^\[\^([^\]\s]{1,100})\]/u.exec(source);
  if (found?.[1] === undefined) return undefined;
  if (!references.includes(found[1])) references.push(found[1]);
  return { type: "footnote-reference", raw: found[0], id: found[1] };
}

const FOOTNOTE = /^\[\^([^\]\s]{1,100})\]:[ \t]*/u;

function footnoteDefinition(lexer: Lexer, source: string, { definitions }: Footnotes): ExtraToken | undefined {
  const found = FOOTNOTE.exec(source);
  if (found?.[1] === undefined) return undefined;
  if (!definitions.includes(found[1])) definitions.push(found[1]);
  const raw = source.slice(0, endOfFootnote(source));
  const text = raw.slice(found[0].length);
  const tokens = lexer.blockTokens(text.replaceAll(/^(?: {1,4}|\t)/gmu, ""), []);
  return { type: "footnote", raw, id: found[1], tokens };
}

/** A footnote goes on with the lines of its paragraph, and after them with indented ones. */
function endOfFootnote(source: string): number {
  const endOfLine = (start: number) => {
    const end = source.indexOf("\n", start);
    return end === -1 ? source.length : end;
  };
  let end = endOfLine(0);
  let isParagraph = true;
  for (let at = end; at < source.length; ) {
    const line = source.slice(at + 1, endOfLine(at + 1));
    at += 1 + line.length;
    const isBlank = line.trim() === "";
    isParagraph &&= !isBlank && !/^ {0,3}\[\^/u.test(line);
    if (!isBlank && !isParagraph && !/^(?: {2}|\t)/u.test(line)) break;
    if (!isBlank) end = at;
  }
  return end;
}

const DETAILS_MARK = /^ {0,3}(?:`{3,}|~{3,})|<(\/?)details(?:\s[^<>]*)?>/gmu;

function detailsBlock(lexer: Lexer, source: string): ExtraToken | undefined {
  const opening = /^ {0,3}<details(\s[^<>]*)?>/u.exec(source);
  if (opening === null) return undefined;
  const { innerEnd, end } = endOfDetails(source);
  const inner = source.slice(opening[0].length, innerEnd);
  const summary = /^\s*<summary(?:\s[^<>]*)?>([\s\S]*?)(?:<\/summary>|$)/u.exec(inner);
  const words: Token[] = [];
  if (summary?.[1] !== undefined) lexer.inline(summary[1].trim(), words);
  const body = inner.slice(summary?.[0].length ?? 0).replace(/^\s*\n/u, "");
  return {
    type: "details",
    raw: source.slice(0, end),
    summary: words,
    isOpen: /\sopen\b/u.test(opening[1] ?? ""),
    tokens: lexer.blockTokens(body, []),
  };
}

/** The matching end tag, skipping nested ones and code; without one, the end of the text, as in HTML. */
function endOfDetails(source: string): { readonly innerEnd: number; readonly end: number } {
  let depth = 0;
  let isCode = false;
  for (const mark of source.matchAll(DETAILS_MARK)) {
    if (!mark[0].startsWith("<")) isCode = !isCode;
    else if (!isCode) {
      depth += mark[1] === "/" ? -1 : 1;
      if (depth === 0) return { innerEnd: mark.index, end: mark.index + mark[0].length };
    }
  }
  return { innerEnd: source.length, end: source.length };
}
