import type { TraceRecorder } from "@/lib/agent/run-context";
import type { StepRecord } from "@/lib/agent/tracing/step-record";
import type { Message } from "@/lib/schema/messages/message";
import type { SpanStatus } from "@/lib/schema/traces/span";

interface RecordedSpan {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly startedAtMs: number | null;
  readonly attributes: Record<string, unknown>;
  status: SpanStatus;
  error: string | null;
}

interface TestTrace extends TraceRecorder {
  readonly steps: StepRecord[];
  readonly spans: RecordedSpan[];
  readonly texts: string[];
  readonly messages: Message[];
}

/** A trace recorder that keeps its spans in order of start. */
export function createTestTrace(): TestTrace {
  const spans: RecordedSpan[] = [];
  const texts: string[] = [];
  const steps: StepRecord[] = [];
  const messages: Message[] = [];
  return {
    spans,
    texts,
    steps,
    messages,
    keepStep: (step) => void steps.push(step),
    keepText(text) {
      if (!texts.includes(text)) texts.push(text);
      return `text_${texts.indexOf(text)}`;
    },
    keepMessage(message) {
      if (!messages.includes(message)) messages.push(message);
      return `message_${messages.indexOf(message)}`;
    },
    rowPosition: () => null,
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
        setCall: () => undefined,
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
