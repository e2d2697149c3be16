import { sql } from "kysely";
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

export interface FacetCount {
  /** `runs` counts all that match, with the value "". */
  readonly facet: FacetName | "runs";
  readonly value: string;
  readonly count: number;
}

/** Runs per value of each facet, most first. The choice of a facet does not narrow its own counts. */
export async function selectFacets(database: Database, selection: TraceSelection): Promise<FacetCount[]> {
  const choices = choiceConditions(selection.choices);
  const fits = [...choices].map(([name, condition]) => sql`, ${condition} as ${sql.ref(`fits_${name}`)}`);
  const narrowed = (own: FacetName | "runs"): Condition =>
    all([...choices.keys()].filter((name) => name !== own).map((name) => sql`t.${sql.ref(`fits_${name}`)}`));
  const counts = FACETS.map((name) => {
    const source = SOURCES[name];
    if ("column" in source) {
      return sql`select ${sql.lit(name)} as "facet", ${source.column} as "value", count(*) as "count" from "m" t
        where ${source.column} is not null and ${narrowed(name)} group by ${source.column}`;
    }
    return sql`select ${sql.lit(name)} as "facet", ${source.value} as "value", count(distinct t."id") as "count"
      from "m" t, ${source.from} where ${source.trace} = t."id" and ${source.where} and ${narrowed(name)} group by ${source.value}`;
  });
  const total = sql`select 'runs' as "facet", '' as "value", count(*) as "count" from "m" t where ${narrowed("runs")}`;
  const statement = textStatement(sql<FacetCount>`with "m" as materialized (
      select t."id", t."status", t."agentId", t."agentVersion", t."model", t."errorCode", t."origin", t."ownerId"
        ${sql.join(fits, sql``)}
      from "trace" t where ${all(baseConditions(selection))})
    select * from (${sql.join([...counts, total], sql` union all `)}) counted
    order by "facet", "count" desc, "value"`);
  const rows = await database.readAside(statement);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
