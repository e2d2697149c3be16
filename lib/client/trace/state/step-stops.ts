import { isWait } from "@/lib/client/trace/span-wait";
import { hasEnded } from "@/lib/schema/runs/run";
import type { Trace } from "@/lib/schema/traces/trace";

/** A moment of a run that has a state: a model call that was about to begin, or the end. */
export interface StepStop {
  readonly step: number;
  readonly isEnd: boolean;
  /** Unix ms; null where no span says. */
  readonly atMs: number | null;
  /** A person was waited for before it, since the stop before. */
  readonly hasWait: boolean;
  /** The model call that was about to begin, as the trace names it. */
  readonly spanId: string | null;
}

/** The stops of the trace's own run, in order; none before its first model call. */
export function stepStops(
  trace: Pick<Trace, "spans" | "runId" | "steps" | "status" | "startedAt" | "durationMs">,
): StepStop[] {
  const own = trace.spans.filter(({ runId }) => runId === trace.runId);
  const calls = new Map<number, { readonly id: string; readonly startedAtMs: number }>();
  const waits = new Set<number>();
  for (const span of own) {
    const { step } = span.attributes;
    if (typeof step !== "number") continue;
    if (isWait(span)) waits.add(step);
    if (span.type === "llm" && span.name !== "llm.attempt" && !calls.has(step)) calls.set(step, span);
  }
  const isOver = hasEnded(trace.status);
  const steps = isOver ? trace.steps : Math.max(trace.steps, ...calls.keys());
  const stops = Array.from({ length: steps }, (_, index): StepStop => {
    const step = index + 1;
    const call = calls.get(step);
    return { step, isEnd: false, atMs: call?.startedAtMs ?? null, hasWait: waits.has(index), spanId: call?.id ?? null };
  });
  if (!isOver) return stops;
  const endMs = trace.durationMs === null ? null : Date.parse(trace.startedAt) + trace.durationMs;
  return [...stops, { step: steps + 1, isEnd: true, atMs: endMs, hasWait: waits.has(steps), spanId: null }];
}

/** "step 3", or "the end". */
export function stopName({ step, isEnd }: Pick<StepStop, "step" | "isEnd">): string {
  return isEnd ? "the end" : `step ${step}`;
}
