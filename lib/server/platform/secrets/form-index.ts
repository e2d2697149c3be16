import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";

/** Slots of the table that says how far a pair of characters is from the end of a form's beginning. */
const PAIR_SLOTS = 1 << 15;

interface Form {
  /** At least `MIN_SECRET_CHARS` long. */
  readonly text: string;
}

interface Match {
  readonly start: number;
  readonly length: number;
}

/**
 * Finds forms in a text by the search of Wu and Manber: a pair of characters that ends no beginning of a form lets the
 * window move past it, so most characters are never looked at.
 */
export class FormIndex<F extends Form> {
  readonly #skips = new Uint8Array(PAIR_SLOTS).fill(MIN_SECRET_CHARS - 1);
  readonly #byBeginning: ReadonlyMap<string, readonly F[]>;

  /** Of forms that begin alike the first one counts. */
  constructor(forms: readonly F[]) {
    this.#byBeginning = Map.groupBy(forms, ({ text }) => text.slice(0, MIN_SECRET_CHARS));
    for (const { text } of forms) {
      for (let last = 1; last < MIN_SECRET_CHARS; last += 1) {
        const slot = slotOf(text, last);
        this.#skips[slot] = Math.min(this.#skips[slot] ?? 0, MIN_SECRET_CHARS - 1 - last);
      }
    }
  }

  /** From left to right, none within another. */
  find(text: string, isCounted: (start: number, form: F) => boolean = () => true): Match[] {
    const found: Match[] = [];
    for (let last = MIN_SECRET_CHARS - 1; last < text.length; ) {
      const skip = this.#skips[slotOf(text, last)] ?? 1;
      const start = last - MIN_SECRET_CHARS + 1;
      const form = skip > 0 ? undefined : this.#formAt(text, start, isCounted);
      if (form) {
        found.push({ start, length: form.text.length });
        last = start + form.text.length + MIN_SECRET_CHARS - 1;
      } else last += Math.max(1, skip);
    }
    return found;
  }

  #formAt(text: string, start: number, isCounted: (start: number, form: F) => boolean): F | undefined {
    const candidates = this.#byBeginning.get(text.slice(start, start + MIN_SECRET_CHARS)) ?? [];
    return candidates.find((form) => text.startsWith(form.text, start) && isCounted(start, form));
  }
}

function slotOf(text: string, last: number): number {
  return ((text.charCodeAt(last - 1) << 7) ^ text.charCodeAt(last)) & (PAIR_SLOTS - 1);
}

/** The text with the matches replaced. */
export function replaceMatches(text: string, matches: readonly Match[], replacement: string): string {
  if (matches.length === 0) return text;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, length } of matches) {
    parts.push(text.slice(kept, start), replacement);
    kept = start + length;
  }
  return parts.join("") + text.slice(kept);
}
