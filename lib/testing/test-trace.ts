import type { TraceRecorder } from "@/lib/agent/run-context";
import type { SpanStatus } from "@/lib/schema/span";

export interface RecordedSpan {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly startedAtMs: number | null;
  readonly attributes: Record<string, unknown>;
  status: SpanStatus;
  error: string | null;
}

/** A trace recorder that keeps its spans in order of start. */
export function createTestTrace(): TraceRecorder & { readonly spans: RecordedSpan[]; readonly texts: string[] } {
  const spans: RecordedSpan[] = [];
  const texts: string[] = [];
  return {
    spans,
    texts,
    keepText(text) {
      if (!texts.includes(text)) texts.push(text);
      return `text_${texts.indexOf(text)}`;
    },
    startSpan({ name, type, parentId, attributes = {}, startedAtMs }) {
      const span: RecordedSpan = {
        id: `span_${spans.length + 1}`,
        name,
        type,
        parentId: parentId ?? null,
        startedAtMs: startedAtMs ?? null,
        attributes: { ...attributes },
        status: "running",
        error: null,
      };
      spans.push(span);
      return {
        id: span.id,
        set: (more) => Object.assign(span.attributes, more),
        end(status, error) {
          if (span.status !== "running") return;
          span.status = status;
          span.error = error ?? null;
        },
      };
    },
    recordEvent() {},
  };
}
