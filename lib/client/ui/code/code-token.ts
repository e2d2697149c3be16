/** Token styles; each is a colour of the theme. `plain` is that of the surrounding text. */
export type TokenLook = "key" | "string" | "number" | "comment" | "fn" | "added" | "removed" | "plain";

export interface CodeToken {
  readonly text: string;
  readonly look: TokenLook;
}

/** A line of code without its line break, and its tokens. */
export interface HighlightedLine {
  readonly text: string;
  readonly tokens: readonly CodeToken[];
}

/** The tokens between two offsets of their line. */
export function cutTokens(tokens: readonly CodeToken[], start: number, end: number): CodeToken[] {
  let offset = 0;
  return tokens.flatMap(({ text, look }) => {
    const inside = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += text.length;
    return inside === "" ? [] : [{ text: inside, look }];
  });
}

/** Yields the lines of a code in batches, including empty ones: the page can do something else between two of them. */
export type Highlighter = (code: string) => Generator<readonly HighlightedLine[], void>;

/** A longer line is data rather than code, and would be thousands of elements. */
const LONGEST_COLOURED = 2_000;

/** Collects the tokens of a line, joining neighbours with the same style. */
export class LineBuilder {
  #text = "";
  #tokens: { text: string; look: TokenLook }[] = [];

  add(text: string, look: TokenLook): void {
    const last = this.#tokens.at(-1);
    this.#text += text;
    if (last?.look === look) last.text += text;
    else this.#tokens.push({ text, look });
  }

  /** Returns the line so far and starts the next one. */
  end(): HighlightedLine {
    const text = this.#text;
    const tokens = text.length > LONGEST_COLOURED ? [{ text, look: "plain" as const }] : this.#tokens;
    this.#text = "";
    this.#tokens = [];
    return { text, tokens };
  }
}

/** Lines per batch: few enough to be drawn within a frame. */
export const BATCH_LINES = 100;
