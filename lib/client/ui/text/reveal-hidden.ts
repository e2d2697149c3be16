/**
 * Characters that are invisible but change what is read: controls, bidirectional overrides, zero-width and tag
 * characters. Excludes tabs and line endings, and what joins the parts of an emoji or of a word.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be seen
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** The same value with each such character spelled out, as `\u202e`, in all its strings. */
export function revealHidden<Value>(value: Value): Value {
  return reveal(value) as Value;
}

function reveal(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(HIDDEN, escaped);
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [reveal(name), reveal(inner)]));
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
