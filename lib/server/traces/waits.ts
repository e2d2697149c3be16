import "server-only";
import type { Span, SpanStatus } from "@/lib/schema/traces/span";
import type { Database } from "@/lib/server/platform/db/database";

/**
 * The time that a call waited for a person, from the question to the decision; the decision is null while the ask is
 * open.
 */
export interface Wait {
  readonly runId: string;
  readonly toolCallId: string;
  readonly kind: string;
  /** pending, approved, denied, edited, answered, declined, expired. */
  readonly outcome: string;
  readonly askedAtMs: number;
  readonly decidedAtMs: number | null;
  readonly askedOf: string;
  /** Why the run asked: the rule or mode, in words. */
  readonly rule: string | null;
  readonly decidedBy: string | null;
  readonly decidedVia: string | null;
  /** once or thread; null if the call was not allowed. */
  readonly scope: string | null;
  readonly note: string | null;
}

/** The waits of traces, by the id of their root run, in the order in which they began. */
export async function loadWaits(db: Database, rootRunIds: readonly string[]): Promise<ReadonlyMap<string, Wait[]>> {
  const children = await db.run.findMany({
    where: { rootRunId: { in: [...rootRunIds] } },
    select: { id: true, rootRunId: true },
  });
  const rootOf = new Map([
    ...rootRunIds.map((id) => [id, id] as const),
    ...children.map(({ id, rootRunId }) => [id, rootRunId ?? id] as const),
  ]);
  const rows = await db.approval.findMany({
    where: { runId: { in: [...rootOf.keys()] } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const people = new Set(
    rows.flatMap(({ ownerId, decidedBy }) => [ownerId, ...(decidedBy === null ? [] : [decidedBy])]),
  );
  const users = await db.user.findMany({ where: { id: { in: [...people] } }, select: { id: true, name: true } });
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const waits = rows.map(
    (row): Wait => ({
      runId: row.runId,
      toolCallId: row.toolCallId,
      kind: row.kind,
      outcome: row.status,
      askedAtMs: row.createdAt.getTime(),
      decidedAtMs: row.decidedAt?.getTime() ?? null,
      askedOf: names.get(row.ownerId) ?? row.ownerId,
      rule: row.reason,
      decidedBy: row.decidedBy === null ? null : (names.get(row.decidedBy) ?? row.decidedBy),
      decidedVia: row.decidedVia,
      scope: row.scope,
      note: row.note,
    }),
  );
  return Map.groupBy(waits, ({ runId }) => rootOf.get(runId) ?? runId);
}

const STATUS_OF: Readonly<Record<string, SpanStatus>> = {
  pending: "waiting",
  approved: "completed",
  edited: "completed",
  answered: "completed",
};

/**
 * Spans with the time that people took: the part of a call that was left pending becomes the wait itself, from the
 * question to the decision, with who was asked, who decided and by which rule. A call that waited for its subagent
 * lasts until it continues.
 */
export function withWaits(spans: readonly Span[], waits: readonly Wait[]): Span[] {
  const calls = Map.groupBy(spans.filter(isToolCall), callKey);
  const shown = new Map<string, Span>();
  for (const parts of calls.values()) {
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1];
      if (part.attributes.waiting_for === "child" && next) {
        shown.set(part.id, { ...part, status: "completed", endedAtMs: Math.max(part.startedAtMs, next.startedAtMs) });
      }
    }
  }
  for (const wait of waits) {
    const key = `${wait.runId} ${wait.toolCallId}`;
    const asking = calls.get(key)?.findLast(({ attributes }) => attributes.waiting_for === wait.kind);
    if (asking) shown.set(asking.id, waitSpan(asking, wait));
  }
  return spans.map((span) => shown.get(span.id) ?? span);
}

function isToolCall({ type, attributes }: Span): boolean {
  return type === "tool" && typeof attributes.tool_call_id === "string";
}

function callKey({ runId, attributes }: Span): string {
  return `${runId} ${String(attributes.tool_call_id)}`;
}

function waitSpan(span: Span, wait: Wait): Span {
  const facts = {
    waiting_for: wait.kind,
    asked_of: wait.askedOf,
    asked_by_rule: wait.rule,
    decision: wait.outcome,
    decided_by_name: wait.decidedBy,
    decided_via: wait.decidedVia,
    decision_scope: wait.scope,
    decision_reason: wait.note,
  };
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return {
    ...span,
    status: STATUS_OF[wait.outcome] ?? "cancelled",
    startedAtMs: wait.askedAtMs,
    endedAtMs: wait.decidedAtMs === null ? null : Math.max(wait.askedAtMs, wait.decidedAtMs),
    attributes: { ...span.attributes, ...Object.fromEntries(known) },
  };
}
