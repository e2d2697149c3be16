import { approvalText, deciderText, questionText } from "@/lib/client/chat/asks/interrupt-labels";
import { ApprovalData, QuestionData } from "@/lib/schema/messages/ui-message";
import { DecisionWay } from "@/lib/schema/runs/interrupt";
import type { Span } from "@/lib/schema/traces/span";
import type { TraceSummary } from "@/lib/schema/traces/trace";

/** A span's record of the time it waited for a person. */
export interface SpanWait {
  readonly kind: "approval" | "question" | "connect";
  /** The decision in words: "Allowed once", "Denied". */
  readonly decision: string;
  /** "by Ada, in the inbox"; "" while nobody has decided. */
  readonly decider: string;
  readonly askedOf: string | null;
  readonly rule: string | null;
  readonly note: string | null;
}

const WAITS = ["approval", "question", "connect"] as const;

/** Whether the span is time spent asking a person. */
export function isWait({ attributes }: Pick<Span, "attributes">): boolean {
  return WAITS.some((kind) => kind === attributes.waiting_for);
}

export function spanWait(span: Pick<Span, "attributes">): SpanWait | null {
  if (!isWait(span)) return null;
  const text = (name: string) => (typeof span.attributes[name] === "string" ? span.attributes[name] : null);
  const kind = WAITS.find((one) => one === span.attributes.waiting_for) ?? "approval";
  const by = text("decided_by_name");
  const via = DecisionWay.safeParse(text("decided_via"));
  return {
    kind,
    decision: decisionText(kind, text("decision") ?? "pending", text("decision_scope")),
    decider: deciderText({
      ...(by === null ? {} : { decidedBy: by }),
      ...(via.success ? { decidedVia: via.data } : {}),
    }),
    askedOf: text("asked_of"),
    rule: text("asked_by_rule"),
    note: text("decision_reason"),
  };
}

function decisionText(kind: SpanWait["kind"], outcome: string, scope: string | null): string {
  if (kind === "question") {
    const status = QuestionData.shape.status.safeParse(outcome);
    return status.success ? questionText({ status: status.data }) : outcome;
  }
  if (kind === "connect" && outcome === "approved") return "Connected";
  const status = ApprovalData.shape.status.safeParse(outcome);
  if (!status.success) return outcome;
  return approvalText({ status: status.data, ...(scope === "thread" ? { scope } : {}) });
}

export interface SplitTime {
  readonly workedMs: number;
  readonly waitedMs: number;
}

/** A run's working time, and its time waiting for a person; up to `nowMs` if it is still open. */
export function splitTime(
  trace: Pick<TraceSummary, "startedAt" | "durationMs" | "waitedMs" | "waitingSince">,
  nowMs: number,
): SplitTime {
  const tookMs = trace.durationMs ?? Math.max(0, nowMs - Date.parse(trace.startedAt));
  const openMs = trace.waitingSince === null ? 0 : Math.max(0, nowMs - Date.parse(trace.waitingSince));
  const waitedMs = Math.min(tookMs, trace.waitedMs + openMs);
  return { waitedMs, workedMs: tookMs - waitedMs };
}
