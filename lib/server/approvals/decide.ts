import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Decision, DecisionsReply } from "@/lib/schema/interrupt";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import { database } from "../db";
import { loadAgentVersion } from "../runs/agent-version";
import { isNotFound } from "../runs/finish-run";
import { isRaceLost } from "../runs/insert-events";
import { announceInterrupts } from "../runs/pause-run";
import { announceQueued, announceRows } from "../runs/run-signal";
import { wakeParents } from "../runs/wake-parents";
import { toInterrupt, toPending } from "./approval-row";
import { canonicalEdit } from "./canonical-edit";
import { checkDecision } from "./check-decision";
import { decisionEvents, type TakenDecision } from "./decision-events";
import { decisionStatements } from "./decision-statements";

const ATTEMPTS = 8;

/**
 * Takes decisions on what a run asks, all of them or none, in one transaction that has reached the disk when this
 * resolves. With nothing left open the run is queued for its next segment, at whichever process comes first. Throws
 * `not_found` for a run that is not the owner's or a call that does not wait, `not_waiting` when the run does not wait,
 * `conflict` when somebody has already decided, `invalid_input`.
 */
export async function decide(runId: string, ownerId: string, decisions: readonly Decision[]): Promise<DecisionsReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToDecide(runId, ownerId, decisions);
    } catch (error) {
      if (!(isNotFound(error) || isRaceLost(error)) || attempt === ATTEMPTS) throw error;
    }
  }
}

async function tryToDecide(runId: string, ownerId: string, decisions: readonly Decision[]): Promise<DecisionsReply> {
  const db = database();
  const run = await db.run.findFirst({ where: { id: runId, ownerId, thread: { deletedAt: null } } });
  if (!run) throw new AppError("not_found", "There is no such run.");
  const rows = await db.approval.findMany({ where: { runId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  const { config } = await loadAgentVersion(db, run.agentVersionId);
  const taken: TakenDecision[] = [];
  for (const [at, decision] of decisions.entries()) {
    const row = findRow(rows, decision, run.status);
    if (taken.some(({ asked }) => asked.id === row.id)) {
      throw new AppError("invalid_input", `decisions.${at}: There are two decisions on the same call.`);
    }
    const asked = toPending(row);
    checkDecision(decision, asked, at);
    const args = decision.args && (await canonicalEdit(config, { tool: asked.tool, args: decision.args }, at));
    const interrupt = toInterrupt(row);
    taken.push({ asked: { ...interrupt, id: row.id }, decision: args ? { ...decision, args } : decision });
  }
  const open = rows
    .filter(({ id, status }) => status === "pending" && !taken.some(({ asked }) => asked.id === id))
    .map(toInterrupt);
  const last = await db.runEvent.findFirst({ where: { runId }, orderBy: { seq: "desc" }, select: { seq: true } });
  const events = decisionEvents(taken, open, ownerId);
  const now = new Date();
  const stored = events.map((event, index): StoredRunEvent => {
    return { runId, seq: (last?.seq ?? 0) + 1 + index, at: now.getTime(), event };
  });
  const { statements, status } = decisionStatements(db, { run, taken, open, stored, now });
  await db.$transaction(statements);
  announceRows(runId, stored);
  announceInterrupts(run, status);
  if (status === "queued") announceQueued();
  else await wakeParents(db);
  return { runId, status, open };
}

interface Row {
  readonly toolCallId: string;
  readonly status: string;
}

/** The row that the decision is about. */
function findRow<Found extends Row>(rows: readonly Found[], { tool_call_id: id }: Decision, runStatus: string): Found {
  const ofCall = rows.filter(({ toolCallId }) => toolCallId === id);
  const pending = ofCall.find(({ status }) => status === "pending");
  if (pending && runStatus === "waiting") return pending;
  if (ofCall.length > 0) throw new AppError("conflict", `It has already been decided on ${id}.`);
  if (runStatus === "waiting") throw new AppError("not_found", `No call ${id} waits for a decision.`);
  throw new AppError("not_waiting", "The run does not wait for a decision.");
}
