import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { textStatement } from "@/lib/server/platform/db/kysely/build";

/** What calls of a run have in common, listed once for the trace `t`: few runs differ from all the others in it. */
const USES = {
  /** The tools, each after "!" if one of its calls failed, otherwise after a space. */
  tools: {
    kept: sql`t."toolUses"`,
    listed: sql`select (case when max(case when c."status" = 'failed' then 1 else 0 end) = 1 then '!' else ' ' end) || c."tool"
      as "use"
    from "call" c where c."traceId" = t."id" group by c."tool"`,
  },
  rules: {
    kept: sql`t."ruleUses"`,
    listed: sql`select c."rule" as "use" from "call" c where c."traceId" = t."id" and c."rule" is not null
    group by c."rule"`,
  },
} as const;
type UseName = keyof typeof USES;

function listOf({ provider }: Dialect, name: UseName): RawBuilder<string> {
  // Postgres aggregates no rows to null.
  const list =
    provider === "sqlite" ? sql`json_group_array(u."use")` : sql`coalesce(cast(json_agg(u."use") as text), '[]')`;
  return sql`(select ${list} from (${USES[name].listed}) u)`;
}

/**
 * A JSON array as text, by which runs of `t` are grouped: kept with the trace, or listed from its calls. That and
 * reading the arrays of the groups takes a third of the time of counting distinct runs among all of their calls.
 */
export function usesOf(dialect: Dialect, name: UseName): RawBuilder<string> {
  return sql`coalesce(${USES[name].kept}, ${listOf(dialect, name)})`;
}

/** A FROM item with each text `value` of such an array. */
export function eachUse({ provider }: Dialect, list: RawBuilder<string>): RawBuilder<unknown> {
  return provider === "sqlite"
    ? sql`json_each(${list})`
    : sql`json_array_elements_text(cast(${list} as json)) as "each"("value")`;
}

/** Keeps the arrays of traces that ended before then with them, so that their calls are not read again for each count. */
export function keepUses(database: Database, endedBefore: Date, pace: Pace): Promise<number> {
  const { dialect } = database;
  return inChunks(async (limit) => {
    const some = sql`select "id" from "trace" where "toolUses" is null and "endedAt" < ${sqlTimestamp(endedBefore)}
      order by "endedAt" limit ${limit}`;
    const kept = await database.execute(
      textStatement(sql`update "trace" as t
        set "toolUses" = ${listOf(dialect, "tools")}, "ruleUses" = ${listOf(dialect, "rules")}
        where t."id" in (${some}) returning "id"`),
    );
    return kept.length;
  }, pace);
}
