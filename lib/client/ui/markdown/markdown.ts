import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { finish, type Links, parseInSteps, type Steps } from "@/lib/text/markdown/parse-markdown";
import type { Footnotes, MarkdownToken, markdownExtensions } from "./markdown-extensions";

export interface MarkdownDocument {
  readonly tokens: readonly MarkdownToken[];
  /** The links and notes that are defined apart from their use: a block's meaning changes with them. */
  readonly definitions: string;
  /** Defined footnotes, in order of first reference. */
  readonly footnotes: readonly string[];
}

export { finish, type Links, type Steps };

export interface ParsedBlocks {
  readonly tokens: readonly MarkdownToken[];
  /** The links known before, plus those of this text. */
  readonly links: Links;
  readonly notes: Footnotes;
}

export interface BlockOptions {
  readonly isStreaming: boolean;
  readonly extensions: typeof markdownExtensions | undefined;
  /** Definitions from an earlier part of the same text. */
  readonly links?: Links;
}

/**
 * The blocks of a Markdown text, or of a part of one that begins at a block: CommonMark with tables, task lists,
 * strikethrough, bare links and what `extensions` add. Null if it nests too deeply.
 */
export function parseBlocks(text: string, options: BlockOptions): ParsedBlocks | null {
  return finish(parseBlocksInSteps(text, options));
}

export function* parseBlocksInSteps(
  text: string,
  { isStreaming, extensions, links = {} }: BlockOptions,
): Steps<ParsedBlocks | null> {
  const notes: Footnotes = { references: [], definitions: [] };
  const tokens = yield* parseInSteps(text, { extensions: extensions?.(isStreaming, notes) ?? null, links });
  return tokens && { tokens: tokens as MarkdownToken[], links: tokens.links as Links, notes };
}

/** A block's dependencies besides its own text. */
export function describeParts(links: Links, notes: Footnotes, extensions: typeof markdownExtensions | undefined) {
  return {
    definitions: `${extensions === undefined ? "" : "+"}${JSON.stringify(links)}`,
    footnotes: notes.references.filter((id) => notes.definitions.includes(id)),
  };
}

const PROTOCOLS = ["http:", "https:", "mailto:"];

/**
 * A link's target if it leads out to a page or a mailbox; null for scripts, local paths and anything that is not an
 * address.
 */
export function linkTarget(target: string): string | null {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  return PROTOCOLS.includes(url.protocol) ? url.href : null;
}

/** Purely presentational tags; any other one is text that somebody meant to be read. */
const LOOKS =
  /<\/?(?:a|abbr|b|big|center|cite|del|details|div|em|font|i|ins|kbd|mark|p|q|s|small|span|strike|strong|sub|summary|sup|u)(?:\s[^<>]*)?\/?>/giu;
const COMMENTS = /<!--[\s\S]*?(?:-->|$)/gu;

/** The readable part of HTML in Markdown, never as elements. Formatting tags and comments are removed. */
export function visibleHtml(html: string): string {
  return decodeReferences(html.replaceAll(COMMENTS, "").replaceAll(LOOKS, ""));
}

/** Each item with its index, which is its only identity. */
export function placed<Item>(items: readonly Item[]): { readonly place: number; readonly item: Item }[] {
  return items.map((item, place) => ({ place, item }));
}

type CloseMarks = (text: string) => string;

let closer: CloseMarks | null = null;
let loading: Promise<void> | null = null;

/** Loads the code that closes marks, with the first text that streams. Until it is there, texts are unchanged. */
export function loadMarkCloser(): Promise<void> {
  loading ??= import("remend").then(
    ({ default: remend }) => {
      closer = (text) => remend(text, { katex: false });
    },
    () => {
      loading = null;
    },
  );
  return loading;
}

/** A text still streaming, with its unfinished marks closed for display. */
export function closeMarks(text: string): string {
  return closer === null ? text : closer(text);
}

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/gu;
const HIGHEST = 0x10_ff_ff;

/** `&amp;`, `&#35;` and `&#x22;` as the characters they represent; a name unknown to HTML is left unchanged. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return decodeNamedCharacterReference(name) || whole;
    return character(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10));
  });
}

function character(point: number): string {
  const isLone = point >= 0xd8_00 && point <= 0xdf_ff;
  return point === 0 || point > HIGHEST || isLone ? "\ufffd" : String.fromCodePoint(point);
}
