import { foldText } from "./fold-text";
import { PATTERN_NAMES, PATTERNS, type PatternName } from "./patterns";

/**
 * The injection patterns that a message shows (S4 §4), in S4's order. It says what a text looks like, not what it
 * is: somebody may write about such texts. Linear in the length of the text.
 */
export function scanInput(text: string): PatternName[] {
  const found = new Set<PatternName>(text.includes("\0") ? ["null_bytes"] : []);
  const folded = foldText(text.replaceAll("\0", ""));
  for (const { name, reads, pattern } of PATTERNS) {
    if (!found.has(name) && pattern.test(folded[reads])) found.add(name);
  }
  return PATTERN_NAMES.filter((name) => found.has(name));
}
