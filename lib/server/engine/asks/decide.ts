import { AppError } from "@/lib/schema/app-error";
import type { Decision, DecisionsReply } from "@/lib/schema/runs/interrupt";
import { type AgentVersion, loadAgentVersion } from "@/lib/server/engine/agent-version";
import { runsOfTree } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { guardDecision } from "@/lib/server/engine/guard-input";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, isRaceLost } from "@/lib/server/platform/db/errors";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { type ApprovalRow, toInterrupt, toPending } from "./approval-row";
import { checkDecision } from "./check-decision";
import { runsOfLostAgents } from "./deleted-agents";
import { listOpenAsks } from "./list-open-asks";
import { decidedText, requireMayRaise } from "./raise-budget";
import { resumeAfterRaise } from "./resume-budget-asks";
import { type Decider, storeDecisions, type TakenDecision } from "./store-decisions";

const MAX_RETRIES = 7;

/** Decisions on the asks of a run and its subagents. */
export interface DecisionRequest {
  readonly runId: string;
  readonly decider: Decider;
  readonly decisions: readonly Decision[];
}

/** Arguments written by a person to replace the model's; `at` is the decision's index in the body. */
export interface ArgumentEdit {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly at: number;
}

/** The edit in the form that the run's tool accepts. Throws `invalid_input`. */
export type CanonicalEdit = (
  run: ClaimedRun,
  version: AgentVersion,
  edit: ArgumentEdit,
) => Promise<Record<string, unknown>>;

/**
 * Applies decisions on the asks of a run and its subagents, all or none, in one transaction that is on disk when this
 * resolves. A run with no open asks left is queued for its next segment, in whichever process claims it first. Throws
 * `not_found` for a run that is not the decider's or a call that is not waiting, `not_waiting` when the run is not
 * waiting, `conflict` when another decision came first, `not_available` once the agent was deleted or limited to
 * others, `invalid_input`, `input_blocked` (D-61).
 */
export function decide(
  database: Database,
  request: DecisionRequest,
  canonicalEdit: CanonicalEdit,
): Promise<DecisionsReply> {
  const isOvertaken = (error: unknown) => isNothingChanged(error) || isRaceLost(error);
  return retry(() => tryToDecide(database, request, canonicalEdit), { when: isOvertaken, delays: atOnce(MAX_RETRIES) });
}

async function tryToDecide(
  db: Database,
  { runId, decider, decisions }: DecisionRequest,
  canonicalEdit: CanonicalEdit,
): Promise<DecisionsReply> {
  const run = await db.run.findFirst({ where: { id: runId, thread: { deletedAt: null, ...homeInReach(decider) } } });
  const isOwner = run?.ownerId === decider.id;
  if (!run || !(isOwner || decider.isAdmin)) throw new AppError("not_found", "There is no such run.");
  const runs = await runsOfTree(db, run);
  const rows = await db.approval.findMany({
    where: { runId: { in: runs.map(({ id }) => id) } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const chosen: ApprovalRow[] = [];
  // In another person's run an administrator may only raise budgets.
  const known = isOwner ? rows : rows.filter(({ kind }) => kind === "budget");
  for (const [at, decision] of decisions.entries()) {
    chosen.push(await findRow(db, { runs, rows: known, chosen }, decision, at));
  }
  await refuseDeleted(db, runs, chosen);
  const taken = await Promise.all(
    decisions.map((decision, at) => take(db, canonicalEdit, { runs, row: chosen[at], decision, at })),
  );
  for (const { asked, decision } of taken) requireMayRaise(asked, decision, { ...decider, isOwner });
  const states = await storeDecisions(db, { runs, rows, taken, decider });
  await resumeAfterRaise(db, taken, decider);
  const open = await listOpenAsks(db, run);
  const willContinue = open.length === 0 && states.every((status) => status === "queued");
  return { runId, status: willContinue ? "queued" : "waiting", open };
}

async function refuseDeleted(db: Database, runs: readonly ClaimedRun[], chosen: readonly ApprovalRow[]): Promise<void> {
  const asking = runs.filter(({ id }) => chosen.some(({ runId }) => runId === id));
  if ((await runsOfLostAgents(db, asking)).size === 0) return;
  throw new AppError(
    "not_available",
    "The agent that asked was deleted or is no longer available to you, so the run cannot continue. Stop the run to end it.",
  );
}

interface Known {
  readonly runs: readonly ClaimedRun[];
  readonly rows: readonly ApprovalRow[];
  /** Rows that earlier decisions in the same body are about. */
  readonly chosen: readonly ApprovalRow[];
}

/** The row that the decision is about: of several calls with the same id, the one waiting longest. */
async function findRow(
  db: Database,
  { runs, rows, chosen }: Known,
  decision: Decision,
  at: number,
): Promise<ApprovalRow> {
  const { tool_call_id: id, run_id: runId } = decision;
  const isWaiting = (row: ApprovalRow) => runs.some((run) => run.id === row.runId && run.status === "waiting");
  const ofCall = rows.filter((row) => row.toolCallId === id && (runId === undefined || row.runId === runId));
  const pending = ofCall.filter((row) => row.status === "pending" && isWaiting(row));
  const free = pending.find((row) => !chosen.includes(row));
  if (free) return free;
  if (pending.length > 0) {
    throw new AppError("invalid_input", `decisions.${at}: There are two decisions for the same call.`);
  }
  if (ofCall.length > 0) throw new AppError("conflict", (await decidedText(db, ofCall)) ?? outcomeText(id, ofCall));
  if (runs.some(({ status }) => status === "waiting")) {
    throw new AppError("not_found", `No call ${id} is waiting for a decision.`);
  }
  throw new AppError("not_waiting", "The run is not waiting for a decision.");
}

function outcomeText(id: string, ofCall: readonly ApprovalRow[]): string {
  const isExpired = ofCall.every(({ status }) => status === "expired");
  return isExpired ? `Nobody decided on ${id} in time: it has expired.` : `${id} has already been decided.`;
}

interface Chosen {
  readonly runs: readonly ClaimedRun[];
  readonly row: ApprovalRow | undefined;
  readonly decision: Decision;
  readonly at: number;
}

async function take(
  db: Database,
  canonicalEdit: CanonicalEdit,
  { runs, row, decision, at }: Chosen,
): Promise<TakenDecision> {
  const run = runs.find(({ id }) => id === row?.runId);
  if (!row || !run) throw new AppError("not_found", "There is no such call.");
  const asked = { ...toInterrupt(row), id: row.id, runId: run.id };
  checkDecision(decision, toPending(row), at);
  const version = await loadAgentVersion(db, run.agentVersionId);
  await guardDecision(db, { ownerId: run.ownerId, version, texts: textsOf(decision) }, run.id);
  if (decision.args === undefined || asked.kind === "budget") return { asked, decision };
  const args = await canonicalEdit(run, version, { tool: asked.tool, args: decision.args, at });
  return { asked, decision: { ...decision, args } };
}

/** Text written by a person for the model to read. */
function textsOf({ reason, answers = [] }: Decision): string[] {
  return [...answers.flat(), ...(reason === undefined ? [] : [reason])];
}
