import { foldText } from "./fold-text";
import { PATTERN_NAMES, PATTERNS, type PatternName } from "./patterns";

/** The finding in a run's incoming messages (S4 §4), if the agent's mode lets them pass. */
export interface InputFinding {
  readonly patterns: readonly PatternName[];
  readonly mode: "log" | "warn";
}

/** S4's name for the event, in logs and traces. */
export const INJECTION_DETECTED = "security.injection_detected";

/**
 * The injection patterns found in a message (S4 §4), in S4's order. A match is not proof of an attack: the message may
 * be about such texts. Linear in the length of the text.
 */
export function scanInput(text: string): PatternName[] {
  const found = new Set<PatternName>(text.includes("\0") ? ["null_bytes"] : []);
  const folded = foldText(text.replaceAll("\0", ""));
  for (const { name, reads, pattern } of PATTERNS) {
    if (!found.has(name) && pattern.test(folded[reads])) found.add(name);
  }
  return PATTERN_NAMES.filter((name) => found.has(name));
}
