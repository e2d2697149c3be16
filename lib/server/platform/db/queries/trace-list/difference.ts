import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import {
  all,
  baseConditions,
  type Condition,
  choiceConditions,
  FACETS,
  SOURCES,
  type TraceSelection,
} from "./conditions";

/** Runs by their ids or by filters. */
export interface SelectedRuns {
  readonly within: TraceSelection;
  readonly runIds?: readonly string[];
}

/** How many of the selected runs and of the rest have a value of a facet; `runs` counts all, with the value "". */
export interface ValueCount {
  readonly facet: string;
  readonly value: string;
  readonly selected: number;
  readonly rest: number;
}

const bounded = (column: RawBuilder<unknown>, bounds: readonly number[]) =>
  sql<string>`case ${sql.join(
    bounds.map((bound, index) => sql`when ${column} <= ${sql.lit(bound)} then ${sql.lit(String(index))}`),
    sql` `,
  )} else ${sql.lit(String(bounds.length))} end`;

/** Bounds of the ranges that numbers are counted in, inclusive; the last range has no end. */
export const BOUNDS = {
  steps: [1, 3, 10, 30],
  inputTokens: [1_000, 10_000, 100_000, 1_000_000],
  waited: [0, 60_000, 3_600_000],
} as const;

const RANGES: Readonly<Record<keyof typeof BOUNDS, RawBuilder<string>>> = {
  steps: bounded(sql`t."steps"`, BOUNDS.steps),
  inputTokens: bounded(sql`t."inputTokens"`, BOUNDS.inputTokens),
  waited: bounded(sql`t."waitedMs"`, BOUNDS.waited),
};

const SUMS = sql`sum(t."isSelected") as "selected", sum(1 - t."isSelected") as "rest"`;
const DISTINCT = sql`count(distinct case when t."isSelected" = 1 then t."id" end) as "selected",
  count(distinct case when t."isSelected" = 0 then t."id" end) as "rest"`;

const RULES = {
  from: sql`"call" c`,
  trace: sql`c."traceId"`,
  where: sql`c."rule" is not null`,
  value: sql`c."rule"`,
};

/** Counts for every value of every facet; `hour` has the beginning of an ISO time, such as 2026-11-28T18. */
export async function selectDifference(
  database: Database,
  selection: SelectedRuns,
  base: TraceSelection,
): Promise<ValueCount[]> {
  const isSelected = conditionOf(selection);
  const columns = {
    ...Object.fromEntries(FACETS.flatMap((name) => ("column" in SOURCES[name] ? [[name, SOURCES[name].column]] : []))),
    ...RANGES,
    hour: sql<string>`replace(substr(cast(t."startedAt" as text), 1, 13), ' ', 'T')`,
  };
  const rows = {
    ...Object.fromEntries(FACETS.flatMap((name) => ("from" in SOURCES[name] ? [[name, SOURCES[name]]] : []))),
    rule: RULES,
  };
  const counts = [
    ...Object.entries(columns).map(
      ([name, column]) => sql`select ${sql.lit(name)} as "facet", ${column} as "value", ${SUMS}
        from "m" t where ${column} is not null group by ${column}`,
    ),
    ...Object.entries(rows).map(
      ([
        name,
        { from, trace, where, value },
      ]) => sql`select ${sql.lit(name)} as "facet", ${value} as "value", ${DISTINCT}
        from "m" t, ${from} where ${trace} = t."id" and ${where} group by ${value}`,
    ),
    sql`select 'runs' as "facet", '' as "value", coalesce(sum(t."isSelected"), 0) as "selected",
      coalesce(sum(1 - t."isSelected"), 0) as "rest" from "m" t`,
  ];
  const statement = textStatement(sql<ValueCount>`with "m" as materialized (
      select t."id", t."status", t."agentId", t."agentVersion", t."model", t."errorCode", t."origin", t."ownerId",
        t."steps", t."inputTokens", t."waitedMs", t."startedAt", (case when ${isSelected} then 1 else 0 end) as "isSelected"
      from "trace" t where (${isSelected}) or (${conditionOf({ within: base })}))
    select * from (${sql.join(counts, sql` union all `)}) counted`);
  const found = await database.readAside(statement);
  return found.map((row) => ({ ...row, selected: Number(row.selected), rest: Number(row.rest) }));
}

function conditionOf({ within, runIds }: SelectedRuns): Condition {
  return all([
    ...baseConditions(within),
    ...choiceConditions(within.choices).values(),
    ...(runIds === undefined ? [] : [sql<boolean>`t."runId" in (${sql.join([...runIds])})`]),
  ]);
}
