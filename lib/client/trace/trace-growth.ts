import { hasEnded } from "@/lib/schema/runs/run";
import type { Trace } from "@/lib/schema/traces/trace";

/** Follow-up work of a run, such as compaction, begins this soon after its end, and finishes this soon. */
const BEGINS_WITHIN_MS = 5000;
const ENDS_WITHIN_MS = 5 * 60_000;

/** Whether something in it is running, so that its times change. A span that was never ended does not count. */
export function isMoving(trace: Trace, nowMs: number): boolean {
  if (!hasEnded(trace.status)) return true;
  return sinceEnd(trace, nowMs) < ENDS_WITHIN_MS && trace.spans.some((span) => span.endedAtMs === null);
}

/** Whether it may still grow: something is running, or may be about to begin. */
export function mayGrow(trace: Trace, nowMs: number): boolean {
  return isMoving(trace, nowMs) || sinceEnd(trace, nowMs) < BEGINS_WITHIN_MS;
}

function sinceEnd({ startedAt, durationMs }: Trace, nowMs: number): number {
  return nowMs - Date.parse(startedAt) - (durationMs ?? 0);
}
