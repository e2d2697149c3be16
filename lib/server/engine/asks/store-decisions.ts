import type { Decision, DecisionWay, Interrupt } from "@/lib/schema/runs/interrupt";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { wakeParents } from "@/lib/server/engine/children/wake-parents";
import { type ClaimedRun, requeueColumns } from "@/lib/server/engine/claimed-run";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { eventColumns } from "@/lib/server/engine/log/event-row";
import { notifyMembers } from "@/lib/server/engine/log/notify-members";
import { announceQueued, announceRows, announceRunWithAsks } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { decideApprovalStatement, replaceGrantStatements } from "@/lib/server/platform/db/queries/asks";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import { insertRunEventStatement } from "@/lib/server/platform/db/queries/run-events";
import { decideRunStatement } from "@/lib/server/platform/db/queries/runs";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { type ApprovalRow, toInterrupt } from "./approval-row";
import { type GrantTerms, grantColumns, grantTerms } from "./grants";
import { raiseStatements } from "./raise-budget";

/** The person who decides, with the name to store and the channel that the decision came through. */
export interface Decider {
  readonly id: string;
  readonly name: string;
  readonly via: DecisionWay;
  /** Whether the decider may raise everybody's budgets. */
  readonly isAdmin?: boolean;
  /** The agents that the decider's key is limited to. */
  readonly reach?: readonly string[] | undefined;
}

/** The outcome for a call: a person's decision, or expiry. */
type DecisionOrExpiry = Omit<Decision, "decision"> & { readonly decision: Decision["decision"] | "expired" };

/** A decision with its row and run; `args` of an edit are already checked. */
export interface TakenDecision {
  readonly asked: Interrupt & { readonly id: string; readonly runId: string };
  readonly decision: DecisionOrExpiry;
}

/** The decisions on one run. */
interface DecidedRun {
  readonly run: ClaimedRun;
  readonly taken: readonly TakenDecision[];
  readonly open: readonly Interrupt[];
  readonly stored: readonly StoredRunEvent[];
  readonly now: Date;
  readonly decider: Decider | null;
  /** Terms of the grants among the decisions; null if there are none. */
  readonly terms: GrantTerms | null;
}

interface Decisions {
  readonly runs: readonly ClaimedRun[];
  /** Every row of these runs. */
  readonly rows: readonly ApprovalRow[];
  readonly taken: readonly TakenDecision[];
  /** Null if nobody decided in time. */
  readonly decider: Decider | null;
}

/**
 * Stores decisions on calls of one or several runs in one transaction and queues what can continue; returns the status
 * of each run decided on. Throws the database's error when another decision came first; then nothing is stored.
 */
export async function storeDecisions(
  database: Database,
  { runs, rows, taken, decider }: Decisions,
): Promise<("queued" | "waiting")[]> {
  const decided: DecidedRun[] = [];
  for (const run of runs) {
    const ofRun = taken.filter(({ asked }) => asked.runId === run.id);
    if (ofRun.length > 0) decided.push(await describe(database, run, { rows, taken: ofRun, decider }));
  }
  const all = decided.map((one) => decisionStatements(one));
  const queued = decided.filter((_, index) => all[index]?.status === "queued");
  const dispatched = await dispatcherOf(database).dispatch(
    queued.map(({ run: { id, ownerId, segment } }) => ({ id, ownerId, segment: segment + 1 })),
  );
  await database.runAll([...all.flatMap(({ statements }) => statements), ...dispatched]);
  for (const [index, { run, stored }] of decided.entries()) {
    announceRows(run.id, stored);
    const status = all[index]?.status ?? "waiting";
    announceRunWithAsks(run, status);
    void notifyMembers(database, run, status);
  }
  if (all.some(({ status }) => status === "queued")) announceQueued();
  if (all.some(({ status }) => status === "waiting")) await wakeParents(database);
  return all.map(({ status }) => status);
}

async function describe(
  database: Database,
  run: ClaimedRun,
  { rows, taken, decider }: Omit<Decisions, "runs">,
): Promise<DecidedRun> {
  const open = rows
    .filter((row) => row.runId === run.id && row.status === "pending")
    .filter(({ id }) => !taken.some(({ asked }) => asked.id === id))
    .map(toInterrupt);
  const last = await database.runEvent.findFirst({
    where: { runId: run.id },
    orderBy: { seq: "desc" },
    select: { seq: true },
  });
  const now = new Date();
  const stored = decisionEvents(taken, open, decider).map(
    (event, index): StoredRunEvent => ({
      runId: run.id,
      seq: (last?.seq ?? 0) + 1 + index,
      at: now.getTime(),
      event,
    }),
  );
  const isGranting = taken.some(({ decision: { scope } }) => scope === "thread" || scope === "pattern");
  return { run, taken, open, stored, now, decider, terms: isGranting ? await grantTerms(database, run) : null };
}

/** The author recorded in the log when nobody decided in time. */
const NOBODY = "nobody";

/** The events that record the decisions in the run's log; the run pauses again while something is still `open`. */
function decisionEvents(
  taken: readonly TakenDecision[],
  open: readonly Interrupt[],
  decider: Decider | null,
): RunEvent[] {
  const who = decider
    ? { by: decider.id, byName: decider.name, via: decider.via }
    : { by: NOBODY, via: "time" as const };
  const decided = taken.map(({ asked, decision: given }): RunEvent => {
    const { decision, args, reason, answers, scope, pattern } = given;
    return {
      type: "interrupt.decided",
      kind: asked.kind,
      toolCallId: asked.toolCallId,
      decision,
      ...who,
      ...(args === undefined ? {} : { args }),
      ...(reason === undefined ? {} : { reason }),
      ...(answers === undefined ? {} : { answers }),
      ...(scope === undefined ? {} : { scope }),
      ...(pattern === undefined ? {} : { pattern }),
    };
  });
  return open.length === 0 ? decided : [...decided, { type: "run.waiting", interrupts: [...open] }];
}

const STATUS = {
  allow: "approved",
  deny: "denied",
  edit: "edited",
  answer: "answered",
  expired: "expired",
} as const;

/**
 * The statements of one transaction. The run's comes first: it locks the row, and matches none if the run is no longer
 * waiting. Two simultaneous decisions compete for the number of the first event.
 */
function decisionStatements(decided: DecidedRun) {
  const { run, taken, open, stored } = decided;
  const waitingFor = stillWaitingFor(run.waitingFor, open);
  const status: "queued" | "waiting" = waitingFor === "" ? "queued" : "waiting";
  const granted = taken.map((one) => ({ one, grant: grantOf(one, decided) }));
  const statements = [
    decideRunStatement(run, waitingFor === "" ? requeueColumns(run) : { waitingFor }),
    ...granted.map(({ one, grant }) => approvalStatement(one, { ...decided, grantId: grant?.id ?? null })),
    ...stored.map((row) => insertRunEventStatement(eventColumns(row, run.epoch))),
    ...granted.flatMap(({ grant }) => (grant ? grantStatements(grant, run) : [])),
    ...taken.flatMap((one) => expiryStatements(one, decided)),
    ...taken.flatMap(({ asked, decision }) => raiseStatements(asked, decision, decided.decider)),
  ];
  return { statements, status };
}

function approvalStatement(
  { asked, decision: taken }: TakenDecision,
  { decider, now, grantId }: DecidedRun & { readonly grantId: string | null },
) {
  const { decision, args, reason, answers, scope } = taken;
  const isYes = asked.kind === "approval" && (decision === "allow" || decision === "edit");
  return decideApprovalStatement(asked.id, {
    status: STATUS[decision],
    editedArgs: args === undefined ? null : JSON.stringify(args),
    answers: answers === undefined ? null : JSON.stringify(answers),
    note: reason ?? null,
    scope: isYes ? (scope ?? "once") : null,
    grantId,
    decidedBy: decider?.id ?? null,
    decidedVia: decider?.via ?? "time",
    decidedAt: now,
  });
}

/** What the run's row waits for once people only have `open` left to decide; child runs are not theirs to decide. */
function stillWaitingFor(before: string | null, open: readonly Interrupt[]): string {
  const kinds = new Set<string>(open.map(({ kind }) => kind));
  const reasons = (before ?? "").split(",").filter((reason) => reason !== "");
  return reasons.filter((reason) => reason === "child" || kinds.has(reason)).join(",");
}

/** The grant that the decision makes; null for none. */
function grantOf({ asked, decision }: TakenDecision, { now, terms }: DecidedRun) {
  const { scope, pattern } = decision;
  if ((scope !== "thread" && scope !== "pattern") || asked.kind !== "approval" || terms === null) return null;
  const call = { tool: asked.tool, args: decision.args ?? asked.args };
  const granted = scope === "pattern" && pattern !== undefined ? { ...call, pattern } : call;
  return grantColumns({ ...terms, now }, granted);
}

function grantStatements(grant: ReturnType<typeof grantColumns>, run: ClaimedRun): SqlStatement[] {
  const { threadId, tool, argsHash } = grant;
  return [
    ...replaceGrantStatements(grant),
    auditStatement({
      actorId: run.ownerId,
      action: "grant.created",
      target: `thread:${threadId}`,
      after: {
        tool,
        ...(grant.pattern === null ? { argsHash } : { pattern: grant.pattern }),
        expiresAt: grant.expiresAt.toISOString(),
      },
      details: { runId: run.id },
    }),
  ];
}

function expiryStatements({ asked, decision }: TakenDecision, { run }: DecidedRun) {
  return decision.decision === "expired" ? [expiryStatement(asked, run)] : [];
}

/** Records an expiry on its row, like a decision. */
export function expiryStatement(
  { id, kind, tool, toolCallId }: Pick<TakenDecision["asked"], "id" | "kind" | "tool" | "toolCallId">,
  run: { readonly id: string; readonly ownerId: string },
): SqlStatement {
  const details = { kind, tool, toolCallId, runId: run.id, ownerId: run.ownerId };
  return auditStatement({ actorId: NOBODY, action: "approval.expired", target: `approval:${id}`, details });
}
