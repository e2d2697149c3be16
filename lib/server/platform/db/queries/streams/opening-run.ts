import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { type Dialect, parseTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { withDates } from "@/lib/server/platform/db/rows";
import { runMark } from "./marks";

/** How much of a run's log an opening reads: the rows up to this number. */
const OPENING_ROWS = 1_000;

type Joined = Tables & { r: Tables["run"]; e: Tables["run_event"]; w: Tables["run"]; m: Tables["transcript_message"] };

const eb = expressionBuilder<Joined, "r" | "e" | "w" | "m">();

/** Beside the first row of a log. */
const IS_FIRST: Expression<SqlBool> = eb(eb.fn.coalesce("e.seq", eb.lit(0)), "<=", eb.lit(1));

/**
 * What is joined to `run as r`, so that there is one row for each row of its log (`e`), and one without any: the run
 * again (`w`) beside the first, and its stored message (`m`) if the log is empty.
 */
export const OPENING_JOINS = {
  log: eb.and([eb("e.runId", "=", eb.ref("r.id")), eb("e.seq", "<=", sql.lit(OPENING_ROWS))]),
  run: eb.and([eb("w.id", "=", eb.ref("r.id")), IS_FIRST]),
  message: eb.and([eb("m.id", "=", eb.ref("w.assistantMessageId")), eb("e.seq", "is", null)]),
} as const;

const COLUMNS = [
  ...(["ownerId", "traceId", "agentId", "position", "continuesRunId", "parentRunId", "status", "waitingFor"] as const),
  ...(["segment", "epoch", "steps", "costUsd", "notice", "cancelledBy", "errorCode", "errorMessage"] as const),
  ...(["startedAt", "endedAt"] as const),
];

/** A run when a stream of it opens. */
export type OpeningRun = Pick<RunRow, "id" | (typeof COLUMNS)[number]>;

type Figures = Readonly<Record<string, RawBuilder<unknown>>>;

const FIGURES: Figures = {
  id: sql.ref("w.id"),
  ...Object.fromEntries(COLUMNS.map((name) => [name, sql.ref(`w.${name}`)])),
  messageId: sql.ref("m.id"),
  parts: sql.ref("m.parts"),
  last: sql`(select max(x."seq") from "run_event" as x where x."runId" = w."id")`,
  busy: sql`(select count(*) from "run" as c
    where c."rootRunId" = w."id" and c."endedAt" is null and c."status" <> 'waiting')`,
  children: sql`(select count(*) from "run" as c where c."parentRunId" = w."id")`,
  openChildren: sql`(select count(*) from "run" as c where c."parentRunId" = w."id" and c."endedAt" is null)`,
};

/**
 * What the statement reads once, as JSON beside the first row of the log: with a column for each, a thousand rows would
 * take ten times as long. `more` is what else it reads.
 */
export function headOf({ provider }: Dialect, more: Figures): RawBuilder<string | null> {
  const fields = Object.entries({ ...FIGURES, ...more }).map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
  const toJson = sql.raw(provider === "sqlite" ? "json_object" : "json_build_object");
  return sql`case when ${IS_FIRST} then cast(${toJson}(${sql.join(fields)}) as text) end`;
}

interface Head extends Omit<OpeningRun, "id" | "startedAt" | "endedAt"> {
  readonly id: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly messageId: string | null;
  readonly parts: string | null;
  readonly last: number | null;
  readonly busy: number;
  readonly children: number;
  readonly openChildren: number;
}

/** A row of the statement. */
export interface OpeningRow {
  readonly head: string | null;
  readonly seq: number | null;
  readonly data: string | null;
  readonly createdAt: string | null;
}

/** A run, the beginning of its log and what is known of its subagents, all at one moment. */
export interface RunOpening {
  readonly run: OpeningRun;
  readonly rows: readonly { readonly seq: number; readonly data: string; readonly createdAt: Date }[];
  /** Whether `rows` are all of its log. */
  readonly isWhole: boolean;
  /** Its stored message, if its log is empty. */
  readonly message: { readonly id: string; readonly parts: string } | null;
  readonly hasChildren: boolean;
  readonly hasOpenChild: boolean;
  readonly mark: string;
}

/** What was read once (`More` beside the run), and the run with its log; null for no rows. */
export interface Opened<More> {
  readonly head: More;
  /** Null without a run, and for a log that does not begin with 1: then part of it is already deleted. */
  readonly opening: RunOpening | null;
}

/** Reads with `select`, again without the log if there is no first row to stand beside. */
export async function readOpening<More>(
  select: (log: RawBuilder<SqlBool>) => Promise<readonly OpeningRow[]>,
): Promise<Opened<More> | null> {
  let rows = await select(sql`true`);
  if (rows.length > 0 && rows[0]?.head === null) rows = await select(sql`false`);
  const text = rows[0]?.head;
  if (!text) return null;
  const head = JSON.parse(text) as Head & More;
  return { head, opening: toOpening(head, rows) };
}

function toOpening(
  { id, messageId, parts, last, busy, children, openChildren, ...head }: Head,
  rows: readonly OpeningRow[],
): RunOpening | null {
  if (id === null) return null;
  const log = rows.filter(
    (row): row is { seq: number; data: string; createdAt: string; head: null } => row.seq !== null,
  );
  if (log.length === 0 && last !== null) return null;
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, head[name]])) as unknown as typeof head;
  const { status, segment, startedAt, endedAt } = columns;
  return {
    run: { ...columns, id, startedAt: toDate(startedAt), endedAt: toDate(endedAt) },
    rows: withDates(log, "createdAt"),
    isWhole: log.length === (last ?? 0),
    message: messageId === null || parts === null ? null : { id: messageId, parts },
    hasChildren: children > 0,
    hasOpenChild: openChildren > 0,
    mark: runMark({ id, status, segment, last, busy }),
  };
}

/** Postgres writes a time in JSON without its zone. */
function toDate(text: string | null): Date | null {
  return parseTimestamp(text === null || text.includes("+") || text.endsWith("Z") ? text : `${text}Z`);
}
