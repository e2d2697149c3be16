import type { Interrupt } from "@/lib/schema/interrupt";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { createId } from "../create-id";
import type { Database } from "../db";
import type { ClaimedRun } from "../runs/claim-runs";
import { eventColumns, requeueData } from "../runs/pause-run";
import type { TakenDecision } from "./decision-events";
import { grantColumns } from "./grants";

interface Decided {
  readonly run: ClaimedRun;
  readonly taken: readonly TakenDecision[];
  readonly open: readonly Interrupt[];
  readonly stored: readonly StoredRunEvent[];
  readonly now: Date;
}

const STATUS = { allow: "approved", deny: "denied", edit: "edited", answer: "answered" } as const;

/**
 * The statements of one transaction. The run's comes first: it locks the row, and finds none when the run does not wait
 * any more. The number of the first event is what two decisions at the same time fight for.
 */
export function decisionStatements(db: Database, { run, taken, open, stored, now }: Decided) {
  const waitingFor = stillWaitingFor(run.waitingFor, open);
  const status: "queued" | "waiting" = waitingFor === "" ? "queued" : "waiting";
  const statements = [
    db.run.update({
      where: { id: run.id, status: "waiting", epoch: run.epoch, segment: run.segment },
      data: waitingFor === "" ? requeueData(run) : { waitingFor },
      select: { id: true },
    }),
    ...taken.map(({ asked, decision: { decision, args, reason, answers, scope } }) =>
      db.approval.update({
        where: { id: asked.id, status: "pending" },
        data: {
          status: STATUS[decision],
          editedArgs: args === undefined ? null : JSON.stringify(args),
          answers: answers === undefined ? null : JSON.stringify(answers),
          note: reason ?? null,
          scope: asked.kind === "approval" && decision !== "deny" ? (scope ?? "once") : null,
          decidedBy: run.ownerId,
          decidedAt: now,
        },
        select: { id: true },
      }),
    ),
    db.runEvent.createMany({ data: stored.map((row) => eventColumns(row, run.epoch)) }),
    ...taken.flatMap((one) => grantStatements(db, run, one, now)),
  ];
  return { statements, status };
}

/** What the run's row waits for once only `open` is left to people; child runs are not theirs to decide. */
function stillWaitingFor(before: string | null, open: readonly Interrupt[]): string {
  const kinds = new Set<string>(open.map(({ kind }) => kind));
  const reasons = (before ?? "").split(",").filter((reason) => reason !== "");
  return reasons.filter((reason) => reason === "child" || kinds.has(reason)).join(",");
}

function grantStatements(db: Database, run: ClaimedRun, { asked, decision }: TakenDecision, now: Date) {
  if (decision.scope !== "thread" || asked.kind !== "approval") return [];
  const call = { tool: asked.tool, args: decision.args ?? asked.args };
  const { id, ...grant } = grantColumns(run, call, now);
  const { threadId, tool, argsHash } = grant;
  return [
    db.grant.upsert({
      where: { threadId_tool_argsHash: { threadId, tool, argsHash } },
      create: { id, ...grant },
      update: { createdAt: grant.createdAt, expiresAt: grant.expiresAt, createdBy: grant.createdBy, revokedAt: null },
      select: { id: true },
    }),
    db.auditEntry.create({
      data: {
        id: createId("aud"),
        actorId: run.ownerId,
        action: "grant.created",
        target: `thread:${threadId}`,
        details: JSON.stringify({ tool, argsHash, runId: run.id, expiresAt: grant.expiresAt.toISOString() }),
      },
      select: { id: true },
    }),
  ];
}
