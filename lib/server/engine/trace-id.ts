/** Replaces the trace id in the row of a run whose trace is not kept; its subagents' runs inherit it. */
export const NO_TRACE = "";

/** The id as people and clients see it: null if no trace is kept. */
export function shownTraceId(traceId: string): string | null {
  return traceId === NO_TRACE ? null : traceId;
}
