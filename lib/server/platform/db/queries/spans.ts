import { type AliasedRawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows, jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { notBeforeStart } from "@/lib/server/platform/db/kysely/row-statements";
import {
  interruptCallsOfEndedRunsStatement,
  interruptCallsStatement,
} from "@/lib/server/platform/db/queries/calls/calls";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
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

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const storedSpans = hotStatements((value: PlaceFor<{ rows: string }>, dialect) => {
  const given = boundJsonRows(dialect, { ...COLUMNS, epoch: "integer" } as const, value("rows")).as("s");
  return build
    .insertInto("span")
    .columns(NAMES)
    .expression(dialect.provider === "sqlite" ? selectGiven(given) : selectFenced(given))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        status: eb.ref("excluded.status"),
        attributes: eb.ref("excluded.attributes"),
        error: eb.ref("excluded.error"),
        endedAt: eb.ref("excluded.endedAt"),
      })),
    );
});

type Given = AliasedRawBuilder<Record<keyof typeof COLUMNS, string | null> & { readonly epoch: number | null }, "s">;

function selectGiven(given: Given) {
  return build
    .selectFrom(given)
    .select(NAMES.map((name) => `s.${name}` as const))
    .where(sql.lit(true));
}

function selectFenced(given: Given) {
  /** The process that wrote the span has since lost the run. */
  const isLate = sql<SqlBool>`coalesce(r."epoch" > s."epoch", false)`;
  const known = build.selectFrom("span as known").select("known.id").whereRef("known.id", "=", sql.ref("s.id"));
  return build
    .selectFrom(given)
    .leftJoin("run as r", "r.id", "s.runId")
    .select((eb) =>
      NAMES.map((name) => {
        if (name === "status")
          return sql`case when ${isLate} and s."endedAt" is null then 'interrupted' else s."status" end`.as(name);
        if (name === "endedAt")
          return sql`case when ${isLate} then coalesce(s."endedAt", s."startedAt") else s."endedAt" end`.as(name);
        return eb.ref(`s.${name}`).as(name);
      }),
    )
    .where((eb) => eb.or([eb.not(isLate), eb.not(eb.exists(known))]));
}

/**
 * One statement for all of them. With several processes, a process whose run was taken over changes nothing stored, and
 * spans that it adds are interrupted from the start. No known secret is stored.
 */
export function upsertSpansStatement({ dialect }: Database, spans: readonly NewSpan[]): SqlStatement {
  return storedSpans(dialect, { rows: redactOpenSecrets(sqlJson(spans.map(toRow))) });
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
 * In order of their start. Without Prisma, which takes four times as long; with times as text, because a trace may have
 * ten thousand spans and a date costs ten times as much.
 */
export function selectSpans(database: Database, traceId: string): Promise<SpanRow[]> {
  return database.execute(
    build.selectFrom("span").select(NAMES).where("traceId", "=", traceId).orderBy("startedAt").orderBy("id"),
  );
}

/** The spans of one run, in order of their start. */
export function selectSpansOfRun(
  database: Database,
  { traceId, runId }: { readonly traceId: string; readonly runId: string },
): Promise<SpanRow[]> {
  return database.execute(
    build
      .selectFrom("span")
      .select(NAMES)
      .where("traceId", "=", traceId)
      .where("runId", "=", runId)
      .orderBy("startedAt")
      .orderBy("id"),
  );
}

export interface ModelCallSpan {
  readonly traceId: string;
  readonly runId: string;
  readonly attributes: string;
  readonly endedAt: Date | null;
}

/** The model calls of the traces, summaries included, in order of their start. */
export async function selectModelCalls(database: Database, traceIds: readonly string[]): Promise<ModelCallSpan[]> {
  const ids = traceIds.map((id) => ({ id }));
  const rows = await database.execute(
    build
      .selectFrom("span as s")
      .innerJoin(jsonRows(database.dialect, { id: "text" }, ids).as("t"), "t.id", "s.traceId")
      .select(["s.traceId", "s.runId", "s.attributes", "s.endedAt"])
      .where("s.type", "in", ["llm", "summary"])
      .orderBy("s.startedAt")
      .orderBy("s.id"),
  );
  return withDates(rows, "endedAt");
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
  const spans = build
    .updateTable("span")
    .set({ status: "interrupted", endedAt: notBeforeStart(sql`${new Date()}`) })
    .where("traceId", "=", traceId)
    .where("runId", "=", runId)
    .where("endedAt", "is", null)
    .where("id", "<>", exceptId);
  await database.runAll([spans.compile(), interruptCallsStatement(runId)], "normal");
}

/**
 * Ends the spans of the newest `limit` traces whose run has ended without them: the root with the run's status, the
 * others as interrupted, like the calls. Spans of work that follows the run stay open while its thread is being
 * compacted.
 */
export async function endSpansOfEndedRuns(database: Database, limit: number): Promise<void> {
  const newest = build.selectFrom("trace").select("id").orderBy("startedAt", "desc").orderBy("id", "desc").limit(limit);
  const ended = build
    .updateTable("span")
    .from("run as r")
    .innerJoin("thread as t", "t.id", "r.threadId")
    .set((eb) => ({
      endedAt: eb
        .case()
        .when("span.startedAt", "<=", eb.ref("r.endedAt"))
        .then(eb.ref("r.endedAt"))
        .else(eb.ref("span.startedAt"))
        .end(),
      status: sql<string>`case when "span"."id" = 'sp_' || r."id" then r."status" else 'interrupted' end`,
    }))
    .whereRef("r.id", "=", "span.runId")
    .where("r.endedAt", "is not", null)
    .where("span.endedAt", "is", null)
    .where((eb) => eb.or([eb("span.startedAt", "<=", eb.ref("r.endedAt")), eb("t.compactionUntil", "is", null)]))
    .where("span.traceId", "in", newest);
  await database.runAll([ended.compile(), interruptCallsOfEndedRunsStatement(limit)], "normal");
}

interface End {
  readonly status: string;
  readonly endedAt: Date;
}

const endedSpans = hotStatement((value: PlaceFor<SpansOfRun & End>) =>
  build
    .updateTable("span")
    .set({ status: value("status"), endedAt: notBeforeStart(value("endedAt")) })
    .where("traceId", "=", value("traceId"))
    .where("runId", "=", value("runId"))
    .where("endedAt", "is", null),
);

/** Ends the open spans of a run. */
export function endSpansStatement({ traceId, runId }: SpansOfRun, { status, endedAt }: End): SqlStatement {
  return endedSpans({ traceId, runId, status, endedAt });
}

/** Cancels the spans of a run's waiting calls that began at `since` or later. */
export function cancelWaitingSpansStatement(
  { traceId, runId }: SpansOfRun,
  { since, error }: { readonly since: Date; readonly error: string | null },
): SqlStatement {
  return build
    .updateTable("span")
    .set({ status: "cancelled", error })
    .where("traceId", "=", traceId)
    .where("runId", "=", runId)
    .where("status", "=", "waiting")
    .where("startedAt", ">=", sqlTimestamp(since))
    .compile();
}
