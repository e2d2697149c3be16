import { isRunSuspended } from "@/lib/agent/run-cancelled";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import type { Todo } from "@/lib/schema/todo";
import { incrementBy, uncountedChildren } from "@/lib/server/engine/children/child-totals";
import { eventColumns } from "@/lib/server/engine/log/event-row";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { announceQueued, announceRows, announceToUser } from "@/lib/server/engine/log/signals";
import { toMessageColumns } from "@/lib/server/engine/transcript/load-history";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isNothingChanged } from "@/lib/server/platform/db/errors";
import { cancelWaitingSpansStatement, endSpansStatement } from "@/lib/server/platform/db/queries/spans";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";
import { insertRow, insertRows, updateRows } from "@/lib/server/platform/db/statements";
import { logger } from "@/lib/server/platform/logger";
import { atOnce, doubling, retry } from "@/lib/server/platform/retry";
import { type EndingPlan, type OpenRun, planEnding, type RunEnding } from "./plan";

interface RunEnd {
  readonly run: OpenRun;
  readonly ending: RunEnding;
  /** Every row of the run that is stored. */
  readonly stored: readonly StoredRunEvent[];
  /** Null leaves the thread's todos unchanged. */
  readonly todos: readonly Todo[] | null;
}

/** Ten seconds in all. */
export const BUSY_DELAYS_MS = [50, 200, 1_000, 3_000, 5_000];
/** How many other runs of the thread may end at the same moment (several queued ones are stopped together). */
const MAX_TAKEN_POSITIONS = 50;
const FIRST_REFUSED_DELAY_MS = 500;
const LONGEST_REFUSED_DELAY_MS = 3_000;

/**
 * Ends a run in one transaction that is on disk when this resolves: history messages, the assistant's transcript
 * message, todos, the thread's time, status and usage, the last events, the trace. False when the run is no longer in
 * the expected state; then nothing is stored.
 */
export async function storeEnding(database: Database, { run, ending, stored, todos }: RunEnd): Promise<boolean> {
  const children = await uncountedChildren(database, run.id, stored);
  const plan = planEnding(run, ending, { stored, children, todos, nowMs: Date.now() });
  const store = async () => {
    await database.rawTransaction(await endStatements(database, plan));
  };
  const storeBehindOthers = () => retry(store, { when: isPositionTaken, delays: atOnce(MAX_TAKEN_POSITIONS) });
  try {
    await retry(storeBehindOthers, { when: isBusy, delays: BUSY_DELAYS_MS });
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
  announceEnd(plan);
  return true;
}

/**
 * As `storeEnding` for a run that this process executes, retried until the database accepts it (disk full,
 * restarting): a run must not hang because its ending could not be stored. Gives up when the process ends; then the
 * run is taken over. `stored` is null when the rows have to be read. False when the run continues elsewhere.
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
    return !isRunSuspended(signal.reason);
  };
  const delays = doubling(FIRST_REFUSED_DELAY_MS, LONGEST_REFUSED_DELAY_MS);
  // What is thrown has been logged, and the process ends.
  return retry(store, { when: mayPass, delays }).catch(() => false);
}

/** The answer to the commit may have been lost; the second attempt then finds the run ended. */
async function hasRunEnded(database: Database, id: string): Promise<boolean> {
  const row = await database.run.findUnique({ where: { id }, select: { endedAt: true } });
  return row !== null && row.endedAt !== null;
}

function isPositionTaken(error: unknown): boolean {
  return error instanceof Error && /message[._]threadId\W*(?:message\.|_)position/.test(error.message);
}

function announceEnd({ run, columns, rows }: EndingPlan): void {
  const { id: runId, threadId, ownerId } = run;
  announceRows(runId, rows);
  announceQueued();
  announceToUser(ownerId, { type: "run.changed", threadId, runId, status: columns.status });
  if (run.status === "waiting") announceToUser(ownerId, { type: "approval.changed", threadId, runId });
}

/** For one transaction; the first statement fails the others when the run is no longer in the expected state. */
async function endStatements(database: Database, plan: EndingPlan): Promise<SqlStatement[]> {
  const { run, rows, approvals } = plan;
  return [
    ...runStatements(plan),
    ...(await messageStatements(database, plan)),
    ...todoStatements(database, plan),
    threadStatement(plan),
    ...rows.map((row) => insertRow("run_event", eventColumns(row, run.epoch))),
    updateRows("approval", { runId: run.id, status: "pending" }, { ...approvals, decidedAt: plan.figures.endedAt }),
    ...spanStatements(plan),
  ];
}

function runStatements({ run, columns, figures, countedChildren }: EndingPlan): SqlStatement[] {
  const { usage, steps, costUsd, model, timeToFirstTokenMs, startedAt, endedAt } = figures;
  const measured = { ...usage, status: columns.status, steps, costUsd, endedAt };
  const released = { waitingFor: null, waitingSince: null, leaseOwner: null, leaseUntil: null };
  const ended = updateRows(
    "run",
    { id: run.id, status: run.status, epoch: run.epoch },
    { ...measured, ...columns, ...released, startedAt },
  );
  const shown = { ...measured, model, timeToFirstTokenMs, error: columns.errorMessage };
  return [
    { ...ended, mustChange: true },
    ...countedChildren.map((id) => updateRows("run", { id }, { isReported: true })),
    updateRows("trace", { id: run.traceId, runId: run.id }, shown),
  ];
}

function threadStatement({ run, figures: { usage, costUsd, model, endedAt } }: EndingPlan): SqlStatement {
  const used = { ...incrementBy(usage, costUsd), ...(model === null ? {} : { model }) };
  return updateRows("thread", { id: run.threadId }, { ...used, updatedAt: endedAt });
}

const MESSAGE_COLUMNS = {
  id: "text",
  threadId: "text",
  runId: "text",
  position: "integer",
  role: "text",
  content: "text",
  toolCalls: "text",
  reasoning: "text",
  toolCallId: "text",
  name: "text",
  isError: "boolean",
  bodyHash: "text",
  createdAt: "timestamp",
} as const;

async function messageStatements(database: Database, { run, added, reply, figures }: EndingPlan) {
  const { threadId, id: runId } = run;
  const createdAt = figures.endedAt;
  const [last] = await database.raw<{ position: number | null }>(
    `select max("position") as "position" from "message" where "threadId" = $1`,
    [threadId],
  );
  const first = (last?.position ?? 0) + 1;
  const messages = added.map((item, index) => ({
    ...toMessageColumns(item, () => createId("msg")),
    ...{ threadId, runId, position: first + index, createdAt },
  }));
  const history = insertRows(database.dialect, "message", MESSAGE_COLUMNS, messages);
  if (reply === null) return [history];
  const shown = insertRow("transcript_message", {
    id: run.assistantMessageId,
    threadId,
    runId,
    position: run.input.transcriptPosition,
    role: "assistant",
    parts: JSON.stringify(reply.parts),
    text: reply.text,
    createdAt,
  });
  return [history, shown];
}

const TODO_COLUMNS = { threadId: "text", position: "integer", todoId: "text", title: "text", status: "text" } as const;

function todoStatements({ dialect }: Database, { run: { threadId }, todos }: EndingPlan): SqlStatement[] {
  if (todos === null) return [];
  const rows = todos.map(({ id: todoId, title, status }, position) => ({ threadId, position, todoId, title, status }));
  const cleared = { sql: `delete from "todo" where "threadId" = $1`, parameters: [threadId] };
  return rows.length === 0 ? [cleared] : [cleared, insertRows(dialect, "todo", TODO_COLUMNS, rows)];
}

/** The run's root span, and the spans of its calls that no longer wait for anything. */
function spanStatements({ run, columns, figures, spans }: EndingPlan): SqlStatement[] {
  if (spans === null) return [];
  const ofRun = { traceId: run.traceId, runId: run.id };
  return [
    endSpansStatement(ofRun, { status: columns.status, endedAt: figures.endedAt }),
    cancelWaitingSpansStatement(ofRun, { since: spans.waitingSince, error: spans.error }),
  ];
}
