import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build, textStatement } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";

/** The failures that count: since when, whose, and of which agents. */
export interface ProblemScope {
  readonly since: Date;
  /** Default: everybody's. */
  readonly ownerId?: string;
  /** The agents that a key is limited to, by the home of the trace. */
  readonly reach?: readonly string[] | undefined;
}

/** Failures of an agent with the same key, together. */
export interface ProblemTotals {
  readonly agentId: string;
  readonly key: string;
  readonly tool: string | null;
  /** ISO. */
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** 0 is a draft's; the lowest is null where only drafts had it. */
  readonly firstVersion: number | null;
  readonly lastVersion: number;
  /** How often it happened, in how many runs of how many people, and how often since `recently`. */
  readonly count: number;
  readonly runs: number;
  readonly people: number;
  readonly recent: number;
}

/** Newest first. */
export function selectProblemTotals(
  database: Database,
  scope: ProblemScope,
  { recently, limit }: { readonly recently: Date; readonly limit: number },
): Promise<ProblemTotals[]> {
  return database.readAside(
    textStatement(sql<ProblemTotals>`select f."agentId", f."key", max(f."tool") as "tool",
        min(f."at") as "firstSeenAt", max(f."at") as "lastSeenAt",
        min(nullif(f."version", 0)) as "firstVersion", max(f."version") as "lastVersion",
        count(*) as "count", count(distinct f."runId") as "runs", count(distinct f."ownerId") as "people",
        sum(case when f."at" >= ${sqlTimestamp(recently)} then 1 else 0 end) as "recent"
      from (${failures(scope)}) f
      group by f."agentId", f."key" order by "lastSeenAt" desc, f."agentId", f."key" limit ${limit}`),
  );
}

/** Runs with the problem in ten minutes, which begin at `at`: the beginning of an ISO text, such as 2026-11-28T18:2. */
export interface ProblemBucket {
  readonly at: string;
  readonly runs: number;
  /** The last run that had it then. */
  readonly lastRunId: string;
}

/** All buckets of a problem, oldest first, as a text for `bucketsOf`. */
interface ProblemTimes {
  readonly agentId: string;
  readonly key: string;
  readonly buckets: string;
}

/** One row per problem: buckets are so many that to receive a row for each would hold up everybody else. */
export function selectProblemTimes(database: Database, scope: ProblemScope): Promise<ProblemTimes[]> {
  return database.readAside(
    textStatement(sql<ProblemTimes>`select b."agentId", b."key",
        string_agg(b."at" || cast(b."runs" as text) || ' ' || b."lastRunId", ${sql.lit(BETWEEN)} order by b."at") as "buckets"
      from (select f."agentId", f."key", replace(substr(cast(f."at" as text), 1, ${sql.lit(AT_CHARS)}), ' ', 'T') as "at",
          count(distinct f."runId") as "runs", max(f."runId") as "lastRunId"
        from (${failures(scope)}) f group by 1, 2, 3) b
      group by b."agentId", b."key"`),
  );
}

const AT_CHARS = 15;
const BETWEEN = "\n";

export function bucketsOf({ buckets }: ProblemTimes): ProblemBucket[] {
  return buckets.split(BETWEEN).map((bucket) => {
    const space = bucket.indexOf(" ", AT_CHARS);
    return {
      at: bucket.slice(0, AT_CHARS),
      runs: Number(bucket.slice(AT_CHARS, space)),
      lastRunId: bucket.slice(space + 1),
    };
  });
}

/** One row for each failure: agent, key, tool, run (of the root), its owner, version and time. */
export function failures({ since, ownerId, reach }: ProblemScope): RawBuilder<unknown> {
  const after = (time: RawBuilder<unknown>) => sql`${time} >= ${sqlTimestamp(since)}`;
  const isOwn = ownerId === undefined ? sql`` : sql`and x."ownerId" = ${ownerId}`;
  const ofCalls = sql`${isOwn} ${reach ? sql`and x."traceId" in (select t."id" from "trace" t where ${isHome(reach)})` : sql``}`;
  // What a replay runs into says something about its change, not about the agent. Its failed calls have no key.
  const ofTraces = sql`${isOwn} and x."origin" <> 'replay' ${reach ? sql`and ${isHome(reach, "x")}` : sql``}`;
  const call = sql`x."tool", x."rootRunId" as "runId", x."ownerId", x."agentVersion" as "version", x."endedAt" as "at"
    from "call" x`;
  const isReplay = sql`exists (select 1 from "trace" t where t."id" = x."traceId" and t."origin" = 'replay')`;
  const trace = sql`null as "tool", x."runId", x."ownerId", x."agentVersion" as "version"`;
  return sql`
    select x."agentId", x."problemKey" as "key", ${call}
      where x."problemKey" is not null and ${after(sql`x."endedAt"`)} ${ofCalls}
    union all
    select x."agentId", 'denied ' || x."tool" as "key", ${call}
      where ((x."verdict" = 'deny') or (x."decision" = 'deny')) and ${after(sql`x."endedAt"`)} ${ofCalls}
        and not ${isReplay}
    union all
    select x."agentId", x."problemKey" as "key", ${trace}, x."endedAt" as "at" from "trace" x
      where x."problemKey" is not null and ${after(sql`x."endedAt"`)} ${ofTraces}
    union all
    select x."agentId", 'thumb_down' as "key", ${trace}, s."updatedAt" as "at"
      from "score" s join "trace" x on x."id" = s."traceId"
      where s."name" = 'thumb' and s."value" < 0 and ${after(sql`s."updatedAt"`)} ${ofTraces}`;
}

/** Whether a trace, by its alias, is one of these agents'. */
export function isHome(agentIds: readonly string[], trace = "t"): RawBuilder<SqlBool> {
  if (agentIds.length === 0) return sql`1 = 0`;
  return sql`coalesce(${sql.ref(`${trace}.homeAgentId`)}, ${sql.ref(`${trace}.agentId`)}) in (${sql.join([...agentIds])})`;
}

const COLUMNS = {
  id: "text",
  agentId: "text",
  key: "text",
  kind: "text",
  tool: "text",
  firstVersion: "integer",
  firstSeenAt: "timestamp",
  lastSeenAt: "timestamp",
} as const;

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** A problem as it was found; its times are ISO. */
export type FoundProblem = Readonly<
  Record<"id" | "agentId" | "key" | "kind" | "firstSeenAt" | "lastSeenAt", string>
> & {
  readonly tool: string | null;
  readonly firstVersion: number | null;
};

/** Keeps since when the problems are known. Finding the same ones again changes nothing, whatever was found before. */
export async function keepProblems(database: Database, found: readonly FoundProblem[]): Promise<void> {
  if (found.length === 0) return;
  const rows = jsonRows(database.dialect, COLUMNS, found);
  // `state` is not given: a new problem is open.
  const insert = build
    .insertInto("problem")
    .columns([...NAMES])
    .expression(
      build
        .selectFrom(rows.as("p"))
        .select(NAMES.map((name) => `p.${name}` as const))
        .where("p.id", "is not", null),
    )
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        firstVersion: least("firstVersion"),
        firstSeenAt: least("firstSeenAt"),
        lastSeenAt: sql`case when excluded."lastSeenAt" > "problem"."lastSeenAt" then excluded."lastSeenAt"
          else "problem"."lastSeenAt" end`,
      }),
    );
  await database.execute(insert, "normal");
}

const least = (column: "firstVersion" | "firstSeenAt") => sql<never>`case
  when "problem".${sql.ref(column)} is null or excluded.${sql.ref(column)} < "problem".${sql.ref(column)}
  then excluded.${sql.ref(column)} else "problem".${sql.ref(column)} end`;
