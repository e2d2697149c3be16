/** The columns of the list that people choose, in their order. New ones go to the end: browsers keep their numbers. */
export const TRACE_COLUMNS = [
  ...(["agent", "model", "steps", "tokens", "cost", "worked", "waited", "bar", "by", "started"] as const),
  ...(["thread", "origin", "firstToken"] as const),
] as const;
export type TraceColumnId = (typeof TRACE_COLUMNS)[number];

/** What the list shows before anybody chooses, where there is room for it. */
export const STANDARD_COLUMNS: readonly TraceColumnId[] = TRACE_COLUMNS.slice(0, TRACE_COLUMNS.indexOf("thread"));
