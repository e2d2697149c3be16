/** What separates the parts of an address outside quotes and comments. */
const SPECIALS = new Set([..."<>[]:;@,."]);

type AddressToken = { readonly kind: "word" | "quoted" | "special" | "literal"; readonly text: string };

/**
 * The addresses in a header such as From, as RFC 5322 writes them: with names, comments, groups and quoted local parts.
 * Lower case, and quoted only where that is necessary. Null if the header says anything else, because programs would
 * then disagree about who is meant.
 */
export function addressesIn(header: string): readonly string[] | null {
  const tokens = tokensOf(header);
  return tokens === null ? null : new AddressReader(tokens).read();
}

/** Quoted texts without their quotes; comments and white space are left out. Null for anything that does not end. */
function tokensOf(header: string): AddressToken[] | null {
  const tokens: AddressToken[] = [];
  for (let at = 0; at < header.length; ) {
    const read = isSpace(header[at] ?? "") ? { token: null, end: at + 1 } : tokenAt(header, at);
    if (read === null) return null;
    if (read.token) tokens.push(read.token);
    at = read.end;
  }
  return tokens;
}

interface ReadToken {
  /** Null for a comment. */
  readonly token: AddressToken | null;
  readonly end: number;
}

function tokenAt(header: string, at: number): ReadToken | null {
  const char = header[at] ?? "";
  if (char === "(") return commentAt(header, at);
  if (char === '"') return enclosedAt(header, at, { close: '"', kind: "quoted" });
  if (char === "[") return enclosedAt(header, at, { close: "]", kind: "literal" });
  if (SPECIALS.has(char)) return { token: { kind: "special", text: char }, end: at + 1 };
  let end = at;
  while (end < header.length && isInWord(header[end] ?? "")) end += 1;
  // A control character or a lone closing mark is no word.
  return end === at ? null : { token: { kind: "word", text: header.slice(at, end) }, end };
}

function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\r" || char === "\n";
}

function commentAt(header: string, from: number): ReadToken | null {
  let depth = 0;
  for (let at = from; at < header.length; at += 1) {
    const char = header[at];
    if (char === "\\") at += 1;
    else if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth === 0) return { token: null, end: at + 1 };
  }
  return null;
}

function enclosedAt(
  header: string,
  from: number,
  { close, kind }: { readonly close: string; readonly kind: "quoted" | "literal" },
): ReadToken | null {
  let text = "";
  for (let at = from + 1; at < header.length; at += 1) {
    const char = header[at] ?? "";
    if (char === close) return { token: { kind, text }, end: at + 1 };
    if (char === "\\") at += 1;
    text += header[at] ?? "";
  }
  return null;
}

function isInWord(char: string): boolean {
  return char > " " && char !== "\u007F" && !SPECIALS.has(char) && !'()"\\'.includes(char);
}

class AddressReader {
  readonly #tokens: readonly AddressToken[];
  #at = 0;
  #isInGroup = false;

  constructor(tokens: readonly AddressToken[]) {
    this.#tokens = tokens;
  }

  read(): readonly string[] | null {
    const found: string[] = [];
    while (this.#at < this.#tokens.length) {
      if (this.#take(",") || this.#takeGroupMark()) continue;
      const start = this.#at;
      this.#phrase();
      const address = this.#take("<") ? this.#inAngles() : this.#plainFrom(start);
      if (address === null || !this.#isAtEndOfOne()) return null;
      found.push(address);
    }
    return this.#isInGroup ? null : found;
  }

  /** The name of a group with its colon, or the semicolon that ends it. */
  #takeGroupMark(): boolean {
    if (this.#isInGroup) {
      this.#isInGroup = !this.#take(";");
      return !this.#isInGroup;
    }
    const start = this.#at;
    this.#phrase();
    this.#isInGroup = this.#at > start && this.#take(":");
    if (!this.#isInGroup) this.#at = start;
    return this.#isInGroup;
  }

  #isAtEndOfOne(): boolean {
    const next = this.#tokens[this.#at];
    return (
      next === undefined || (next.kind === "special" && (next.text === "," || (this.#isInGroup && next.text === ";")))
    );
  }

  #take(special: string): boolean {
    const next = this.#tokens[this.#at];
    if (next?.kind !== "special" || next.text !== special) return false;
    this.#at += 1;
    return true;
  }

  /** A name; old programs write initials with dots. */
  #phrase(): void {
    for (let next = this.#tokens[this.#at]; next; next = this.#tokens[this.#at]) {
      if (next.kind !== "word" && next.kind !== "quoted" && next.text !== ".") return;
      this.#at += 1;
    }
  }

  #inAngles(): string | null {
    const address = this.#address();
    return address !== null && this.#take(">") ? address : null;
  }

  #plainFrom(start: number): string | null {
    this.#at = start;
    return this.#address();
  }

  #address(): string | null {
    const local = this.#dotted(true);
    if (local === null || !this.#take("@")) return null;
    const literal = this.#tokens[this.#at];
    if (literal?.kind === "literal") {
      this.#at += 1;
      return `${local}@[${literal.text}]`.toLowerCase();
    }
    const domain = this.#dotted(false);
    return domain === null ? null : `${local}@${domain}`.toLowerCase();
  }

  #dotted(mayBeQuoted: boolean): string | null {
    const words: string[] = [];
    let needsQuotes = false;
    do {
      const next = this.#tokens[this.#at];
      if (next?.kind !== "word" && !(mayBeQuoted && next?.kind === "quoted")) return null;
      needsQuotes ||= next.kind === "quoted" && !isDotAtom(next.text);
      words.push(next.text);
      this.#at += 1;
    } while (this.#take("."));
    const text = words.join(".");
    return needsQuotes ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : text;
  }
}

/** Whether it means the same without quotes. */
function isDotAtom(text: string): boolean {
  return text.split(".").every((part) => part !== "" && [...part].every(isInWord));
}
