/** Stands in a run's row for the id of its trace where none is kept; its subagents' runs have it from there. */
export const NO_TRACE = "";

/** The id as people and clients see it: null where no trace is kept. */
export function shownTraceId(traceId: string): string | null {
  return traceId === NO_TRACE ? null : traceId;
}
