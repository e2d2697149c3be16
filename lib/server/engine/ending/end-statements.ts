import type { StoredRunEvent } from "@/lib/schema/run-event";
import type { Todo } from "@/lib/schema/todo";
import { addCost, addUsage } from "@/lib/schema/usage";
import { type ChildTotals, incrementBy } from "@/lib/server/engine/children/child-totals";
import { encodeRunEvent } from "@/lib/server/engine/log/encode-event";
import { foldTranscript, plainText } from "@/lib/server/engine/transcript/fold-transcript";
import { toMessageColumns } from "@/lib/server/engine/transcript/load-history";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";
import { insertRow, insertRows, updateRows } from "@/lib/server/platform/db/statements";
import type { HeldRun } from "./finish-run";
import { measureRun, type RunEnding } from "./run-ending";

/** A run's end with everything that is stored with it. */
interface RunEnd {
  readonly run: HeldRun;
  readonly ending: RunEnding;
  /** Every row of the run, the last included. */
  readonly events: readonly StoredRunEvent[];
  /** Those of `events` that are not stored yet. */
  readonly newRows: readonly StoredRunEvent[];
  readonly children: ChildTotals;
  /** Null leaves the thread's todos as they are. */
  readonly todos: readonly Todo[] | null;
}

/** What ends a run, for one transaction. The first statement fails the others when the run is not held any more. */
export async function endStatements(database: Database, end: RunEnd): Promise<SqlStatement[]> {
  const { run, ending, events, newRows, children } = end;
  const own = measureRun(events, ending.usage);
  const usage = addUsage(ending.usage, children.usage);
  const figures = { ...own, usage, costUsd: addCost(own.costUsd, children.costUsd) };
  return [
    ...runStatements(end, figures),
    ...(await messageStatements(database, end)),
    ...todoStatements(database, end),
    updateRows(
      "thread",
      { id: run.threadId },
      {
        ...incrementBy(usage, figures.costUsd),
        ...(figures.model === null ? {} : { model: figures.model }),
        updatedAt: new Date(),
      },
    ),
    ...newRows.map(({ runId, seq, at, event }) =>
      insertRow("run_event", {
        runId,
        seq,
        epoch: run.epoch,
        type: event.type,
        data: encodeRunEvent(event),
        createdAt: new Date(at),
      }),
    ),
    undecidedStatement(end),
    ...spanStatements(end),
  ];
}

/** What a run still asks when it ends, nobody has decided. */
function undecidedStatement({ run, newRows }: RunEnd): SqlStatement {
  const isExpired = newRows.some(({ event }) => event.type === "interrupt.decided" && event.decision === "expired");
  const outcome: Readonly<Record<string, string>> = isExpired
    ? { status: "expired", decidedVia: "time" }
    : { status: "declined" };
  return updateRows("approval", { runId: run.id, status: "pending" }, { ...outcome, decidedAt: new Date() });
}

/** Of a run that no process holds: its root span, and the spans of the calls that now wait for nothing any more. */
function spanStatements({ run, ending, events, newRows }: RunEnd): SqlStatement[] {
  if (run.status === "running") return [];
  const segmentAt = events.findLast(({ event }) => event.type === "run.started")?.at ?? 0;
  const results = newRows.flatMap(({ event }) => (event.type === "tool.result" ? [event.result.error ?? null] : []));
  return [
    {
      sql: `update "span" set "status" = $3, "endedAt" = $4 where "traceId" = $1 and "runId" = $2 and "endedAt" is null`,
      parameters: [run.traceId, run.id, statusOf(ending.event), new Date()],
    },
    {
      sql: `update "span" set "status" = 'cancelled', "error" = $4
        where "traceId" = $1 and "runId" = $2 and "status" = 'waiting' and "startedAt" >= $3`,
      parameters: [run.traceId, run.id, new Date(segmentAt), results[0] ?? null],
    },
  ];
}

/** The status that the last event gives to a run. */
export function statusOf(event: RunEnding["event"]) {
  return event.type === "run.cancelled" ? "cancelled" : event.status;
}

type Figures = ReturnType<typeof measureRun> & Pick<RunEnding, "usage">;

function runStatements({ run, ending, events, children }: RunEnd, figures: Figures): SqlStatement[] {
  const { event, steps } = ending;
  const { usage, costUsd, model, timeToFirstTokenMs } = figures;
  const endedAt = new Date(events.at(-1)?.at ?? Date.now());
  const error = event.type === "run.failed" ? event.error : null;
  const measured = { ...usage, status: statusOf(event), steps, costUsd, endedAt };
  const ended = updateRows(
    "run",
    { id: run.id, status: run.status, epoch: run.epoch },
    {
      ...measured,
      startedAt: new Date(events.at(0)?.at ?? endedAt),
      notice: event.type === "run.completed" ? (event.notice ?? null) : null,
      errorCode: error?.code ?? null,
      errorMessage: error?.message ?? null,
      ...(event.type === "run.cancelled" ? { cancelledBy: event.by } : {}),
      waitingFor: null,
      waitingSince: null,
      leaseOwner: null,
      leaseUntil: null,
    },
  );
  const shown = { ...measured, model, timeToFirstTokenMs, error: error?.message ?? null };
  return [
    { ...ended, mustChange: true },
    ...children.ids.map((id) => updateRows("run", { id }, { isReported: true })),
    updateRows("trace", { id: run.traceId, runId: run.id }, shown),
  ];
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
  createdAt: "timestamp",
} as const;

async function messageStatements(database: Database, { run, ending, events }: RunEnd): Promise<SqlStatement[]> {
  const { threadId, id: runId } = run;
  const [last] = await database.raw<{ position: number | null }>(
    `select max("position") as "position" from "message" where "threadId" = $1`,
    [threadId],
  );
  const first = (last?.position ?? 0) + 1;
  const createdAt = new Date();
  const added = ending.added.map((item, index) => ({
    ...toMessageColumns(item, () => createId("msg")),
    threadId,
    runId,
    position: first + index,
    createdAt,
  }));
  const history = insertRows(database.dialect, "message", MESSAGE_COLUMNS, added);
  const parts = foldTranscript(events)?.parts ?? [];
  if (isUnseen(ending, parts)) return [history];
  const reply = insertRow("transcript_message", {
    id: run.assistantMessageId,
    threadId,
    runId,
    position: run.transcriptPosition,
    role: "assistant",
    parts: JSON.stringify(parts),
    text: plainText(parts),
    createdAt,
  });
  return [history, reply];
}

/** A silent reply leaves nothing in the transcript, unless its run did something that people saw (D-40). */
function isUnseen({ event }: RunEnding, parts: readonly { readonly type: string }[]): boolean {
  return event.type === "run.completed" && event.silent === true && parts.every(({ type }) => type === "step-start");
}

const TODO_COLUMNS = { threadId: "text", position: "integer", todoId: "text", title: "text", status: "text" } as const;

function todoStatements({ dialect }: Database, { run: { threadId }, todos }: RunEnd): SqlStatement[] {
  if (todos === null) return [];
  const rows = todos.map(({ id: todoId, title, status }, position) => ({ threadId, position, todoId, title, status }));
  const cleared = { sql: `delete from "todo" where "threadId" = $1`, parameters: [threadId] };
  return rows.length === 0 ? [cleared] : [cleared, insertRows(dialect, "todo", TODO_COLUMNS, rows)];
}
