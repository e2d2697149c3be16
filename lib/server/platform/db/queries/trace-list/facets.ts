import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import {
  all,
  baseConditions,
  type Condition,
  choiceConditions,
  FACETS,
  type FacetName,
  SOURCES,
  type TraceSelection,
} from "./conditions";
import { eachUse, usesOf } from "./uses-of-runs";

export interface FacetCount {
  /** `runs` counts all that match, with the value "". */
  readonly facet: FacetName | "runs";
  readonly value: string;
  readonly count: number;
}

const OF_TOOLS: ReadonlySet<FacetName> = new Set(["tool", "toolFailed"]);

/** Runs per value of each facet, most first. The choice of a facet does not narrow its own counts. */
export async function selectFacets(database: Database, selection: TraceSelection): Promise<FacetCount[]> {
  const { dialect } = database;
  const choices = choiceConditions(selection.choices);
  const flags = [...choices.keys()].map((name) => sql.ref(`fits_${name}`));
  const fits = [...choices.values()].map((condition, index) => sql`, ${condition} as ${flags[index]}`);
  const ofFlags = sql.join(
    flags.map((flag) => sql`, t.${flag}`),
    sql``,
  );
  const narrowed = (own: FacetName | "runs"): Condition =>
    all([...choices.keys()].filter((name) => name !== own).map((name) => sql`t.${sql.ref(`fits_${name}`)}`));
  const ofOthers = [...choices.keys()]
    .filter((name) => !OF_TOOLS.has(name))
    .map((name) => sql<boolean>`t.${sql.ref(`fits_${name}`)}`);
  const counts = FACETS.map((name) => {
    const facet = sql`select ${sql.lit(name)} as "facet"`;
    if (OF_TOOLS.has(name)) {
      const hasFailed = name === "tool" ? sql`` : sql`and substr("value", 1, 1) = '!'`;
      return sql`${facet}, substr("value", 2) as "value", sum(t."runs") as "count"
        from "tools" t, ${eachUse(dialect, sql`t."uses"`)} where ${narrowed(name)} ${hasFailed} group by 2`;
    }
    const source = SOURCES[name];
    if ("column" in source) {
      return sql`${facet}, ${source.column} as "value", sum(t."runs") as "count" from ${sql.ref(tableOf(name))} t
        where ${source.column} is not null and ${narrowed(name)} group by ${source.column}`;
    }
    return sql`${facet}, ${source.value} as "value", count(distinct t."id") as "count"
      from "m" t, ${source.from} where ${source.trace} = t."id" and ${source.where} and ${narrowed(name)} group by ${source.value}`;
  });
  const total = sql`select 'runs' as "facet", '' as "value", coalesce(sum(t."runs"), 0) as "count" from "alike" t
    where ${narrowed("runs")}`;
  const statement = textStatement(sql<FacetCount>`with "m" as materialized (
      select t."id", t."status", t."agentId", t."agentVersion", t."model", t."errorCode", t."origin", t."ownerId",
        t."toolUses" ${sql.join(fits, sql``)}
      from "trace" t where ${all(baseConditions(selection))}),
    ${groupedRuns(ofFlags)},
    "tools" as materialized (
      select t."uses" ${ofFlags}, count(*) as "runs"
      from (select ${usesOf(dialect, "tools")} as "uses" ${ofFlags} from "m" t where ${all(ofOthers)}) t
      group by t."uses" ${ofFlags})
    select * from (${sql.join([...counts, total], sql` union all `)}) counted
    order by "facet", "count" desc, "value"`);
  const rows = await database.readAside(statement);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/**
 * The runs of `m` that are alike in what mostly goes together, and by person: each facet is then counted from a few rows.
 * `flags` are further columns of `m`, each after a comma.
 */
export function groupedRuns(flags: RawBuilder<unknown>): RawBuilder<unknown> {
  const alike = sql`t."status", t."agentId", t."agentVersion", t."model", t."errorCode", t."origin" ${flags}`;
  return sql`"alike" as materialized (select ${alike}, count(*) as "runs" from "m" t group by ${alike}),
    "persons" as materialized (
      select t."ownerId" ${flags}, count(*) as "runs" from "m" t group by t."ownerId" ${flags})`;
}

/** Where `groupedRuns` has a facet that is a column. */
export function tableOf(name: string): string {
  return name === "person" ? "persons" : "alike";
}
