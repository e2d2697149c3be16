import type { RunOutcome } from "@/lib/agent/hooks/hook";
import { openInterrupts } from "@/lib/agent/interrupts";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { eventColumns } from "@/lib/server/engine/log/event-row";
import { notifyMembers } from "@/lib/server/engine/log/notify-members";
import { announceRows, announceRunWithAsks, announceToUser } from "@/lib/server/engine/log/signals";
import { eventStatements } from "@/lib/server/engine/outgoing/event-statements";
import { waitEvents } from "@/lib/server/engine/outgoing/run-events";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isNothingChanged } from "@/lib/server/platform/db/errors";
import { insertApprovalStatement } from "@/lib/server/platform/db/queries/asks";
import { insertRunEventStatement } from "@/lib/server/platform/db/queries/run-events";
import { pauseRunStatement } from "@/lib/server/platform/db/queries/runs";
import { pauseTraceStatement } from "@/lib/server/platform/db/queries/traces";
import { retry } from "@/lib/server/platform/retry";
import { measureRun, type OpenRun } from "./plan";
import { BUSY_DELAYS_MS } from "./store";

interface Pause {
  readonly run: OpenRun;
  /** The segment's outcome, with status `waiting`. */
  readonly outcome: RunOutcome;
  /** Every row of the run so far. */
  readonly stored: readonly StoredRunEvent[];
}

/** The task that expires asks that were not decided in time. */
export const EXPIRY = "expiry";

/** Statements for a timer at each time at which one of the asks expires. */
async function expiryTimers(database: Database, runId: string, interrupts: readonly Interrupt[]) {
  const times = new Set(interrupts.flatMap(({ expiresAt }) => expiresAt ?? []));
  const dispatcher = dispatcherOf(database);
  const all = [...times].map((time) => {
    const at = new Date(time);
    return dispatcher.schedule({ name: `${EXPIRY} ${runId} ${at.getTime()}`, at, task: EXPIRY, data: { runId } });
  });
  return (await Promise.all(all)).flat();
}

/**
 * Ends the segment of a run whose calls wait for people or child runs, in one transaction: its status, a row for each
 * ask with the `run.waiting` event (neither if it only waits for child runs), the trace. From then on it is a row
 * without a lease, until `requeueColumns` queue it again. False if the run is no longer in the expected state; then
 * nothing is stored.
 */
export async function pauseRun(database: Database, { run, outcome, stored }: Pause): Promise<boolean> {
  const interrupts = openInterrupts(stored.map(({ event }) => event));
  const now = new Date();
  const event: RunEvent = { type: "run.waiting", interrupts };
  const row = { runId: run.id, seq: (stored.at(-1)?.seq ?? 0) + 1, at: now.getTime(), event };
  const rows = interrupts.length === 0 ? [] : [row];
  const { usage, costUsd, steps, waitingFor = [] } = outcome;
  const { model } = measureRun(stored);
  const timers = await expiryTimers(database, run.id, interrupts);
  const rules = await rulesOf(database, run.id, interrupts);
  const events = await eventStatements(database, run, waitEvents(interrupts), now);
  const store = () =>
    database.runAll([
      pauseRunStatement(run, { ...usage, steps, costUsd, model, waitingFor: waitingFor.join(","), waitingSince: now }),
      ...interrupts.map((asked) =>
        insertApprovalStatement({ ...approvalColumns(run, asked, now), rule: rules.get(asked.toolCallId) ?? null }),
      ),
      ...rows.map((item) => insertRunEventStatement(eventColumns(item, run.epoch))),
      pauseTraceStatement(
        { id: run.traceId, runId: run.id },
        { ...(rows.length > 0 ? { status: "waiting" } : {}), model, steps },
      ),
      ...timers,
      ...events,
    ]);
  try {
    await retry(store, { when: isBusy, delays: BUSY_DELAYS_MS });
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
  if (rows.length > 0) {
    announceRows(run.id, rows);
    announceRunWithAsks(run, "waiting");
    void notifyMembers(database, run, "waiting");
    if (interrupts.some(({ budget }) => budget?.raise.by === "admins")) await tellAdministrators(database, run);
  }
  return true;
}

/** The rules that ask about these calls, as JSON, by call; the segment's calls are stored before it pauses. */
async function rulesOf(database: Database, runId: string, interrupts: readonly Interrupt[]) {
  const toolCallIds = interrupts.flatMap(({ kind, toolCallId }) => (kind === "approval" ? [toolCallId] : []));
  if (toolCallIds.length === 0) return new Map<string, string | null>();
  const where = { runId, toolCallId: { in: toolCallIds } };
  const calls = await database.call.findMany({ where, select: { toolCallId: true, rule: true } });
  return new Map(calls.map(({ toolCallId, rule }) => [toolCallId, rule]));
}

/** Administrators' inboxes list the budgets that only they can raise. */
async function tellAdministrators(database: Database, { id: runId, threadId, ownerId }: OpenRun): Promise<void> {
  const admins = await database.user.findMany({
    where: { role: "admin", isService: false, deactivatedAt: null, id: { not: ownerId } },
    select: { id: true },
  });
  for (const { id } of admins) announceToUser(id, { type: "approval.changed", threadId, runId });
}

function approvalColumns(run: OpenRun, interrupt: Interrupt, now: Date) {
  const { kind, toolCallId, tool, args, budget, connect, reason, runsIn, expiresAt, facts, questions } = interrupt;
  return {
    id: createId("apr"),
    runId: run.id,
    threadId: run.threadId,
    ownerId: run.ownerId,
    kind,
    toolCallId,
    tool,
    args: JSON.stringify(budget ?? connect ?? args),
    reason: reason ?? null,
    runsIn: runsIn ?? null,
    facts: facts === undefined ? null : JSON.stringify(facts),
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    questions: questions === undefined ? null : JSON.stringify(questions),
    createdAt: now,
  };
}
