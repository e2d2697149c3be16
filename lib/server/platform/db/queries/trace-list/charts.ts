import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { parseTimestamp, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { all, baseConditions, choiceConditions, type TraceSelection } from "./conditions";

/** Runs of one bucket with the same status and working time. Of replays only what they used counts, if they are left out. */
export interface ChartCount {
  /** Between which edges they began: 0 is from the first to the second. */
  readonly bucket: number;
  readonly status: string;
  /** The power of two of the time worked, as in `percentileOf`; null if the run has not ended. */
  readonly time: number | null;
  readonly runs: number;
  readonly unpricedRuns: number;
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Working times of 12 days and more are in the last one. */
const TIME_BUCKETS = 31;

/** When the first of the runs began; null if there are none. */
export async function selectFirstStart(database: Database, selection: TraceSelection): Promise<Date | null> {
  const statement = textStatement(sql<{ startedAt: string }>`select t."startedAt" from "trace" t
    where ${conditionOf(selection)} order by t."startedAt" limit 1`);
  const [first] = await database.readAside(statement);
  return first === undefined ? null : parseTimestamp(first.startedAt);
}

/** Counts the selected runs, replays only if asked to, that began between the first and the last of the edges (Unix ms, ascending). */
export async function selectChartCounts(
  database: Database,
  selection: TraceSelection,
  { edges, replays }: { readonly edges: readonly number[]; readonly replays: "counted" | "left out" },
): Promise<ChartCount[]> {
  const inner = edges.slice(1, -1).map((edge) => sql`${sqlTimestamp(new Date(edge))}`);
  const times = Array.from({ length: TIME_BUCKETS }, (_, power) => sql.lit(2 ** power));
  const isCounted = replays === "counted" ? sql`1` : sql`case when t."origin" = 'replay' then 0 else 1 end`;
  const statement = textStatement(sql<ChartCount>`select x."bucket", x."status", x."time", sum(x."isCounted") as "runs",
      sum(case when x."hasEnded" and x."costUsd" is null then 1 else 0 end) as "unpricedRuns",
      coalesce(sum(x."costUsd"), 0) as "costUsd",
      sum(x."inputTokens") as "inputTokens", sum(x."outputTokens") as "outputTokens"
    from (select ${placeAmong(sql`t."startedAt"`, inner)} as "bucket", t."status", t."costUsd", ${isCounted} as "isCounted",
        t."endedAt" is not null as "hasEnded",
        case when t."endedAt" is null or t."workedMs" is null then null
          else ${placeAmong(sql`t."workedMs"`, times)} end as "time",
        t."inputTokens" + t."cachedReadTokens" + t."cachedWriteTokens" as "inputTokens", t."outputTokens"
      from "trace" t where ${conditionOf(selection)}) x
    group by x."bucket", x."status", x."time"`);
  const rows = await database.readAside(statement);
  return rows.map((row) => ({
    ...{ bucket: Number(row.bucket), status: row.status, time: row.time === null ? null : Number(row.time) },
    ...{ runs: Number(row.runs), unpricedRuns: Number(row.unpricedRuns), costUsd: Number(row.costUsd) },
    ...{ inputTokens: Number(row.inputTokens), outputTokens: Number(row.outputTokens) },
  }));
}

function conditionOf(selection: TraceSelection) {
  return all([...baseConditions(selection), ...choiceConditions(selection.choices).values()]);
}

/** How many of the bounds, ascending, are not above the value: a search by halves, which costs little for each row. */
function placeAmong(value: RawBuilder<unknown>, bounds: readonly RawBuilder<unknown>[], first = 0): RawBuilder<number> {
  const middle = Math.floor(bounds.length / 2);
  const bound = bounds[middle];
  if (bound === undefined) return sql.lit(first);
  const [below, above] = [bounds.slice(0, middle), bounds.slice(middle + 1)];
  return sql`case when ${value} < ${bound} then ${placeAmong(value, below, first)}
    else ${placeAmong(value, above, first + middle + 1)} end`;
}
