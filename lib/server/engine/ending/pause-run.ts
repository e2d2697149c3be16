import type { RunOutcome } from "@/lib/agent/hook";
import { openInterrupts } from "@/lib/agent/interrupts";
import type { Interrupt } from "@/lib/schema/interrupt";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/run-event";
import { LeaseLost } from "@/lib/server/engine/lease-lost";
import { encodeRunEvent } from "@/lib/server/engine/log/encode-event";
import { announceRows, announceToUser } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound } from "@/lib/server/platform/db/errors";
import { type HeldRun, withRetry } from "./finish-run";
import { measureRun } from "./run-ending";

interface Pause {
  readonly run: HeldRun;
  /** That of the segment: with status `waiting`. */
  readonly outcome: RunOutcome;
  /** Every row of the run so far. */
  readonly stored: readonly StoredRunEvent[];
}

/**
 * Lets go of a run whose calls wait for people or child runs, in one transaction: its status, a row for everything that
 * a person is asked with the `run.waiting` event (neither while only child runs are waited for), the trace. From now on
 * it is a row, held by nobody, until somebody writes `requeueData` to it. Throws LeaseLost when the run is not in the
 * expected state any more.
 */
export async function pauseRun(database: Database, { run, outcome, stored }: Pause): Promise<void> {
  const interrupts = openInterrupts(stored.map(({ event }) => event));
  const now = new Date();
  const event: RunEvent = { type: "run.waiting", interrupts };
  const row = { runId: run.id, seq: (stored.at(-1)?.seq ?? 0) + 1, at: now.getTime(), event };
  const rows = interrupts.length === 0 ? [] : [row];
  const { usage, steps, waitingFor = [] } = outcome;
  const { costUsd, model } = measureRun(stored, usage);
  const held = { status: "waiting", leaseOwner: null, leaseUntil: null };
  await withRetry(async () => {
    try {
      await database.$transaction([
        database.run.update({
          where: { id: run.id, status: run.status, epoch: run.epoch },
          data: { ...usage, ...held, steps, costUsd, waitingFor: waitingFor.join(","), waitingSince: now },
          select: { id: true },
        }),
        database.approval.createMany({ data: interrupts.map((asked) => approvalColumns(run, asked, now)) }),
        database.runEvent.createMany({ data: rows.map((item) => eventColumns(item, run.epoch)) }),
        database.trace.updateMany({
          where: { id: run.traceId, runId: run.id },
          data: { ...(rows.length > 0 ? { status: "waiting" } : {}), model, steps },
        }),
      ]);
    } catch (error) {
      if (isNotFound(error)) throw new LeaseLost();
      throw error;
    }
  });
  if (rows.length === 0) return;
  announceRows(run.id, rows);
  announceInterrupts(run, "waiting");
}

interface WaitingRun {
  readonly segment: number;
  readonly waitedMs: number;
  readonly waitingSince: Date | null;
}

/** The columns that make a waiting run a queued one, whose next segment begins; the time it waited does not count. */
export function requeueData({ segment, waitedMs, waitingSince }: WaitingRun) {
  const waited = waitingSince === null ? 0 : Math.max(0, Date.now() - waitingSince.getTime());
  const status = "queued" as const;
  return { status, segment: segment + 1, waitingFor: null, waitingSince: null, waitedMs: waitedMs + waited };
}

/** Tells the owner's pages that something waits for a person, or does not any more. */
export function announceInterrupts(run: Pick<HeldRun, "id" | "ownerId" | "threadId">, status: string): void {
  const { id: runId, ownerId, threadId } = run;
  announceToUser(ownerId, { type: "run.changed", threadId, runId, status });
  announceToUser(ownerId, { type: "approval.changed", threadId, runId });
}

export function eventColumns({ runId, seq, at, event }: StoredRunEvent, epoch: number) {
  return { runId, seq, epoch, type: event.type, data: encodeRunEvent(event), createdAt: new Date(at) };
}

function approvalColumns(run: HeldRun, interrupt: Interrupt, now: Date) {
  const { kind, toolCallId, tool, args, reason, runsIn, expiresAt, questions, facts } = interrupt;
  return {
    id: createId("apr"),
    runId: run.id,
    threadId: run.threadId,
    ownerId: run.ownerId,
    kind,
    toolCallId,
    tool,
    args: JSON.stringify(args),
    reason: reason ?? null,
    runsIn: runsIn ?? null,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    questions: questions === undefined ? null : JSON.stringify(questions),
    facts: facts === undefined ? null : JSON.stringify(facts),
    createdAt: now,
  };
}
