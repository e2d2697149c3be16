import type { Hook } from "@/lib/agent/hooks/hook";
import { INJECTION_DETECTED, type InputFinding } from "@/lib/text/scan/scan-input";

/** Traces the finding once per run; the messages were scanned before the run existed. */
export function inputGuardHook({ patterns, mode }: InputFinding): Hook {
  return {
    name: "input-guard",
    async beforeAgent({ trace, segment }) {
      if (segment > 0) return;
      trace?.recordEvent(INJECTION_DETECTED, { patterns, mode, note: patterns.join(", ") });
    },
  };
}
