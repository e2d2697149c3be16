import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import type { HighlightedLine, Highlighter } from "./code-token";
import type { Language } from "./languages";

/** The most that is coloured synchronously, before the block is first painted: a few milliseconds of work. */
const AT_ONCE_CHARACTERS = 3_000;
/** The longest time for which the page is blocked. */
const SLICE_MS = 6;
/** Between two passes over a growing text; at least as many times as long as the last pass took. */
const REST_MS = 120;
const REST_SHARE = 5;

const loaded = new Map<Language, Highlighter>();

async function load(language: Language): Promise<Highlighter> {
  const { loadHighlighter } = await loadWithRetry(() => import("./load-highlighter"));
  const highlight = await loadWithRetry(() => loadHighlighter(language));
  loaded.set(language, highlight);
  return highlight;
}

/** Waits between slices; replaced in tests. */
export type Pause = (delayMs: number) => Promise<void>;

const pause: Pause = (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs));

/**
 * The colours of one block of code, which may grow while it streams. Works in slices between which the page can do
 * something else, and publishes the lines that are ready; the rest are lines of an earlier text, so callers that draw a
 * line must compare its text.
 */
export class CodeColouring {
  #wanted = "";
  #done: string | null = null;
  #lines: readonly HighlightedLine[] = [];
  #isAtWork = false;
  #isStopped = false;
  readonly #language: Language;
  readonly #publish: (lines: readonly HighlightedLine[]) => void;
  readonly #wait: Pause;

  constructor(language: Language, publish: (lines: readonly HighlightedLine[]) => void, wait: Pause = pause) {
    this.#language = language;
    this.#publish = publish;
    this.#wait = wait;
  }

  /**
   * Sets the current code. Returns the lines of a short first one whose grammar is loaded; others are published later.
   */
  update(code: string): readonly HighlightedLine[] | null {
    this.#wanted = code;
    if (this.#isAtWork || code === this.#done) return null;
    const highlight = loaded.get(this.#language);
    if (highlight && this.#done === null && code.length <= AT_ONCE_CHARACTERS) {
      this.#done = code;
      this.#lines = [...highlight(code)].flat();
      return this.#lines;
    }
    void this.#work();
    return null;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** If a grammar does not load, or fails, the code stays uncoloured. */
  async #work(): Promise<void> {
    this.#isAtWork = true;
    try {
      const highlight = loaded.get(this.#language) ?? (await this.#whenLoaded());
      while (!this.#isStopped && this.#done !== this.#wanted) {
        const code = this.#wanted;
        const workedMs = await this.#pass(highlight(code));
        this.#done = code;
        await this.#wait(Math.max(REST_MS, REST_SHARE * workedMs));
      }
    } catch {
      this.#isStopped = true;
    }
    this.#isAtWork = false;
  }

  /**
   * Not while the page is being drawn, and in a turn of its own: all blocks of a page wait for the same grammar, and
   * coloured at once they would keep a phone busy.
   */
  async #whenLoaded(): Promise<Highlighter> {
    await this.#wait(0);
    const highlight = loaded.get(this.#language) ?? (await load(this.#language));
    await this.#wait(0);
    return highlight;
  }

  /** Resolves to how long it worked. */
  async #pass(batches: ReturnType<Highlighter>): Promise<number> {
    let workedMs = 0;
    let from = 0;
    let sliceAt = performance.now();
    for (const batch of batches) {
      this.#put(batch, from);
      from += batch.length;
      const sliceMs = performance.now() - sliceAt;
      if (sliceMs < SLICE_MS) continue;
      workedMs += sliceMs;
      await this.#wait(0);
      if (this.#isStopped) break;
      sliceAt = performance.now();
    }
    return workedMs + performance.now() - sliceAt;
  }

  /** Unchanged lines stay the same objects, so that renderers can tell. */
  #put(batch: readonly HighlightedLine[], from: number): void {
    const fresh = batch.map((line, at) => {
      const known = this.#lines[from + at];
      return known && isSame(known, line) ? known : line;
    });
    if (fresh.every((line, at) => line === this.#lines[from + at])) return;
    this.#lines = this.#lines.toSpliced(from, fresh.length, ...fresh);
    this.#publish(this.#lines);
  }
}

function isSame(known: HighlightedLine, line: HighlightedLine): boolean {
  return (
    known.text === line.text &&
    known.tokens.length === line.tokens.length &&
    known.tokens.every(({ text, look }, at) => text === line.tokens[at]?.text && look === line.tokens[at]?.look)
  );
}
