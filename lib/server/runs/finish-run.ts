import type { RunEvent, StoredRunEvent } from "@/lib/schema/run-event";
import type { Todo } from "@/lib/schema/todo";
import { addUsage } from "@/lib/schema/usage";
import { createId } from "../create-id";
import type { Database } from "../db";
import { toMessageColumns } from "../threads/load-history";
import { addCost, type ChildTotals, uncountedChildren } from "./child-totals";
import { encodeRunEvent } from "./encode-event";
import { foldTranscript, plainText } from "./fold-transcript";
import { isDatabaseBusy } from "./insert-events";
import { LeaseLost } from "./lease-lost";
import { measureRun, type RunEnding } from "./run-ending";
import { announceQueued, announceRows, announceToUser } from "./run-signal";

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
  const { run } = finish;
  const children = await uncountedChildren(database, run.id, finish.events);
  const rows = terminalRows(finish, children);
  const events = [...finish.events, ...rows];
  const newRows = [...(finish.newEvents ?? []), ...rows];
  const statements = async () => [
    ...runStatements(database, finish, events, children),
    ...(await threadStatements(database, finish, events)),
    database.runEvent.createMany({ data: newRows.map((row) => eventColumns(row, run.epoch)) }),
    database.approval.updateMany({
      where: { runId: run.id, status: "pending" },
      data: { status: "declined", decidedAt: new Date() },
    }),
  ];
  await withRetry(async () => {
    try {
      await database.$transaction(await statements());
    } catch (error) {
      if (isNotFound(error)) throw new LeaseLost();
      throw error;
    }
  });
  announceRows(run.id, newRows);
  announceQueued();
  announceToUser(run.ownerId, {
    type: "run.changed",
    threadId: run.threadId,
    runId: run.id,
    status: statusOf(finish.ending.event),
  });
}

function statusOf(event: RunEnding["event"]) {
  return event.type === "run.cancelled" ? "cancelled" : event.status;
}

/** The ending's row; a run that never started gets its first row too, so that every stream has a start. */
function terminalRows({ run, ending, events }: Finish, { completed }: ChildTotals): StoredRunEvent[] {
  const { id: runId, threadId, agentId, traceId, assistantMessageId, segment } = run;
  const started: RunEvent = { type: "run.started", threadId, agentId, traceId, assistantMessageId, segment };
  const all = events.length === 0 ? [started, ending.event] : [...completed, ending.event];
  const lastSeq = events.at(-1)?.seq ?? 0;
  return all.map((event, index) => ({ runId, seq: lastSeq + 1 + index, at: Date.now(), event }));
}

function eventColumns({ runId, seq, at, event }: StoredRunEvent, epoch: number) {
  return { runId, seq, epoch, type: event.type, data: encodeRunEvent(event), createdAt: new Date(at) };
}

function runStatements(
  database: Database,
  { run, ending }: Finish,
  events: readonly StoredRunEvent[],
  children: ChildTotals,
) {
  const { event, steps } = ending;
  const { costUsd: ownCostUsd, model, timeToFirstTokenMs } = measureRun(events, ending.usage);
  const usage = addUsage(ending.usage, children.usage);
  const costUsd = addCost(ownCostUsd, children.costUsd);
  const endedAt = new Date(events.at(-1)?.at ?? Date.now());
  const status = statusOf(event);
  const error = event.type === "run.failed" ? event.error : null;
  return [
    database.run.update({
      where: { id: run.id, status: run.status, epoch: run.epoch },
      data: {
        ...usage,
        status,
        steps,
        costUsd,
        endedAt,
        startedAt: new Date(events.at(0)?.at ?? endedAt),
        notice: event.type === "run.completed" ? (event.notice ?? null) : null,
        errorCode: error?.code ?? null,
        errorMessage: error?.message ?? null,
        cancelledBy: event.type === "run.cancelled" ? event.by : undefined,
        waitingFor: null,
        waitingSince: null,
        leaseOwner: null,
        leaseUntil: null,
      },
      select: { id: true },
    }),
    database.run.updateMany({ where: { id: { in: [...children.ids] } }, data: { isReported: true } }),
    database.trace.updateMany({
      where: { id: run.traceId, runId: run.id },
      data: { ...usage, status, steps, costUsd, model, timeToFirstTokenMs, endedAt, error: error?.message ?? null },
    }),
  ];
}

async function threadStatements(database: Database, finish: Finish, events: readonly StoredRunEvent[]) {
  const { run, ending, todos } = finish;
  const { threadId, id: runId } = run;
  const [last] = await database.raw<{ position: number | null }>(
    `select max("position") as "position" from "message" where "threadId" = $1`,
    [threadId],
  );
  const first = (last?.position ?? 0) + 1;
  const parts = foldTranscript(events)?.parts ?? [];
  return [
    database.message.createMany({
      data: ending.added.map((item, index) => ({
        ...toMessageColumns(item, () => createId("msg")),
        threadId,
        runId,
        position: first + index,
      })),
    }),
    ...(isUnseen(ending, parts)
      ? []
      : [
          database.transcriptMessage.create({
            data: {
              id: run.assistantMessageId,
              threadId,
              runId,
              position: run.transcriptPosition,
              role: "assistant",
              parts: JSON.stringify(parts),
              text: plainText(parts),
            },
            select: { id: true },
          }),
        ]),
    ...(todos === null
      ? []
      : [
          database.todo.deleteMany({ where: { threadId } }),
          database.todo.createMany({
            data: todos.map((todo, position) => ({
              threadId,
              position,
              todoId: todo.id,
              title: todo.title,
              status: todo.status,
            })),
          }),
        ]),
    database.thread.updateMany({ where: { id: threadId }, data: { updatedAt: new Date() } }),
  ];
}

/** A silent reply leaves nothing in the transcript, unless its run did something that people saw (D-40). */
function isUnseen({ event }: RunEnding, parts: readonly { readonly type: string }[]): boolean {
  return event.type === "run.completed" && event.silent === true && parts.every(({ type }) => type === "step-start");
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2025";
}

/** Repeats what failed only because the database was busy. */
export async function withRetry(work: () => Promise<void>): Promise<void> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return work();
}
