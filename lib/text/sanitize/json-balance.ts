/** Tracks the brackets of JSON that arrives in pieces. */
export interface JsonBalance {
  feed(text: string): void;
  /** True while a bracket is open. */
  readonly isOpen: boolean;
}

const CHANGES: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

export function jsonBalance(): JsonBalance {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  function feedString(character: string): void {
    isInString = isEscaped || character !== '"';
    isEscaped = character === "\\" && !isEscaped;
  }
  function feedOther(character: string): void {
    isInString = character === '"' && depth > 0;
    depth = Math.max(0, depth + (CHANGES[character] ?? 0));
  }
  return {
    feed(text) {
      for (const character of text) isInString ? feedString(character) : feedOther(character);
    },
    get isOpen() {
      return depth > 0;
    },
  };
}
