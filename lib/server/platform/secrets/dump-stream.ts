import { isDumpLine } from "./dump-finder";
import type { RedactedStream } from "./redacted-stream";

/** So many lines more than a secret may fill are held back, so that the same lines are not read again for each. */
const MORE_LINES = 64;

/**
 * Redacts dumps in text that arrives in pieces: what a line of one means, only those around it say, so they are held
 * back until those are known. A secret fills at most `mostLines` lines.
 */
export class DumpStream implements RedactedStream {
  /** What begins at a line and is not given out: lines of one dump, and the last, which may go on. */
  #held = "";
  /** The lines of the same dump that were given out last. */
  #context: readonly string[] = [];
  /** In a line that is none of a dump, the beginning of which was given out. */
  #isInLine = false;

  readonly #redact: (text: string) => string;
  readonly #mostLines: number;

  constructor(redact: (text: string) => string, mostLines: number) {
    this.#redact = redact;
    this.#mostLines = mostLines;
  }

  push(piece: string): string {
    return this.#take(piece, false);
  }

  end(): string {
    return this.#take("", true);
  }

  #take(piece: string, isEnd: boolean): string {
    const text = this.#held + piece;
    let at = 0;
    if (this.#isInLine && text !== "") {
      at = lineEnd(text, 0);
      this.#isInLine = text.charAt(at - 1) !== "\n";
    }
    let out = text.slice(0, at);
    let kept = at;
    while (at < text.length) {
      const next = lineEnd(text, at);
      const isCut = text.charAt(next - 1) !== "\n";
      const end = isCut ? next : next - 1;
      if (isDumpLine(text, { from: at, end, isCut: isCut && !isEnd })) {
        at = next;
        continue;
      }
      out += this.#wholeDump(text.slice(kept, at)) + text.slice(at, next);
      kept = next;
      at = next;
      this.#isInLine = isCut;
    }
    this.#held = text.slice(kept);
    if (isEnd) {
      out += this.#wholeDump(this.#held);
      this.#held = "";
      return out;
    }
    return out + this.#earlyLines();
  }

  /** The rest of a dump that has ended. */
  #wholeDump(rest: string): string {
    const out = this.#redacted(rest.split("\n")).join("\n");
    this.#context = [];
    return out;
  }

  /** The lines of a long dump that no secret in later ones begins in. */
  #earlyLines(): string {
    const lines = this.#held.split("\n");
    const early = lines.length - 1 - this.#mostLines;
    if (early < this.#mostLines + MORE_LINES) return "";
    const shown = this.#redacted(lines).slice(0, early);
    this.#context = [...this.#context, ...lines.slice(0, early)].slice(-this.#mostLines);
    this.#held = lines.slice(early).join("\n");
    return shown.map((line) => `${line}\n`).join("");
  }

  #redacted(lines: readonly string[]): string[] {
    if (this.#context.length + lines.length === 1 && lines[0] === "") return [""];
    return this.#redact([...this.#context, ...lines].join("\n"))
      .split("\n")
      .slice(this.#context.length);
  }
}

/** Behind the line that begins at `from` and its line break. */
function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline < 0 ? text.length : newline + 1;
}
