import { type Expression, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { notBeforeStart } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
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
  subject: "text",
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
  filesLeftOut: "integer",
  tookMs: "integer",
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
  | "subject"
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
  Readonly<Record<Exclude<ColumnOf<"integer">, "filesLeftOut" | "tookMs">, number>> & {
    readonly filesLeftOut: number | null;
    readonly tookMs: number | null;
    readonly hadNetwork: boolean | null;
    readonly startedAtMs: number;
    readonly endedAtMs: number | null;
    /** The claim of the call's run. */
    readonly epoch?: number;
  };

type Name = keyof typeof COLUMNS;

const NAMES = Object.keys(COLUMNS) as Name[];
/** A call that waited keeps its first start. */
const KEPT: ReadonlySet<Name> = new Set(["runId", "toolCallId", "startedAt"]);

const storedCalls = hotStatements((value: PlaceFor<{ rows: string }>, dialect) => {
  const given = boundJsonRows(dialect, { ...COLUMNS, epoch: "integer" } as const, value("rows"));
  return build
    .insertInto("call")
    .columns(NAMES)
    .expression(
      build
        .selectFrom(given.as("c"))
        .select(NAMES.map((name) => `c.${name}` as const))
        .where((eb) => {
          const run = eb.selectFrom("run as r").select("r.id").whereRef("r.id", "=", "c.runId");
          return eb.not(eb.exists(run.whereRef("r.epoch", ">", "c.epoch")));
        }),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["runId", "toolCallId"])
        .doUpdateSet((eb) =>
          Object.fromEntries(NAMES.filter((name) => !KEPT.has(name)).map((name) => [name, eb.ref(`excluded.${name}`)])),
        ),
    );
});

/** One statement for all of them; a process that has lost the run changes nothing. No known secret is stored. */
export function upsertCallsStatement({ dialect }: Database, calls: readonly CallRow[]): SqlStatement {
  return storedCalls(dialect, { rows: redactOpenSecrets(sqlJson(calls.map(toRow))) });
}

function toRow({ startedAtMs, endedAtMs, ...columns }: CallRow) {
  return {
    ...columns,
    startedAt: sqlTimestamp(new Date(startedAtMs)),
    endedAt: endedAtMs === null ? null : sqlTimestamp(new Date(Math.max(startedAtMs, endedAtMs))),
  };
}

interface LeftCalls {
  readonly runId: string;
  readonly error: string | null;
  readonly decision: string;
  readonly endedAt: Date;
}

const leftCalls = hotStatement((value: PlaceFor<LeftCalls>) => {
  const ifWaiting = <Value>(then: Expression<Value>, otherwise: Expression<Value>) =>
    sql<Value>`case when "status" = 'waiting' then ${then} else ${otherwise} end`;
  return build
    .updateTable("call")
    .set((eb) => ({
      status: ifWaiting(sql.lit("cancelled"), sql.lit("interrupted")),
      error: ifWaiting(value("error"), eb.ref("error")),
      decision: ifWaiting(value("decision"), eb.ref("decision")),
      endedAt: notBeforeStart(value("endedAt")),
    }))
    .where("runId", "=", value("runId"))
    .where("status", "in", ["waiting", "running"]);
});

/**
 * Ends what is left of the calls of a run that ends outside its own loop: those that waited end undecided, those that
 * a dead process was making end as interrupted.
 */
export function endLeftCallsStatement(runId: string, end: Omit<LeftCalls, "runId">): SqlStatement {
  return leftCalls({ ...end, runId });
}

const interruptedCalls = hotStatement((value: PlaceFor<{ runId: string; now: Date }>) =>
  build
    .updateTable("call")
    .set({ status: "interrupted", endedAt: notBeforeStart(value("now")) })
    .where("runId", "=", value("runId"))
    .where("status", "=", "running"),
);

/** Interrupts the calls that a dead process was making; those that wait go on waiting. */
export function interruptCallsStatement(runId: string): SqlStatement {
  return interruptedCalls({ runId, now: new Date() });
}

/** Interrupts the running calls of the newest `limit` traces whose run has ended without them. */
export function interruptCallsOfEndedRunsStatement(limit: number): SqlStatement {
  const newest = build.selectFrom("trace").select("id").orderBy("startedAt", "desc").orderBy("id", "desc").limit(limit);
  return build
    .updateTable("call")
    .from("run as r")
    .set((eb) => ({
      status: "interrupted",
      endedAt: eb
        .case()
        .when("call.startedAt", "<=", eb.ref("r.endedAt"))
        .then(eb.ref("r.endedAt"))
        .else(eb.ref("call.startedAt"))
        .end(),
    }))
    .whereRef("r.id", "=", "call.runId")
    .where("r.endedAt", "is not", null)
    .where("call.status", "=", "running")
    .where("call.traceId", "in", newest)
    .compile();
}
