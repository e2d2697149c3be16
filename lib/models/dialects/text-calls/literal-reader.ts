/** Quotes of texts, the longest first: those of Gemma, of Python and of JSON. */
const QUOTES = ['<|"|>', "<escape>", '"""', "'''", '"', "'"] as const;
const LITERALS: Readonly<Record<string, unknown>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };
const DEEPEST = 20;

class NotLiteral extends Error {}

/**
 * Reads values and calls as models write them in code: Python's literals, JSON, and Gemma's objects, whose keys and
 * texts may stand without quotes. Only literals: a name or an expression is none.
 */
export class LiteralReader {
  #at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** What the function reads, if that is all of the text; otherwise undefined. */
  static whole<Value>(text: string, read: (reader: LiteralReader) => Value): Value | undefined {
    const reader = new LiteralReader(text);
    try {
      const value = read(reader);
      reader.#skipSpace();
      return reader.#at === text.length ? value : undefined;
    } catch (error) {
      if (error instanceof NotLiteral) return undefined;
      throw error;
    }
  }

  get isAtEnd(): boolean {
    this.#skipSpace();
    return this.#at >= this.text.length;
  }

  startsWith(mark: string): boolean {
    this.#skipSpace();
    return this.text.startsWith(mark, this.#at);
  }

  /** Whether the mark stands here; it is passed over. */
  takes(mark: string): boolean {
    if (!this.startsWith(mark)) return false;
    this.#at += mark.length;
    return true;
  }

  expect(mark: string): void {
    if (!this.takes(mark)) throw new NotLiteral();
  }

  /** A name, with dots and dashes. */
  name(): string {
    this.#skipSpace();
    const found = /[A-Za-z_][\w.-]{0,99}/y;
    found.lastIndex = this.#at;
    const name = found.exec(this.text)?.[0];
    if (name === undefined) throw new NotLiteral();
    this.#at += name.length;
    return name;
  }

  /** Entries between marks, each read by the function. */
  list<Entry>(opening: string, read: () => Entry): Entry[] {
    this.expect(opening);
    const closing = CLOSING[opening] ?? opening;
    const entries: Entry[] = [];
    while (!this.takes(closing)) {
      entries.push(read());
      if (this.takes(",")) continue;
      this.expect(closing);
      break;
    }
    return entries;
  }

  /** `bareUntil`: a text without quotes goes on to one of these characters. */
  value(bareUntil = "", depth = 0): unknown {
    if (depth > DEEPEST) throw new NotLiteral();
    this.#skipSpace();
    const character = this.text.charAt(this.#at);
    if (character === "[" || character === "(") return this.list(character, () => this.value(bareUntil, depth + 1));
    if (character === "{") return this.object(bareUntil, depth + 1);
    const quote = QUOTES.find((mark) => this.text.startsWith(mark, this.#at));
    if (quote !== undefined) return this.#quoted(quote);
    return this.#number() ?? this.#word(bareUntil);
  }

  object(bareUntil = "", depth = 0): Record<string, unknown> {
    return Object.fromEntries(
      this.list("{", () => {
        this.#skipSpace();
        const quote = QUOTES.find((mark) => this.text.startsWith(mark, this.#at));
        const key = quote === undefined ? this.name() : this.#quoted(quote);
        this.expect(":");
        return [key, this.value(bareUntil, depth)];
      }),
    );
  }

  #skipSpace(): void {
    while (/\s/.test(this.text.charAt(this.#at))) this.#at += 1;
  }

  #quoted(quote: string): string {
    let read = "";
    for (this.#at += quote.length; this.#at < this.text.length; ) {
      if (this.text.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        return read;
      }
      const isEscape = !quote.startsWith("<") && this.text.charAt(this.#at) === "\\";
      read += isEscape ? this.#escape() : this.text.charAt(this.#at);
      this.#at += 1;
    }
    throw new NotLiteral();
  }

  /** What stands behind the backslash; its last character is the place. */
  #escape(): string {
    this.#at += 1;
    const character = this.text.charAt(this.#at);
    const digits = character === "u" ? this.text.slice(this.#at + 1, this.#at + 5) : "";
    if (/^[\da-f]{4}$/i.test(digits)) {
      this.#at += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return ESCAPES[character] ?? (/[\\'"/]/.test(character) ? character : `\\${character}`);
  }

  #number(): number | undefined {
    const found = /-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?(?=[\s,\])}]|$)/iy;
    found.lastIndex = this.#at;
    const text = found.exec(this.text)?.[0];
    if (text === undefined) return undefined;
    this.#at += text.length;
    return Number(text);
  }

  #word(bareUntil: string): unknown {
    const known = Object.keys(LITERALS).find(
      (word) => this.text.startsWith(word, this.#at) && !/\w/.test(this.text.charAt(this.#at + word.length)),
    );
    if (known !== undefined) {
      this.#at += known.length;
      return LITERALS[known];
    }
    if (bareUntil === "") throw new NotLiteral();
    const from = this.#at;
    while (this.#at < this.text.length && !bareUntil.includes(this.text.charAt(this.#at))) this.#at += 1;
    return this.text.slice(from, this.#at).trim();
  }
}
