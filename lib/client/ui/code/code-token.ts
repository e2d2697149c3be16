/** The looks that code has; each is a colour of the theme. `plain` is that of the text around. */
export type TokenLook = "key" | "string" | "number" | "comment" | "fn" | "added" | "removed" | "plain";

export interface CodeToken {
  readonly text: string;
  readonly look: TokenLook;
}

/** A line of code without its end, and the same in tokens. */
export interface HighlightedLine {
  readonly text: string;
  readonly tokens: readonly CodeToken[];
}

/** The tokens between two places of their line. */
export function cutTokens(tokens: readonly CodeToken[], start: number, end: number): CodeToken[] {
  let offset = 0;
  return tokens.flatMap(({ text, look }) => {
    const inside = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += text.length;
    return inside === "" ? [] : [{ text: inside, look }];
  });
}

/** Gives the lines of a code in batches, empty ones too: between two of them something else may be done. */
export type Highlighter = (code: string) => Generator<readonly HighlightedLine[], void>;

/** A longer line is data rather than code, and would be thousands of elements. */
const LONGEST_COLOURED = 2_000;

/** Collects the tokens of a line, joining neighbours of one look. */
export class LineBuilder {
  #text = "";
  #tokens: { text: string; look: TokenLook }[] = [];

  add(text: string, look: TokenLook): void {
    const last = this.#tokens.at(-1);
    this.#text += text;
    if (last?.look === look) last.text += text;
    else this.#tokens.push({ text, look });
  }

  /** The line so far; the next one begins. */
  end(): HighlightedLine {
    const text = this.#text;
    const tokens = text.length > LONGEST_COLOURED ? [{ text, look: "plain" as const }] : this.#tokens;
    this.#text = "";
    this.#tokens = [];
    return { text, tokens };
  }
}

/** How many lines make a batch: few enough to be drawn within a frame. */
export const BATCH_LINES = 100;
