import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";

/** Slots of the table that says how far a block of characters is from the end of a form's beginning. */
const SLOTS = 1 << 18;
/** How many characters are looked at together: of two, nearly every pair is in some form of some secret. */
const BLOCK = 4;

interface Form {
  /** At least `MIN_SECRET_CHARS` long. */
  readonly text: string;
}

export interface Match {
  readonly start: number;
  readonly length: number;
}

/**
 * Finds forms in a text by the search of Wu and Manber: a block of characters that is in no beginning of a form lets the
 * window move past it, so most characters are never looked at.
 */
export class FormIndex<F extends Form> {
  readonly #skips = new Uint8Array(SLOTS).fill(MIN_SECRET_CHARS - BLOCK + 1);
  readonly #byBeginning: ReadonlyMap<string, readonly F[]>;

  /** Of forms that begin alike the first one counts. */
  constructor(forms: readonly F[]) {
    this.#byBeginning = Map.groupBy(forms, ({ text }) => text.slice(0, MIN_SECRET_CHARS));
    for (const { text } of forms) {
      for (let last = BLOCK - 1; last < MIN_SECRET_CHARS; last += 1) {
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
  const first = (text.charCodeAt(last - 3) << 11) ^ (text.charCodeAt(last - 2) << 7);
  return (first ^ (text.charCodeAt(last - 1) << 4) ^ text.charCodeAt(last)) & (SLOTS - 1);
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
