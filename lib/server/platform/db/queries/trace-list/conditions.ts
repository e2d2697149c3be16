import { type RawBuilder, type SqlBool, sql } from "kysely";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { failures, isHome } from "@/lib/server/platform/db/queries/calls/problems";

/** What a facet counts and filters by. A run has one value of some of them, and several of others. */
export const FACETS = [
  ...(["status", "agent", "version", "model", "tool", "toolFailed"] as const),
  ...(["error", "origin", "person", "score", "decision", "notes"] as const),
] as const;
export type FacetName = (typeof FACETS)[number];

export type FacetChoices = Readonly<Partial<Record<FacetName, readonly string[]>>>;

/** Which traces of the table `t` are meant. Bounds of numbers are inclusive, `until` is exclusive. */
export interface TraceSelection {
  /** Default: everybody's. */
  readonly ownerId?: string | undefined;
  /** The agents that a key is limited to, by the home of the trace. */
  readonly reach?: readonly string[] | undefined;
  readonly isDraft: boolean;
  readonly choices: FacetChoices;
  readonly attended?: boolean | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly minCostUsd?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly minWorkedMs?: number | undefined;
  readonly maxWorkedMs?: number | undefined;
  /** A replay fails and takes its time because of what it tries. */
  readonly withoutReplays?: boolean;
  /** The run failed, or one of its calls did. */
  readonly hasError?: boolean | undefined;
  /** Failures of the agent with this key, since then. */
  readonly problem?: { readonly agentId: string; readonly key: string; readonly since: Date } | undefined;
  /** What a search found. */
  readonly found?: RawBuilder<SqlBool> | undefined;
}

export type Condition = RawBuilder<SqlBool>;

export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`${sql.join([...conditions], sql` and `)}`;
}

const isOneOf = (values: readonly string[]) => sql`in (${sql.join([...values])})`;

/** Everything but the facets' choices. */
export function baseConditions(selection: TraceSelection): Condition[] {
  const { ownerId, reach, attended, since, until, hasError, problem, found } = selection;
  const isWithin = (column: RawBuilder<unknown>, sign: ">=" | "<=" | "<", value: unknown): Condition[] =>
    value === undefined ? [] : [sql`${column} ${sql.raw(sign)} ${value}`];
  return [
    sql`t."agentVersion" ${sql.raw(selection.isDraft ? "=" : "<>")} 0`,
    ...(ownerId === undefined ? [] : [sql<SqlBool>`t."ownerId" = ${ownerId}`]),
    ...(reach === undefined ? [] : [isHome(reach)]),
    ...(attended === undefined ? [] : [sql<SqlBool>`t."attended" = ${sql.lit(attended)}`]),
    ...isWithin(sql`t."startedAt"`, ">=", since && sqlTimestamp(since)),
    ...isWithin(sql`t."startedAt"`, "<", until && sqlTimestamp(until)),
    ...isWithin(sql`t."costUsd"`, ">=", selection.minCostUsd),
    ...isWithin(sql`t."costUsd"`, "<=", selection.maxCostUsd),
    ...isWithin(sql`t."workedMs"`, ">=", selection.minWorkedMs),
    ...isWithin(sql`t."workedMs"`, "<=", selection.maxWorkedMs),
    ...(selection.withoutReplays ? [sql<SqlBool>`t."origin" <> 'replay'`] : []),
    ...(hasError ? [sql<SqlBool>`(t."status" = 'failed' or coalesce(t."hasToolError", false))`] : []),
    ...(problem === undefined ? [] : [hasProblem(problem, ownerId)]),
    ...(found === undefined ? [] : [found]),
  ];
}

function hasProblem({ agentId, key, since }: { agentId: string; key: string; since: Date }, ownerId?: string) {
  const scope = { since, ...(ownerId === undefined ? {} : { ownerId }) };
  return sql<SqlBool>`t."runId" in
    (select f."runId" from (${failures(scope)}) f where f."agentId" = ${agentId} and f."key" = ${key})`;
}

/** The facets with a choice, each with what it asks for. */
export function choiceConditions(choices: FacetChoices): Map<FacetName, Condition> {
  const chosen = FACETS.flatMap((name) => {
    const values = choices[name] ?? [];
    return values.length === 0 ? [] : [[name, chosenBy(name, values)] as const];
  });
  return new Map(chosen);
}

function chosenBy(name: FacetName, values: readonly string[]): Condition {
  const source = SOURCES[name];
  if ("column" in source) return sql`${source.column} ${isOneOf(values)}`;
  const isChosen = sql`${source.where} and ${source.value} ${isOneOf(values)}`;
  if (source.isInEveryRun) {
    return sql`exists (select 1 from ${source.from} where ${source.trace} = t."id" and ${isChosen})`;
  }
  return sql`t."id" in (select ${source.trace} from ${source.from} where ${isChosen})`;
}

interface ColumnSource {
  /** Of `t` or, in a count, `m`. */
  readonly column: RawBuilder<string | null>;
}

/** Rows beside the trace, each with the id of its trace. */
interface RowSource {
  readonly from: RawBuilder<unknown>;
  readonly trace: RawBuilder<string>;
  readonly where: Condition;
  readonly value: RawBuilder<string>;
  /** Most traces have such rows, so looking each trace up costs less than reading all the rows that were chosen. */
  readonly isInEveryRun?: true;
}

const CALLS = {
  from: sql`"call" c`,
  trace: sql<string>`c."traceId"`,
  value: sql<string>`c."tool"`,
  isInEveryRun: true,
} as const;

/** The decisions of a child's calls belong to the trace of its root run. */
const DECISIONS: RowSource = {
  from: sql`"approval" a join "run" r on r."id" = a."runId"`,
  trace: sql<string>`r."traceId"`,
  where: sql`a."status" not in ('pending', 'expired')`,
  value: sql<string>`a."status"`,
};

export const SOURCES: Readonly<Record<FacetName, ColumnSource | RowSource>> = {
  status: { column: sql`t."status"` },
  agent: { column: sql`t."agentId"` },
  version: { column: sql`cast(t."agentVersion" as text)` },
  model: { column: sql`t."model"` },
  error: { column: sql`t."errorCode"` },
  origin: { column: sql`t."origin"` },
  person: { column: sql`t."ownerId"` },
  tool: { ...CALLS, where: sql`1 = 1` },
  toolFailed: { ...CALLS, where: sql`c."status" = 'failed'` },
  score: {
    from: sql`"score" s`,
    trace: sql`s."traceId"`,
    where: sql`s."name" = 'thumb'`,
    value: sql`(case when s."value" < 0 then 'down' else 'up' end)`,
  },
  decision: DECISIONS,
  notes: {
    from: sql`"note" n`,
    trace: sql`n."traceId"`,
    where: sql`1 = 1`,
    value: sql`(case when n."id" is null then '' else 'yes' end)`,
  },
};
