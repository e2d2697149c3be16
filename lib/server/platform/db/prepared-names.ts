import { createHash } from "node:crypto";

/** A statement is prepared once it has been sent so often: planning a rare one costs less than remembering it. */
const OFTEN = 5;
/** Each connection remembers as many. */
const MOST_PREPARED = 200;
const MOST_COUNTED = 2_000;

/**
 * The names under which Postgres remembers statements that are sent again and again: planning one of them takes as long
 * as executing it. Behind a pooler that hands each transaction to another connection, the names are not known there;
 * then nothing is named any more.
 */
export class PreparedNames {
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  #isOff = false;

  /** Undefined for a statement that is not prepared. */
  nameOf(text: string): string | undefined {
    if (this.#isOff) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count < OFTEN || this.#names.size >= MOST_PREPARED) {
      if (this.#counts.size >= MOST_COUNTED) this.#counts.clear();
      this.#counts.set(text, count);
      return undefined;
    }
    this.#counts.delete(text);
    const name = `rm_${createHash("sha256").update(text).digest("base64url").slice(0, 20)}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Whether a statement failed because its name is not known on its connection, belongs to another statement there, or
   * is of a table that has changed since. From then on nothing is named, so that it can be sent again: nothing of it was
   * executed.
   */
  isRefused(error: unknown): boolean {
    if (!(error instanceof Error) || !("code" in error) || !REFUSALS.has(String(error.code))) return false;
    if (error.code === CHANGED && !error.message.includes("cached plan")) return false;
    this.#isOff = true;
    return true;
  }
}

const UNKNOWN_NAME = "26000";
const NAME_IN_USE = "42P05";
/** Of all that Postgres does not support. */
const CHANGED = "0A000";
const REFUSALS = new Set([UNKNOWN_NAME, NAME_IN_USE, CHANGED]);
