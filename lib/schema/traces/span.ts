import { z } from "zod";

export const SpanType = z.enum(["agent", "llm", "tool", "hook", "summary"]);
export type SpanType = z.infer<typeof SpanType>;

/** `running` while open; `waiting` for a tool call that was left pending (docs/design/runs.md). */
export const SpanStatus = z.enum(["running", "completed", "failed", "cancelled", "waiting", "limit", "interrupted"]);
export type SpanStatus = z.infer<typeof SpanStatus>;

/** One row of a trace (D-25). Times are Unix ms. `attributes` are flat facts; bodies are referenced, not copied. */
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

const TYPES: ReadonlySet<unknown> = new Set(SpanType.options);
const STATUSES: ReadonlySet<unknown> = new Set(SpanStatus.options);

/**
 * `z.array(Span)` for a page with ten thousand spans: the same check written out, without copying, so fields that the
 * schema does not name are kept.
 */
export const SpanArray = z.custom<Span[]>(
  (value) => Array.isArray(value) && value.every(isSpan),
  "Not a list of spans",
);

function isSpan(value: unknown): value is Span {
  if (!isObject(value)) return false;
  return (
    [value.id, value.traceId, value.runId, value.name].every(isText) &&
    [value.parentId, value.error].every((text) => text === null || isText(text)) &&
    TYPES.has(value.type) &&
    STATUSES.has(value.status) &&
    isTime(value.startedAtMs) &&
    (value.endedAtMs === null || isTime(value.endedAtMs)) &&
    isObject(value.attributes)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** Like zod's numbers: neither NaN nor infinite. */
function isTime(value: unknown): boolean {
  return Number.isFinite(value);
}
