import { Lexer, type MarkedOptions, type TokensList } from "marked";
import { hasCostlyBlocks, isCostlyInline } from "./markdown-cost";
import { ProseTokenizer } from "./prose-tokenizer";

/** Reference definitions: by `[name]: address`. */
export type Links = Readonly<Record<string, { readonly href: string | null; readonly title: string | null }>>;

export interface MarkdownOptions {
  /** What the page reads beyond CommonMark and GitHub's tables, task lists, strikethrough and bare links. */
  readonly extensions?: MarkedOptions["extensions"];
  /** A line end within a paragraph is a line break. */
  readonly breaks?: boolean;
  /** Definitions from an earlier part of the same text. */
  readonly links?: Links;
}

/** Work that can pause. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * The only parser of Markdown: of the page, of mails, and of Slack's and Telegram's messages. It takes time in
 * proportion to the text, whatever a model writes: null for a text whose blocks nest too deeply or would cost more,
 * which is then shown as written, and a paragraph that would cost more has no formatting.
 */
export function parseMarkdown(given: string, options: MarkdownOptions = {}): TokensList | null {
  return finish(parseInSteps(given, options));
}

/** The same, with a pause after the blocks and after each paragraph: for a page that must not keep a phone busy. */
export function* parseInSteps(given: string, options: MarkdownOptions = {}): Steps<TokensList | null> {
  const { extensions = null, breaks = false, links = {} } = options;
  const text = given.replaceAll(/\r\n?/gu, "\n");
  if (hasCostlyBlocks(text)) return null;
  try {
    const lexer = new Lexer({ gfm: true, breaks, extensions, tokenizer: new ProseTokenizer() });
    Object.assign(lexer.tokens.links, links);
    lexer.blockTokens(text, lexer.tokens);
    yield;
    for (let next = lexer.inlineQueue.shift(); next !== undefined; next = lexer.inlineQueue.shift()) {
      if (!isCostlyInline(next.src)) lexer.inlineTokens(next.src, next.tokens);
      else next.tokens.push({ type: "text", raw: next.src, text: next.src, escaped: false });
      yield;
    }
    return lexer.tokens;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
