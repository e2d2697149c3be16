import type { RunEvent, StoredRunEvent } from "@/lib/schema/run-event";
import type { Todo } from "@/lib/schema/todo";
import { type ChildTotals, uncountedChildren } from "@/lib/server/engine/children/child-totals";
import { LeaseLost } from "@/lib/server/engine/lease-lost";
import { announceQueued, announceRows, announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isNothingChanged } from "@/lib/server/platform/db/errors";
import { endStatements, statusOf } from "./end-statements";
import type { RunEnding } from "./run-ending";

/** A run in the state in which the caller knows it; the update is refused when it is not in it any more. */
export interface HeldRun {
  readonly id: string;
  readonly threadId: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly traceId: string;
  readonly assistantMessageId: string;
  readonly segment: number;
  readonly status: "queued" | "running" | "waiting";
  readonly epoch: number;
  readonly transcriptPosition: number;
}

interface Finish {
  readonly run: HeldRun;
  readonly ending: RunEnding;
  /** Every row of the run so far. */
  readonly events: readonly StoredRunEvent[];
  /** Those at the end of `events` that are not stored yet. */
  readonly newEvents?: readonly StoredRunEvent[];
  /** Null leaves the thread's todos as they are. */
  readonly todos: readonly Todo[] | null;
}

const RETRY_DELAYS_MS = [50, 200, 1_000, 3_000, 5_000];

/**
 * Ends a run in one transaction that has reached the disk when this resolves: history messages, the assistant's
 * transcript message, todos, the thread's time, status and usage, the terminal event, the trace. Throws LeaseLost
 * when the run is not in the expected state any more; then nothing is stored.
 */
export async function finishRun(database: Database, finish: Finish): Promise<void> {
  const { run, ending } = finish;
  const children = await uncountedChildren(database, run.id, finish.events);
  const rows = terminalRows(finish, children);
  const events = [...finish.events, ...rows];
  const newRows = [...(finish.newEvents ?? []), ...rows];
  await withRetry(() =>
    atFreePlace(async () => {
      const statements = await endStatements(database, { run, ending, todos: finish.todos, events, newRows, children });
      try {
        await database.rawTransaction(statements);
      } catch (error) {
        if (isNothingChanged(error)) throw new LeaseLost();
        throw error;
      }
    }),
  );
  announceRows(run.id, newRows);
  announceQueued();
  announceToUser(run.ownerId, {
    type: "run.changed",
    threadId: run.threadId,
    runId: run.id,
    status: statusOf(ending.event),
  });
}

/** The ending's row; a run that never started gets its first row too, so that every stream has a start. */
function terminalRows({ run, ending, events }: Finish, { completed }: ChildTotals): StoredRunEvent[] {
  const { id: runId, threadId, agentId, traceId, assistantMessageId, segment } = run;
  const started: RunEvent = { type: "run.started", threadId, agentId, traceId, assistantMessageId, segment };
  const all = events.length === 0 ? [started, ending.event] : [...completed, ending.event];
  const lastSeq = events.at(-1)?.seq ?? 0;
  return all.map((event, index) => ({ runId, seq: lastSeq + 1 + index, at: Date.now(), event }));
}

const PLACE_TAKEN = /message[._]threadId\W*(?:message\.|_)position/;
const PLACE_ATTEMPTS = 50;

/**
 * Repeats what gives messages the next places of their thread and finds one taken: another run of the thread has ended
 * at the same moment (several queued ones are stopped together).
 */
async function atFreePlace(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isTaken = error instanceof Error && PLACE_TAKEN.test(error.message);
      if (!isTaken || attempt === PLACE_ATTEMPTS) throw error;
    }
  }
}

/** Repeats what failed only because the database was busy. */
export async function withRetry(work: () => Promise<void>): Promise<void> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return work();
}
