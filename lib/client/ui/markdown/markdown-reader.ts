import {
  closeMarks,
  describeParts,
  finish,
  type Links,
  type MarkdownDocument,
  parseBlocks,
  parseBlocksInSteps,
  type Steps,
} from "./markdown";
import type { Footnotes, MarkdownToken, markdownExtensions } from "./markdown-extensions";

type Extensions = typeof markdownExtensions | undefined;
type Tokens = readonly MarkdownToken[];

/** A document whose blocks come in pieces: an unchanged piece is the same list as before. */
export interface MarkdownPieces extends MarkdownDocument {
  readonly pieces: readonly Tokens[];
}

/** Roughly the most of a growing text that is parsed again each time. */
const OPEN_CHARACTERS = 3_000;
/** Blocks of one piece. */
const PIECE_BLOCKS = 40;

interface Settled {
  readonly text: string;
  readonly pieces: readonly Tokens[];
  readonly links: Links;
  readonly notes: Footnotes;
  readonly extensions: Extensions;
}

const NOTHING: Omit<Settled, "extensions"> = {
  text: "",
  pieces: [],
  links: {},
  notes: { references: [], definitions: [] },
};

/**
 * Reads one Markdown text that may grow while it streams. What precedes its last blocks can no longer change, so only
 * its end is parsed again. The result equals that of a new reader for the whole text.
 */
export class MarkdownReader {
  #settled: Settled = { ...NOTHING, extensions: undefined };

  /** Null if it nests too deeply. */
  read(text: string, isStreaming: boolean, extensions: Extensions): MarkdownPieces | null {
    const settled = this.#settled;
    // Another system's line endings may be cut in two.
    const isKnown = settled.extensions === extensions && text.startsWith(settled.text) && !text.includes("\r");
    if (!isKnown) this.#settled = { ...NOTHING, extensions };
    return finish(this.#readEnd(text, isStreaming));
  }

  /** Reads a text that is whole, with pauses. */
  readInSteps(text: string): Steps<MarkdownPieces | null> {
    this.#settled = { ...NOTHING, extensions: undefined };
    return this.#readEnd(text, false);
  }

  *#readEnd(text: string, isStreaming: boolean): Steps<MarkdownPieces | null> {
    const { extensions, ...settled } = this.#settled;
    const end = text.slice(settled.text.length);
    const options = { isStreaming, extensions, links: settled.links };
    const parsed = yield* parseBlocksInSteps(isStreaming ? closeMarks(end) : end, options);
    if (parsed === null) return null;
    if (settled.pieces.length > 0 && countOf(parsed.links) > countOf(settled.links)) {
      // A definition at the end gives a meaning to references before it.
      this.#settled = { ...NOTHING, extensions, links: parsed.links };
      return yield* this.#readEnd(text, isStreaming);
    }
    const notes = joinNotes(settled.notes, parsed.notes);
    const pieces = [...settled.pieces, ...piecesOf(parsed.tokens)];
    if (isStreaming) this.#settle(end, parsed.tokens, parsed.links);
    return {
      pieces,
      get tokens() {
        return pieces.flat();
      },
      ...describeParts(parsed.links, notes, extensions),
    };
  }

  /** From now on the first blocks of this end are not parsed again. */
  #settle(end: string, tokens: Tokens, links: Links): void {
    if (end.length < OPEN_CHARACTERS) return;
    const closed = closedBlocks(tokens);
    const written = tokens
      .slice(0, closed)
      .map(({ raw }) => raw)
      .join("");
    if (closed === 0 || !end.startsWith(written)) return;
    const settled = this.#settled;
    const parsed = parseBlocks(written, { isStreaming: false, extensions: settled.extensions, links });
    if (parsed === null || parsed.tokens.length !== closed) return;
    this.#settled = {
      text: settled.text + written,
      pieces: [...settled.pieces, ...piecesOf(parsed.tokens)],
      links,
      notes: joinNotes(settled.notes, parsed.notes),
      extensions: settled.extensions,
    };
  }
}

/** What follows may still belong to one of the last two blocks. */
function closedBlocks(tokens: Tokens): number {
  let open = 0;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    if (tokens[index]?.type !== "space") open += 1;
    if (open === 2) return index;
  }
  return 0;
}

function countOf(links: Links): number {
  return Object.keys(links).length;
}

function piecesOf(tokens: Tokens): Tokens[] {
  const pieces: Tokens[] = [];
  for (let start = 0; start < tokens.length; start += PIECE_BLOCKS)
    pieces.push(tokens.slice(start, start + PIECE_BLOCKS));
  return pieces;
}

function joinNotes(before: Footnotes, after: Footnotes): Footnotes {
  return {
    references: [...new Set([...before.references, ...after.references])],
    definitions: [...new Set([...before.definitions, ...after.definitions])],
  };
}
