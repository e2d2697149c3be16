import { foldText } from "./fold-text";
import { PATTERN_NAMES, PATTERNS, type PatternName } from "./patterns";

/** What was found in a run's messages when they came in (S4 §4), where the agent's mode lets them pass. */
export interface InputFinding {
  readonly patterns: readonly PatternName[];
  readonly mode: "log" | "warn";
}

/** S4's name of what happened, in logs and traces. */
export const INJECTION_DETECTED = "security.injection_detected";

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
