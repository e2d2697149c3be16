import type { Decision, Interrupt } from "@/lib/schema/interrupt";
import type { RunEvent } from "@/lib/schema/run-event";

/** A decision with the row that it is about; `args` of an edit are checked. */
export interface TakenDecision {
  readonly asked: Interrupt & { readonly id: string };
  readonly decision: Decision;
}

/** What the run's log says of the decisions; while something is still `open` the run pauses anew. */
export function decisionEvents(taken: readonly TakenDecision[], open: readonly Interrupt[], by: string): RunEvent[] {
  const decided = taken.map(({ asked, decision: { decision, args, reason, answers, scope } }): RunEvent => {
    return {
      type: "interrupt.decided",
      kind: asked.kind,
      toolCallId: asked.toolCallId,
      decision,
      by,
      ...(args === undefined ? {} : { args }),
      ...(reason === undefined ? {} : { reason }),
      ...(answers === undefined ? {} : { answers }),
      ...(scope === undefined ? {} : { scope }),
    };
  });
  return open.length === 0 ? decided : [...decided, { type: "run.waiting", interrupts: [...open] }];
}
