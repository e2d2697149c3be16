import type { Hook } from "@/lib/agent/hook";
import type { PatternName } from "@/lib/text/scan/patterns";

/** What the input guard has found when the run's messages came in (S4 §4). */
export interface InputFinding {
  readonly patterns: readonly PatternName[];
  readonly mode: "log" | "warn";
}

/** S4's name of what happened, in logs and traces. */
export const INJECTION_DETECTED = "security.injection_detected";

/** Puts the finding on the trace, once per run; the messages were looked at before the run existed. */
export function inputGuardHook({ patterns, mode }: InputFinding): Hook {
  return {
    name: "input-guard",
    async beforeAgent({ trace, segment }) {
      if (segment > 0) return;
      trace?.recordEvent(INJECTION_DETECTED, { patterns, mode, note: patterns.join(", ") });
    },
  };
}
