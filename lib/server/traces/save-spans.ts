import { ENDED_STATUSES } from "@/lib/schema/run";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";

/** A span as the recorder holds it until it is stored. Times are Unix ms. */
export interface PendingSpan {
  readonly id: string;
  readonly traceId: string;
  readonly runId: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly name: string;
  readonly startedAtMs: number;
  status: string;
  attributes: Record<string, unknown>;
  error: string | null;
  endedAtMs: number | null;
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
} as const;

/** Writes spans in one statement: a row at the start of a span, the same row again at its end. */
export async function saveSpans(database: Database, spans: readonly PendingSpan[]): Promise<void> {
  if (spans.length === 0) return;
  const sql = `insert into "span" ("id", "traceId", "runId", "parentId", "type", "name", "status", "attributes", "error",
      "startedAt", "endedAt")
    select s."id", s."traceId", s."runId", s."parentId", s."type", s."name", s."status", s."attributes", s."error",
      s."startedAt", s."endedAt"
    from ${database.dialect.rows("s", COLUMNS, "$1")} where true
    on conflict ("id") do update set "status" = excluded."status", "attributes" = excluded."attributes",
      "error" = excluded."error", "endedAt" = excluded."endedAt"`;
  await database.raw(sql, [sqlJson(spans.map(toRow))]);
}

/** Counts what a trace had to leave out, so that nobody takes it for complete. */
export async function addDroppedSpans(database: Database, traceId: string, count: number): Promise<void> {
  await database.raw(`update "trace" set "droppedSpans" = "droppedSpans" + $2 where "id" = $1`, [traceId, count]);
}

/** Closes the spans that a process left open when it ended; they have no end of their own. */
export async function interruptOpenSpans(
  database: Database,
  { id, traceId }: { readonly id: string; readonly traceId: string },
  exceptId: string,
): Promise<void> {
  const sql = `update "span" set "status" = 'interrupted', "endedAt" = $4
    where "traceId" = $1 and "runId" = $2 and "endedAt" is null and "id" <> $3`;
  await database.raw(sql, [traceId, id, exceptId, new Date()]);
}

/** The same for what followed the runs of a thread that have ended. */
export async function interruptLateSpans(database: Database, threadId: string): Promise<void> {
  const where = { threadId, status: { in: [...ENDED_STATUSES] } };
  const runs = await database.run.findMany({ where, select: { id: true, traceId: true } });
  for (const run of runs) await interruptOpenSpans(database, run, "");
}

const NEWEST_TRACES = 500;

/**
 * Ends the spans of runs that have ended although their process was killed before it had stored those ends: they come up
 * to 100 ms later than the run's. The root gets the run's status. Looks into the newest 500 traces.
 */
export async function endLeftSpans(database: Database): Promise<void> {
  await database.raw(
    `update "span" set "endedAt" = r."endedAt",
        "status" = case when "span"."id" = 'sp_' || r."id" then r."status" else 'interrupted' end
      from "run" r
      where r."id" = "span"."runId" and r."endedAt" is not null and "span"."endedAt" is null
        and "span"."startedAt" <= r."endedAt"
        and "span"."traceId" in (select "id" from "trace" order by "startedAt" desc, "id" desc limit ${NEWEST_TRACES})`,
    [],
  );
}

function toRow(span: PendingSpan) {
  const { startedAtMs, endedAtMs, attributes, ...rest } = span;
  return {
    ...rest,
    attributes: sqlJson(attributes),
    startedAt: sqlTimestamp(new Date(startedAtMs)),
    endedAt: endedAtMs === null ? null : sqlTimestamp(new Date(endedAtMs)),
  };
}
