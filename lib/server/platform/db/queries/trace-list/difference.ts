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
import { groupedRuns, tableOf } from "./facets";
import { eachUse, usesOf } from "./uses-of-runs";

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

const SUMS = sql`sum(t."isSelected" * t."runs") as "selected", sum((1 - t."isSelected") * t."runs") as "rest"`;
const DISTINCT = sql`count(distinct case when t."isSelected" = 1 then t."id" end) as "selected",
  count(distinct case when t."isSelected" = 0 then t."id" end) as "rest"`;
const IS_SELECTED = sql`, t."isSelected"`;

/** Counts for every value of every facet; `hour` has the beginning of an ISO time, such as 2026-11-28T18. */
export async function selectDifference(
  database: Database,
  selection: SelectedRuns,
  base: TraceSelection,
): Promise<ValueCount[]> {
  const { dialect } = database;
  const isSelected = conditionOf(selection);
  const ofUses = (facet: string, table: "tools" | "rules", value: RawBuilder<string>, where: Condition) =>
    sql`select ${sql.lit(facet)} as "facet", ${value} as "value", ${SUMS}
      from ${sql.ref(table)} t, ${eachUse(dialect, sql`t."uses"`)} where ${where} group by 2`;
  const ofColumn = (facet: string, table: string, column: RawBuilder<unknown>) =>
    sql`select ${sql.lit(facet)} as "facet", ${column} as "value", ${SUMS} from ${sql.ref(table)} t
      where ${column} is not null group by ${column}`;
  const counts = [
    ...FACETS.filter((name) => name !== "tool" && name !== "toolFailed").map((name) => {
      const source = SOURCES[name];
      if ("column" in source) return ofColumn(name, tableOf(name), source.column);
      return sql`select ${sql.lit(name)} as "facet", ${source.value} as "value", ${DISTINCT}
        from "m" t, ${source.from} where ${source.trace} = t."id" and ${source.where} group by ${source.value}`;
    }),
    ...Object.keys(RANGES).map((name) => ofColumn(name, "ranges", sql.ref(`t.${name}`))),
    ofColumn("hour", "hours", sql`t."hour"`),
    ofUses("tool", "tools", sql`substr("value", 2)`, sql`1 = 1`),
    ofUses("toolFailed", "tools", sql`substr("value", 2)`, sql`substr("value", 1, 1) = '!'`),
    ofUses("rule", "rules", sql`"value"`, sql`1 = 1`),
    sql`select 'runs' as "facet", '' as "value", coalesce(sum(t."isSelected" * t."runs"), 0) as "selected",
      coalesce(sum((1 - t."isSelected") * t."runs"), 0) as "rest" from "alike" t`,
  ];
  const ranges = Object.entries(RANGES).map(([name, range]) => sql`${range} as ${sql.ref(name)}`);
  const uses = (name: "tools" | "rules") => sql`${sql.ref(name)} as materialized (
      select t."uses" ${IS_SELECTED}, count(*) as "runs"
      from (select ${usesOf(dialect, name)} as "uses" ${IS_SELECTED} from "m" t) t group by t."uses" ${IS_SELECTED})`;
  const statement = textStatement(sql<ValueCount>`with "m" as materialized (
      select t."id", t."status", t."agentId", t."agentVersion", t."model", t."errorCode", t."origin", t."ownerId",
        t."steps", t."inputTokens", t."waitedMs", t."startedAt", t."toolUses", t."ruleUses",
        (case when ${isSelected} then 1 else 0 end) as "isSelected"
      from "trace" t where (${isSelected}) or (${conditionOf({ within: base })})),
    ${groupedRuns(IS_SELECTED)},
    "ranges" as materialized (
      select ${sql.join(ranges)} ${IS_SELECTED}, count(*) as "runs" from "m" t group by 1, 2, 3, 4),
    "hours" as materialized (
      select replace(substr(cast(t."startedAt" as text), 1, 13), ' ', 'T') as "hour" ${IS_SELECTED}, count(*) as "runs"
      from "m" t group by 1, 2),
    ${uses("tools")}, ${uses("rules")}
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
