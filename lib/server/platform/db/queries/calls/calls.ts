import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { notBeforeStart } from "@/lib/server/platform/db/statements";
import { redactOpenSecrets } from "@/lib/server/platform/secrets/known-secrets";

const COLUMNS = {
  runId: "text",
  toolCallId: "text",
  traceId: "text",
  rootRunId: "text",
  threadId: "text",
  ownerId: "text",
  agentId: "text",
  agentVersionId: "text",
  agentVersion: "integer",
  step: "integer",
  spanId: "text",
  tool: "text",
  kind: "text",
  gist: "text",
  args: "text",
  argsHash: "text",
  annotations: "text",
  aliases: "text",
  pathArgument: "text",
  workdir: "text",
  runsIn: "text",
  hadNetwork: "boolean",
  mode: "text",
  verdict: "text",
  verdictBy: "text",
  rule: "text",
  grantId: "text",
  unknownAddress: "text",
  decision: "text",
  decidedBy: "text",
  decidedVia: "text",
  decisionReason: "text",
  status: "text",
  error: "text",
  problemKey: "text",
  coerced: "text",
  startedAt: "timestamp",
  endedAt: "timestamp",
} as const;

type ColumnOf<Type> = {
  [Name in keyof typeof COLUMNS]: (typeof COLUMNS)[Name] extends Type ? Name : never;
}[keyof typeof COLUMNS];

type Nullable =
  | "args"
  | "pathArgument"
  | "workdir"
  | "runsIn"
  | "mode"
  | "verdict"
  | "verdictBy"
  | "rule"
  | "grantId"
  | "unknownAddress"
  | "decision"
  | "decidedBy"
  | "decidedVia"
  | "decisionReason"
  | "error"
  | "problemKey"
  | "coerced";

/** A tool call as written, when it begins and again with what became of it. Times are Unix ms. */
export type CallRow = Readonly<Record<Exclude<ColumnOf<"text">, Nullable>, string>> &
  Readonly<Record<Nullable, string | null>> &
  Readonly<Record<ColumnOf<"integer">, number>> & {
    readonly hadNetwork: boolean | null;
    readonly startedAtMs: number;
    readonly endedAtMs: number | null;
    /** The claim of the call's run. */
    readonly epoch?: number;
  };

const NAMES = Object.keys(COLUMNS);
const COLUMN_LIST = NAMES.map((name) => `"${name}"`).join(", ");
/** A call that waited keeps its first start. */
const KEPT: ReadonlySet<string> = new Set(["runId", "toolCallId", "startedAt"]);
const CHANGES = NAMES.filter((name) => !KEPT.has(name))
  .map((name) => `"${name}" = excluded."${name}"`)
  .join(", ");

/** One statement for all of them; a process that has lost the run changes nothing. No known secret is stored. */
export function upsertCallsStatement({ dialect }: Database, calls: readonly CallRow[]): SqlStatement {
  const rows = dialect.rows("c", { ...COLUMNS, epoch: "integer" }, "$1");
  const isLate = `exists (select 1 from "run" r where r."id" = c."runId" and r."epoch" > c."epoch")`;
  const selected = NAMES.map((name) => `c."${name}"`).join(", ");
  return {
    sql: `insert into "call" (${COLUMN_LIST}) select ${selected} from ${rows} where not ${isLate}
      on conflict ("runId", "toolCallId") do update set ${CHANGES}`,
    parameters: [redactOpenSecrets(sqlJson(calls.map(toRow)))],
  };
}

function toRow({ startedAtMs, endedAtMs, ...columns }: CallRow) {
  return {
    ...columns,
    startedAt: sqlTimestamp(new Date(startedAtMs)),
    endedAt: endedAtMs === null ? null : sqlTimestamp(new Date(Math.max(startedAtMs, endedAtMs))),
  };
}

/**
 * Ends what is left of the calls of a run that ends outside its own loop: those that waited end undecided, those that
 * a dead process was making end as interrupted.
 */
export function endLeftCallsStatement(
  runId: string,
  end: { readonly error: string | null; readonly decision: string; readonly endedAt: Date },
): SqlStatement {
  const ifWaiting = (then: string, otherwise: string) =>
    `case when "status" = 'waiting' then ${then} else ${otherwise} end`;
  return {
    sql: `update "call" set "status" = ${ifWaiting("'cancelled'", "'interrupted'")},
        "error" = ${ifWaiting("$2", `"error"`)}, "decision" = ${ifWaiting("$3", `"decision"`)},
        "endedAt" = ${notBeforeStart("$4")}
      where "runId" = $1 and "status" in ('waiting', 'running')`,
    parameters: [runId, end.error, end.decision, end.endedAt],
  };
}

/** Interrupts the calls that a dead process was making; those that wait go on waiting. */
export function interruptCallsStatement(runId: string): SqlStatement {
  return {
    sql: `update "call" set "status" = 'interrupted', "endedAt" = ${notBeforeStart("$2")}
      where "runId" = $1 and "status" = 'running'`,
    parameters: [runId, new Date()],
  };
}

/** Interrupts the running calls of the newest `limit` traces whose run has ended without them. */
export function interruptCallsOfEndedRunsStatement(limit: number): SqlStatement {
  return {
    sql: `update "call" set "status" = 'interrupted',
        "endedAt" = case when "call"."startedAt" <= r."endedAt" then r."endedAt" else "call"."startedAt" end
      from "run" r
      where r."id" = "call"."runId" and r."endedAt" is not null and "call"."status" = 'running'
        and "call"."traceId" in (select "id" from "trace" order by "startedAt" desc, "id" desc limit ${limit})`,
    parameters: [],
  };
}
