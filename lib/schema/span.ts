import { z } from "zod";

export const SpanType = z.enum(["agent", "llm", "tool", "hook", "summary"]);
export type SpanType = z.infer<typeof SpanType>;

/** `running` while open; `waiting` for a tool call that was left pending (architecture.md). */
export const SpanStatus = z.enum(["running", "completed", "failed", "cancelled", "waiting", "limit", "interrupted"]);
export type SpanStatus = z.infer<typeof SpanStatus>;

/** One row of a trace (D-25). Times are Unix ms. `attributes` are flat facts; bodies are pointed at, not copied. */
export const Span = z.object({
  id: z.string(),
  traceId: z.string(),
  runId: z.string(),
  parentId: z.string().nullable(),
  type: SpanType,
  name: z.string(),
  status: SpanStatus,
  startedAtMs: z.number(),
  /** Null while the span is open. */
  endedAtMs: z.number().nullable(),
  attributes: z.record(z.string(), z.unknown()),
  error: z.string().nullable(),
});
export type Span = z.infer<typeof Span>;
