/** Whether the index of Postgres can tell. */
export function hasGrams(text: string): boolean {
  return [...text].length > 2 || /^[\u{2e80}-\u{10ffff}]{2}$/u.test(text);
}

/** A group as FTS5 reads it. */
export const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`;

/** A word's trigrams. */
export function gramsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
}
