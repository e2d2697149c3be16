import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "@/lib/server/platform/db/dialect";

/** What calls of a run have in common, listed once for the run `t`: few runs differ from all the others in it. */
const USES = {
  /** The tools, each after "!" if one of its calls failed, otherwise after a space. */
  tools: sql`select (case when max(case when c."status" = 'failed' then 1 else 0 end) = 1 then '!' else ' ' end) || c."tool"
      as "use"
    from "call" c where c."traceId" = t."id" group by c."tool"`,
  rules: sql`select c."rule" as "use" from "call" c where c."traceId" = t."id" and c."rule" is not null
    group by c."rule"`,
} as const;

/**
 * A JSON array as text, by which runs of `t` are grouped. That and reading the arrays of the groups takes a third of the
 * time of counting distinct runs among all of their calls.
 */
export function usesOf({ provider }: Dialect, name: keyof typeof USES): RawBuilder<string> {
  const list = provider === "sqlite" ? sql`json_group_array(u."use")` : sql`cast(json_agg(u."use") as text)`;
  return sql`(select ${list} from (${USES[name]}) u)`;
}

/** A FROM item with each text `value` of such an array. */
export function eachUse({ provider }: Dialect, list: RawBuilder<string>): RawBuilder<unknown> {
  return provider === "sqlite"
    ? sql`json_each(${list})`
    : sql`json_array_elements_text(cast(${list} as json)) as "each"("value")`;
}
