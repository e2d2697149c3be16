import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

const COLUMNS = {
  runId: "text",
  step: "integer",
  traceId: "text",
  workspaceId: "text",
  promptHash: "text",
  toolsHash: "text",
  rulesHash: "text",
  grants: "text",
  todosHash: "text",
  summaryHash: "text",
  preparedHash: "text",
  startedAt: "timestamp",
} as const;

const WRITTEN = { ...COLUMNS, rootRunId: "text", epoch: "integer" } as const;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const CHANGING = [...NAMES.filter((name) => name !== "runId" && name !== "step"), "readSeq"] as const;

type Nullable = "workspaceId" | Hash | "grants";
type Hash = "promptHash" | "toolsHash" | "rulesHash" | "todosHash" | "summaryHash" | "preparedHash";

/** What a step began with, as written. A run's end has no hashes. */
export type RunStepRow = Readonly<Record<Nullable, string | null>> & {
  readonly runId: string;
  /** The root of the run's tree. */
  readonly rootRunId: string;
  readonly step: number;
  readonly traceId: string;
  /** Unix ms. */
  readonly startedAtMs: number;
  /** The claim of the run. */
  readonly epoch?: number;
};

/**
 * One statement for all of them; a process that has lost the run changes nothing. The batch comes up to some seconds
 * after the step began: of the workspace's changes, those count that precede every change by the step's own calls, its
 * later steps, the subagents that these started and a memory flush, whose calls are of no step.
 */
export function upsertStepsStatement({ dialect }: Database, steps: readonly RunStepRow[]): SqlStatement {
  const rows = jsonRows(
    dialect,
    WRITTEN,
    steps.map(({ startedAtMs, ...step }) => ({ ...step, startedAt: sqlTimestamp(new Date(startedAtMs)) })),
  );
  const selected = build
    .selectFrom(rows.as("s"))
    .select(NAMES.map((name) => (name === "workspaceId" ? WORKSPACE.as(name) : (`s.${name}` as const))))
    .select(READ_SEQ.as("readSeq"))
    .where(sql<boolean>`not exists (select 1 from "run" r where r."id" = s."runId" and r."epoch" > s."epoch")`);
  return build
    .insertInto("run_step")
    .columns([...NAMES, "readSeq"])
    .expression(selected)
    .onConflict((conflict) =>
      conflict
        .columns(["runId", "step"])
        .doUpdateSet((eb) => Object.fromEntries(CHANGING.map((name) => [name, eb.ref(`excluded.${name}`)]))),
    )
    .compile();
}

/** The end of a run in a segment without a step names no workspace. */
const WORKSPACE = sql<string | null>`coalesce(s."workspaceId",
  (select p."workspaceId" from "run_step" p where p."runId" = s."runId" order by p."step" desc limit 1))`;

const OWN_CHANGES = sql`select v."seq" from "file_version" v
    where v."runId" = s."runId" and (v."step" >= s."step" or (v."step" is null and v."toolCallId" is not null))
      and v."workspaceId" = ${WORKSPACE}
  union all
  select v."seq" from "run" c join "file_version" v on v."runId" = c."id"
    where c."rootRunId" = s."rootRunId" and c."id" <> s."runId" and c."createdAt" >= s."startedAt"
      and v."workspaceId" = ${WORKSPACE}`;

const READ_SEQ = sql<number | null>`case when ${WORKSPACE} is null then null else coalesce(
  (select min(own."seq") - 1 from (${OWN_CHANGES}) own),
  (select max(v."seq") from "file_version" v where v."workspaceId" = ${WORKSPACE}), 0) end`;
