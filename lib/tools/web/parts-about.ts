/** Pages up to this length are returned in full. */
const WHOLE_CHARS = 20_000;
const GAP = "[…]";

/**
 * The beginning of a long text and the paragraphs that share the most words with the question, in their original order.
 */
export function partsAbout(text: string, question: string): string {
  if (text.length <= WHOLE_CHARS) return text;
  const words = new Set(wordsOf(question));
  const paragraphs = text.split(/\n{2,}/);
  const scored = paragraphs.map((paragraph, index) => {
    const found = new Set(wordsOf(paragraph).filter((word) => words.has(word)));
    return { paragraph, index, score: index === 0 ? Number.POSITIVE_INFINITY : found.size };
  });
  let left = WHOLE_CHARS;
  const kept = new Set<number>();
  for (const { paragraph, index, score } of scored.toSorted((one, other) => other.score - one.score)) {
    if (score === 0 || paragraph.length > left) continue;
    left -= paragraph.length;
    kept.add(index);
  }
  const parts = paragraphs.flatMap((paragraph, index) => {
    if (kept.has(index)) return [paragraph];
    return kept.has(index - 1) || index === 0 ? [GAP] : [];
  });
  const heard = `[Of ${text.length.toLocaleString("en-US")} characters the parts about your question. Ask without prompt for all.]`;
  return [heard, ...parts].join("\n\n");
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
