import type { Decision, Interrupt } from "@/lib/schema/interrupt";
import type { RunEvent } from "@/lib/schema/run-event";
import type { Decider } from "./decide";

/** The outcome for a call: a person's decision, or expiry. */
type DecisionOrExpiry = Omit<Decision, "decision"> & { readonly decision: Decision["decision"] | "expired" };

/** A decision with the row and run that it is about; `args` of an edit are checked. */
export interface TakenDecision {
  readonly asked: Interrupt & { readonly id: string; readonly runId: string };
  readonly decision: DecisionOrExpiry;
}

/** The author recorded in the log when nobody decided in time. */
export const NOBODY = "nobody";

/** What the run's log records about the decisions; while something is still `open` the run pauses again. */
export function decisionEvents(
  taken: readonly TakenDecision[],
  open: readonly Interrupt[],
  decider: Decider | null,
): RunEvent[] {
  const who = decider
    ? { by: decider.id, byName: decider.name, via: decider.via }
    : { by: NOBODY, via: "time" as const };
  const decided = taken.map(({ asked, decision: { decision, args, reason, answers, scope } }): RunEvent => {
    return {
      type: "interrupt.decided",
      kind: asked.kind,
      toolCallId: asked.toolCallId,
      decision,
      ...who,
      ...(args === undefined ? {} : { args }),
      ...(reason === undefined ? {} : { reason }),
      ...(answers === undefined ? {} : { answers }),
      ...(scope === undefined ? {} : { scope }),
    };
  });
  return open.length === 0 ? decided : [...decided, { type: "run.waiting", interrupts: [...open] }];
}
