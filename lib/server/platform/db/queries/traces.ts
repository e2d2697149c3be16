import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { type Changes, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { redactOpenSecrets } from "@/lib/server/platform/secrets/known-secrets";

interface NewTrace {
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly agentVersionId: string;
  readonly agentVersion: number;
  readonly origin: string;
  readonly originDetails: string | null;
  readonly attended: boolean;
  readonly startedAt: Date;
  readonly apiKeyId: string | null;
  readonly projectId: string | null;
  /** The beginning of the message that started the run. */
  readonly firstLine: string | null;
}

const COLUMNS = [
  ...(["id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion"] as const),
  ...(["startedAt", "origin", "attended", "originDetails"] as const),
  ...(["apiKeyId", "projectId", "firstLine"] as const),
] as const;

const storedTrace = hotStatement((value: PlaceFor<NewTrace & { readonly epoch: number }>) => {
  const thread = build.selectFrom("thread").where("id", "=", value("threadId"));
  const home = sql<string | null>`nullif(coalesce("homeAgentId", "agentId"), ${value("agentId")})`;
  const later = build
    .selectFrom("run")
    .select("id")
    .where("id", "=", value("runId"))
    .where("epoch", ">", value("epoch"));
  return build
    .insertInto("trace")
    .columns([...COLUMNS, "status", "title", "homeAgentId"])
    .expression(
      build
        .selectNoFrom(COLUMNS.map((name) => sql`${value(name)}`.as(name)))
        .select([sql.lit("running").as("status"), thread.select("title").as("title")])
        .select(thread.select(home.as("homeAgentId")).as("homeAgentId"))
        .where((eb) => eb.not(eb.exists(later))),
    )
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ status: sql.lit("running"), endedAt: null }));
});

/**
 * The row of a run's trace, with its thread's current title; a later segment reuses it. A process whose claim `epoch`
 * of the run is not the latest changes nothing.
 */
export async function upsertTrace(database: Database, started: NewTrace, epoch: number): Promise<void> {
  const { firstLine } = started;
  const trace = { ...started, firstLine: firstLine === null ? null : redactOpenSecrets(firstLine) };
  await database.execute(storedTrace({ ...trace, epoch }));
}

export async function addDroppedSpans(database: Database, traceId: string, count: number): Promise<void> {
  await database.execute(
    build
      .updateTable("trace")
      .set((eb) => ({ droppedSpans: eb("droppedSpans", "+", count) }))
      .where("id", "=", traceId),
  );
}

const traceModel = hotStatement((value: PlaceFor<{ traceId: string }>) =>
  build.selectFrom("trace").select("model").where("id", "=", value("traceId")),
);

/** The model that answered last; null if the trace has none yet, or there is no trace. */
export async function selectTraceModel(database: Database, traceId: string): Promise<string | null> {
  const [trace] = await database.execute(traceModel({ traceId }));
  return trace?.model ?? null;
}

/** Copies a root run's figures to its trace; the trace of a child's tree belongs to another run and is unchanged. */
export function updateTraceStatement(
  { id, runId }: { readonly id: string; readonly runId: string },
  { endedAt, ...columns }: Changes<"trace"> & { readonly endedAt: Date },
): SqlStatement {
  return updateRows("trace", { id, runId }, { ...columns, endedAt: { notBeforeStart: endedAt } });
}

/** What a root run has done so far, when it pauses; the trace of a child's tree is unchanged. */
export function pauseTraceStatement(
  { id, runId }: { readonly id: string; readonly runId: string },
  columns: Changes<"trace">,
): SqlStatement {
  return updateRows("trace", { id, runId }, columns);
}
