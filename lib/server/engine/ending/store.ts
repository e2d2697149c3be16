import { RunSuspended } from "@/lib/agent/run-cancelled";
import type { Message } from "@/lib/schema/messages/message";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { Todo } from "@/lib/schema/runs/todo";
import { incrementBy, uncountedChildren } from "@/lib/server/engine/children/child-totals";
import { waitedUntil } from "@/lib/server/engine/ending/waited-time";
import { countEvent } from "@/lib/server/engine/log/count-event";
import { eventColumns } from "@/lib/server/engine/log/event-row";
import { notifyMembers } from "@/lib/server/engine/log/notify-members";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { announceQueued, announceRows, announceToUser } from "@/lib/server/engine/log/signals";
import { eventStatements, type OutgoingEvent } from "@/lib/server/engine/outgoing/event-statements";
import { endEvents } from "@/lib/server/engine/outgoing/run-events";
import { sentStatements } from "@/lib/server/engine/queue/sent-statements";
import { NO_TRACE } from "@/lib/server/engine/trace-id";
import { toMessageColumns } from "@/lib/server/engine/transcript/load-history";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isNothingChanged } from "@/lib/server/platform/db/errors";
import { closeApprovalsStatement } from "@/lib/server/platform/db/queries/asks";
import { endLeftCallsStatement } from "@/lib/server/platform/db/queries/calls/calls";
import {
  insertMessagesStatement,
  insertTranscriptMessageStatement,
  selectLastMessagePosition,
  selectLastTranscriptPosition,
} from "@/lib/server/platform/db/queries/messages";
import { insertTraceExportStatement } from "@/lib/server/platform/db/queries/outbox/trace-exports";
import { insertRunEventStatement } from "@/lib/server/platform/db/queries/run-events";
import { endRunStatement, markReportedStatement } from "@/lib/server/platform/db/queries/runs";
import { cancelWaitingSpansStatement, endSpansStatement } from "@/lib/server/platform/db/queries/spans";
import { updateThreadStatement } from "@/lib/server/platform/db/queries/threads";
import { updateTraceStatement } from "@/lib/server/platform/db/queries/traces";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { atOnce, doubling, retry } from "@/lib/server/platform/retry";
import { count } from "@/lib/server/platform/telemetry/counters";
import { handoffStatements } from "./handoff-statements";
import { type EndingPlan, type OpenRun, planEnding, type RunEnding } from "./plan";

interface RunEnd {
  readonly run: OpenRun;
  readonly ending: RunEnding;
  /** Every stored row of the run. */
  readonly stored: readonly StoredRunEvent[];
  /** Null keeps the previous run's todos. */
  readonly todos: readonly Todo[] | null;
  readonly followUp?: FollowUp | null;
}

/** Work that follows the run: it is stored with the ending, so that neither exists without the other. */
export interface FollowUp {
  statements(): Promise<readonly SqlStatement[]>;
  isStored: boolean;
}

/** Ten seconds in all. */
export const BUSY_DELAYS_MS = [50, 200, 1_000, 3_000, 5_000];
/** How many other runs of the thread may end at the same moment (several queued ones are stopped together). */
const MAX_TAKEN_POSITIONS = 50;
const FIRST_REFUSED_DELAY_MS = 500;
const LONGEST_REFUSED_DELAY_MS = 3_000;

/**
 * Ends a run in one transaction that is on disk when this resolves: history messages, the assistant's transcript
 * message, todos, the thread's time, status and usage, the last events, the trace. False if the run is no longer in the
 * expected state; then nothing is stored.
 */
export async function storeEnding(
  database: Database,
  { run, ending, stored, todos, followUp = null }: RunEnd,
): Promise<boolean> {
  const children = await uncountedChildren(database, run.id, stored);
  const nowMs = Date.now();
  const waitedMs = await waitedUntil(database, { runId: run.id, stored, endMs: nowMs });
  const plan = planEnding(run, ending, { stored, children, todos, nowMs, waitedMs });
  const storeNow = async () => {
    const follow = (await followUp?.statements()) ?? [];
    await database.runAll([...(await endStatements(database, plan)), ...follow]);
    if (followUp) followUp.isStored = true;
  };
  // A handoff changes the thread's queue, which people change under the same lock.
  const store = () =>
    plan.handoff === null ? storeNow() : database.exclusive(`thread ${plan.run.threadId}`, storeNow);
  const storeAtNextPosition = () => retry(store, { when: isPositionTaken, delays: atOnce(MAX_TAKEN_POSITIONS) });
  try {
    await retry(storeAtNextPosition, { when: isBusy, delays: BUSY_DELAYS_MS });
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
  for (const { event } of plan.rows) countEvent(run.agentId, event);
  count("runs", [run.agentId, plan.columns.status]);
  announceEnd(plan);
  void notifyMembers(database, plan.run, plan.columns.status);
  return true;
}

/**
 * Like `storeEnding` for a run that this process executes, retried until the database accepts it (disk full,
 * restarting): a run must not hang because its ending could not be stored. Gives up when the process ends; then the run
 * is taken over. `stored` is null if the rows have to be read. False if the run continues elsewhere.
 */
export async function storeUntilEnded(
  database: Database,
  { stored, ...end }: Omit<RunEnd, "stored"> & { readonly stored: readonly StoredRunEvent[] | null },
  signal: AbortSignal,
): Promise<boolean> {
  const runId = end.run.id;
  let known = stored;
  const store = async () => {
    const rows = known ?? (await readAllEvents(database, runId));
    known = null;
    return (await storeEnding(database, { ...end, stored: rows })) || hasRunEnded(database, runId);
  };
  const mayPass = (error: unknown) => {
    logger().error({ err: error, runId }, "could not store the end of a run; trying again");
    return !(signal.reason instanceof RunSuspended);
  };
  const delays = doubling(FIRST_REFUSED_DELAY_MS, LONGEST_REFUSED_DELAY_MS);
  // Errors are already logged, and the process is ending.
  return retry(store, { when: mayPass, delays }).catch(() => false);
}

/** The reply to the commit may have been lost; the second attempt then finds the run ended. */
async function hasRunEnded(database: Database, id: string): Promise<boolean> {
  const row = await database.run.findUnique({ where: { id }, select: { endedAt: true } });
  return row !== null && row.endedAt !== null;
}

function isPositionTaken(error: unknown): boolean {
  return error instanceof Error && /message[._]threadId\W*(?:message\.|_)position/.test(error.message);
}

function announceEnd({ run, columns, rows, handoff }: EndingPlan): void {
  const { id: runId, threadId, ownerId } = run;
  announceRows(runId, rows);
  announceQueued(handoff === null ? "run-ended" : undefined);
  announceToUser(ownerId, { type: "run.changed", threadId, runId, status: columns.status });
  if (run.status === "waiting") announceToUser(ownerId, { type: "approval.changed", threadId, runId });
}

/** For one transaction; the first statement fails the others if the run is no longer in the expected state. */
async function endStatements(database: Database, plan: EndingPlan): Promise<SqlStatement[]> {
  const { run, rows, approvals, figures } = plan;
  return [
    ...runStatements(plan),
    ...(await messageStatements(database, plan)),
    threadStatement(plan),
    ...rows.map((row) => insertRunEventStatement(eventColumns(row, run.epoch))),
    closeApprovalsStatement(run.id, { ...approvals, decidedAt: figures.endedAt }),
    ...spanStatements(plan),
    ...exportStatements(plan),
    ...(await eventStatements(database, run, eventsOf(plan), figures.endedAt)),
    ...(plan.handoff === null ? [] : await handoffStatements(database, run.id, plan.handoff.to)),
  ];
}

/** The spans of the last moments are stored up to 100 ms after the end. */
const EXPORT_AFTER_MS = 1_000;

function exportStatements({ run: { id: runId, traceId }, figures: { endedAt } }: EndingPlan): SqlStatement[] {
  if (env().otlp === null || traceId === NO_TRACE) return [];
  const dueAt = new Date(endedAt.getTime() + EXPORT_AFTER_MS);
  return [insertTraceExportStatement({ runId, traceId, endedAt, dueAt })];
}

function eventsOf({ columns, figures, reply }: EndingPlan): OutgoingEvent[] {
  const { status, notice, errorMessage: error } = columns;
  const { costUsd, steps } = figures;
  return endEvents({ status, notice, error, costUsd, steps, response: reply?.text ?? null });
}

function runStatements({ run, columns, figures, todos, countedChildren, why }: EndingPlan): SqlStatement[] {
  const { usage, steps, costUsd, model, timeToFirstTokenMs, startedAt, endedAt, waitedMs } = figures;
  const { endReason } = why;
  const measured = { ...usage, status: columns.status, steps, costUsd, endedAt, model };
  const workedMs = Math.max(0, endedAt.getTime() - startedAt.getTime() - waitedMs);
  const shown = { ...measured, timeToFirstTokenMs, workedMs, waitedMs, error: columns.errorMessage, ...why };
  const left = todos === null ? {} : { todos: JSON.stringify(todos) };
  return [
    endRunStatement(run, { ...measured, ...columns, ...left, startedAt, endReason }),
    ...countedChildren.map(markReportedStatement),
    updateTraceStatement({ id: run.traceId, runId: run.id }, shown),
  ];
}

function threadStatement({ run, figures: { usage, costUsd, model, endedAt } }: EndingPlan): SqlStatement {
  const used = { ...incrementBy(usage, costUsd), ...(model === null ? {} : { model }) };
  return updateThreadStatement(run.threadId, { ...used, updatedAt: endedAt });
}

async function messageStatements(
  database: Database,
  { run, added, reply, figures, isSteered, models }: EndingPlan,
): Promise<SqlStatement[]> {
  const { threadId, id: runId } = run;
  const createdAt = figures.endedAt;
  const first = (await selectLastMessagePosition(database, threadId)) + 1;
  const messages = added.map((item, index) => ({
    ...toMessageColumns(item, () => createId("msg")),
    threadId,
    runId,
    position: first + index,
    ...writtenBy(run.id, item, models),
    createdAt,
  }));
  const history = insertMessagesStatement(database, messages);
  if (reply === null) return [history];
  const { transcriptPosition } = run.input;
  const kept = isSteered ? null : transcriptPosition;
  const position = kept ?? (await selectLastTranscriptPosition(database, threadId)) + 1;
  // The run ended before its message was placed in the transcript.
  const sent =
    transcriptPosition === null ? sentStatements(run.input.messages, { threadId, runId, position, createdAt }) : [];
  const shown = insertTranscriptMessageStatement({
    id: run.assistantMessageId,
    threadId,
    runId,
    position: position + sent.length,
    role: "assistant",
    parts: JSON.stringify(reply.parts),
    text: reply.text,
    createdAt,
  });
  return [history, ...sent, shown];
}

/** The step that a message of the run belongs to, by its id (`run_…:2.1`), and the model that wrote a reply. */
function writtenBy(runId: string, { id = "", role }: Message, models: EndingPlan["models"]) {
  const step = id.startsWith(`${runId}:`) ? Number.parseInt(id.slice(runId.length + 1), 10) : Number.NaN;
  if (Number.isNaN(step)) return { step: null, model: null };
  return { step, model: role === "assistant" ? (models.get(step) ?? null) : null };
}

/** The run's root span, and the spans of its calls that no longer wait for anything. */
function spanStatements({
  run: { id: runId, traceId },
  columns,
  figures,
  spans,
  approvals,
}: EndingPlan): SqlStatement[] {
  if (spans === null) return [];
  const { waitingSince: since, error } = spans;
  return [
    endSpansStatement({ traceId, runId }, { status: columns.status, endedAt: figures.endedAt }),
    cancelWaitingSpansStatement({ traceId, runId }, { since, error }),
    endLeftCallsStatement(runId, { error, decision: approvals.status, endedAt: figures.endedAt }),
  ];
}
