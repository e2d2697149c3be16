import type { Interrupt } from "@/lib/schema/interrupt";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { type ClaimedRun, requeueColumns } from "@/lib/server/engine/claimed-run";
import { eventColumns } from "@/lib/server/engine/log/event-row";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import type { Decider } from "./decide";
import { NOBODY, type TakenDecision } from "./decision-events";
import { type GrantTerms, grantColumns } from "./grants";

/** The decisions on one run. */
export interface DecidedRun {
  readonly run: ClaimedRun;
  readonly taken: readonly TakenDecision[];
  readonly open: readonly Interrupt[];
  readonly stored: readonly StoredRunEvent[];
  readonly now: Date;
  readonly decider: Decider | null;
  /** Of the grants among them; null when there are none. */
  readonly terms: GrantTerms | null;
}

const STATUS = {
  allow: "approved",
  deny: "denied",
  edit: "edited",
  answer: "answered",
  expired: "expired",
} as const;

/**
 * The statements of one transaction. The run's comes first: it locks the row, and matches none when the run is no
 * longer waiting. Two simultaneous decisions compete for the number of the first event.
 */
export function decisionStatements(db: Database, decided: DecidedRun) {
  const { run, taken, open, stored } = decided;
  const waitingFor = stillWaitingFor(run.waitingFor, open);
  const status: "queued" | "waiting" = waitingFor === "" ? "queued" : "waiting";
  const statements = [
    db.run.update({
      where: { id: run.id, status: "waiting", epoch: run.epoch, segment: run.segment },
      data: waitingFor === "" ? requeueColumns(run) : { waitingFor },
      select: { id: true },
    }),
    ...taken.map((one) => approvalStatement(db, one, decided)),
    db.runEvent.createMany({ data: stored.map((row) => eventColumns(row, run.epoch)) }),
    ...taken.flatMap((one) => grantStatements(db, one, decided)),
    ...taken.flatMap((one) => expiryStatements(db, one, decided)),
  ];
  return { statements, status };
}

function approvalStatement(db: Database, { asked, decision: taken }: TakenDecision, { decider, now }: DecidedRun) {
  const { decision, args, reason, answers, scope } = taken;
  const isYes = asked.kind === "approval" && (decision === "allow" || decision === "edit");
  return db.approval.update({
    where: { id: asked.id, status: "pending" },
    data: {
      status: STATUS[decision],
      editedArgs: args === undefined ? null : JSON.stringify(args),
      answers: answers === undefined ? null : JSON.stringify(answers),
      note: reason ?? null,
      scope: isYes ? (scope ?? "once") : null,
      decidedBy: decider?.id ?? null,
      decidedVia: decider?.via ?? "time",
      decidedAt: now,
    },
    select: { id: true },
  });
}

/** What the run's row waits for once only `open` is left to people; child runs are not theirs to decide. */
function stillWaitingFor(before: string | null, open: readonly Interrupt[]): string {
  const kinds = new Set<string>(open.map(({ kind }) => kind));
  const reasons = (before ?? "").split(",").filter((reason) => reason !== "");
  return reasons.filter((reason) => reason === "child" || kinds.has(reason)).join(",");
}

function grantStatements(db: Database, { asked, decision }: TakenDecision, { run, now, terms }: DecidedRun) {
  if (decision.scope !== "thread" || asked.kind !== "approval" || terms === null) return [];
  const { id, ...grant } = grantColumns({ ...terms, now }, { tool: asked.tool, args: decision.args ?? asked.args });
  const { threadId, tool, argsHash } = grant;
  return [
    db.grant.upsert({
      where: { threadId_tool_argsHash: { threadId, tool, argsHash } },
      create: { id, ...grant },
      update: { createdAt: grant.createdAt, expiresAt: grant.expiresAt, createdBy: grant.createdBy, revokedAt: null },
      select: { id: true },
    }),
    auditStatement(db, run.ownerId, {
      action: "grant.created",
      target: `thread:${threadId}`,
      details: { tool, argsHash, runId: run.id, expiresAt: grant.expiresAt.toISOString() },
    }),
  ];
}

function expiryStatements(db: Database, { asked, decision }: TakenDecision, { run }: DecidedRun) {
  return decision.decision === "expired" ? [expiryStatement(db, asked, run)] : [];
}

/** An expiry is recorded, just as a decision is recorded on its row. */
export function expiryStatement(
  db: Database,
  { id, kind, tool, toolCallId }: Pick<TakenDecision["asked"], "id" | "kind" | "tool" | "toolCallId">,
  run: { readonly id: string; readonly ownerId: string },
) {
  const details = { kind, tool, toolCallId, runId: run.id, ownerId: run.ownerId };
  return auditStatement(db, NOBODY, { action: "approval.expired", target: `approval:${id}`, details });
}

interface AuditFacts {
  readonly action: string;
  readonly target: string;
  readonly details: Record<string, unknown>;
}

function auditStatement(db: Database, actorId: string, { action, target, details }: AuditFacts) {
  const data = { id: createId("aud"), actorId, action, target, details: JSON.stringify(details) };
  return db.auditEntry.create({ data, select: { id: true } });
}
