import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import {
  interruptCallsOfEndedRunsStatement,
  interruptCallsStatement,
} from "@/lib/server/platform/db/queries/calls/calls";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { notBeforeStart } from "@/lib/server/platform/db/statements";
import { redactOpenSecrets } from "@/lib/server/platform/secrets/known-secrets";

/**
 * A row of the table. Its attributes are the text of a JSON object; its times are text in rows read by `selectSpans`,
 * dates in those read by Prisma.
 */
export interface SpanRow {
  readonly id: string;
  readonly traceId: string;
  readonly runId: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly name: string;
  readonly status: string;
  readonly attributes: string;
  readonly error: string | null;
  readonly startedAt: Date | string;
  readonly endedAt: Date | string | null;
}

/** A span as written, at its start and again at its end. Times are Unix ms. */
export interface NewSpan extends Omit<SpanRow, "attributes" | "startedAt" | "endedAt"> {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  /** The claim of the span's run; absent for work that follows the run. */
  readonly epoch?: number;
}

const COLUMNS = {
  id: "text",
  traceId: "text",
  runId: "text",
  parentId: "text",
  type: "text",
  name: "text",
  status: "text",
  attributes: "text",
  error: "text",
  startedAt: "timestamp",
  endedAt: "timestamp",
} as const satisfies Record<keyof SpanRow, string>;

const COLUMN_LIST = Object.keys(COLUMNS)
  .map((name) => `"${name}"`)
  .join(", ");

/** The process that wrote the span has since lost the run. */
const IS_LATE = `coalesce(r."epoch" > s."epoch", false)`;

const FENCED_LIST = Object.keys(COLUMNS)
  .map((name) => {
    if (name === "status") return `case when ${IS_LATE} and s."endedAt" is null then 'interrupted' else s."status" end`;
    if (name === "endedAt")
      return `case when ${IS_LATE} then coalesce(s."endedAt", s."startedAt") else s."endedAt" end`;
    return `s."${name}"`;
  })
  .join(", ");

/**
 * One statement for all of them. With several processes, a process whose run was taken over changes nothing stored, and
 * spans that it adds are interrupted from the start. No known secret is stored.
 */
export function upsertSpansStatement(database: Database, spans: readonly NewSpan[]): SqlStatement {
  const rows = database.dialect.rows("s", { ...COLUMNS, epoch: "integer" }, "$1");
  const source =
    database.dialect.provider === "sqlite"
      ? `select ${COLUMN_LIST} from ${rows} where true`
      : `select ${FENCED_LIST} from ${rows} left join "run" r on r."id" = s."runId"
          where not ${IS_LATE} or not exists (select 1 from "span" known where known."id" = s."id")`;
  const sql = `insert into "span" (${COLUMN_LIST}) ${source}
    on conflict ("id") do update set "status" = excluded."status", "attributes" = excluded."attributes",
      "error" = excluded."error", "endedAt" = excluded."endedAt"`;
  return { sql, parameters: [redactOpenSecrets(sqlJson(spans.map(toRow)))] };
}

function toRow(span: NewSpan) {
  const { id, traceId, runId, parentId, type, name, status, error, epoch } = span;
  const { startedAtMs, endedAtMs, attributes } = span;
  return {
    ...{ id, traceId, runId, parentId, type, name, status, error, epoch },
    attributes: sqlJson(attributes),
    startedAt: sqlTimestamp(new Date(startedAtMs)),
    endedAt: endedAtMs === null ? null : sqlTimestamp(new Date(Math.max(startedAtMs, endedAtMs))),
  };
}

/**
 * In order of their start. Raw, because Prisma takes four times as long; with times as text, because a trace may have
 * ten thousand spans and a date costs ten times as much.
 */
export function selectSpans(database: Database, traceId: string): Promise<SpanRow[]> {
  return database.raw<SpanRow>(`select ${COLUMN_LIST} from "span" where "traceId" = $1 order by "startedAt", "id"`, [
    traceId,
  ]);
}

export interface ModelCallSpan {
  readonly traceId: string;
  readonly runId: string;
  readonly attributes: string;
  readonly endedAt: Date | null;
}

/** The model calls of the traces, summaries included, in order of their start. */
export async function selectModelCalls(database: Database, traceIds: readonly string[]): Promise<ModelCallSpan[]> {
  const rows = await database.raw(
    `select s."traceId", s."runId", s."attributes", s."endedAt" from "span" s
     join ${database.dialect.rows("t", { id: "text" }, "$1")} on t."id" = s."traceId"
     where s."type" in ('llm', 'summary') order by s."startedAt", s."id"`,
    [sqlJson(traceIds.map((id) => ({ id })))],
  );
  return readRows<ModelCallSpan>(rows, { dates: ["endedAt"] });
}

interface SpansOfRun {
  readonly traceId: string;
  readonly runId: string;
}

/** Interrupts the open spans of a run, except one, and the calls that it was making. */
export async function interruptSpans(
  database: Database,
  { traceId, runId }: SpansOfRun,
  exceptId: string,
): Promise<void> {
  const sql = `update "span" set "status" = 'interrupted', "endedAt" = ${notBeforeStart("$4")}
    where "traceId" = $1 and "runId" = $2 and "endedAt" is null and "id" <> $3`;
  const spans = { sql, parameters: [traceId, runId, exceptId, new Date()] };
  await database.runAll([spans, interruptCallsStatement(runId)], "normal");
}

/**
 * Ends the spans of the newest `limit` traces whose run has ended without them: the root with the run's status, the
 * others as interrupted, like the calls. Spans of work that follows the run stay open while its thread is being
 * compacted.
 */
export async function endSpansOfEndedRuns(database: Database, limit: number): Promise<void> {
  const sql = `update "span" set
        "endedAt" = case when "span"."startedAt" <= r."endedAt" then r."endedAt" else "span"."startedAt" end,
        "status" = case when "span"."id" = 'sp_' || r."id" then r."status" else 'interrupted' end
      from "run" r join "thread" t on t."id" = r."threadId"
      where r."id" = "span"."runId" and r."endedAt" is not null and "span"."endedAt" is null
        and ("span"."startedAt" <= r."endedAt" or t."compactionUntil" is null)
        and "span"."traceId" in (select "id" from "trace" order by "startedAt" desc, "id" desc limit ${limit})`;
  await database.runAll([{ sql, parameters: [] }, interruptCallsOfEndedRunsStatement(limit)], "normal");
}

/** Ends the open spans of a run. */
export function endSpansStatement(
  { traceId, runId }: SpansOfRun,
  end: { readonly status: string; readonly endedAt: Date },
): SqlStatement {
  return {
    sql: `update "span" set "status" = $3, "endedAt" = ${notBeforeStart("$4")} where "traceId" = $1 and "runId" = $2 and "endedAt" is null`,
    parameters: [traceId, runId, end.status, end.endedAt],
  };
}

/** Cancels the spans of a run's waiting calls that began at `since` or later. */
export function cancelWaitingSpansStatement(
  { traceId, runId }: SpansOfRun,
  { since, error }: { readonly since: Date; readonly error: string | null },
): SqlStatement {
  return {
    sql: `update "span" set "status" = 'cancelled', "error" = $4
        where "traceId" = $1 and "runId" = $2 and "status" = 'waiting' and "startedAt" >= $3`,
    parameters: [traceId, runId, since, error],
  };
}
