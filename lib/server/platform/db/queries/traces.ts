import { sql, type Updateable } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";
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

/**
 * The row of a run's trace, with its thread's current title; a later segment reuses it. A process whose claim `epoch`
 * of the run is not the latest changes nothing.
 */
export async function upsertTrace(database: Database, started: NewTrace, epoch: number): Promise<void> {
  const { firstLine } = started;
  const trace = { ...started, firstLine: firstLine === null ? null : redactOpenSecrets(firstLine) };
  const thread = build.selectFrom("thread").where("id", "=", trace.threadId);
  const home = sql<string | null>`nullif(coalesce("homeAgentId", "agentId"), ${trace.agentId})`;
  const later = build.selectFrom("run").select("id").where("id", "=", trace.runId).where("epoch", ">", epoch);
  await database.execute(
    build
      .insertInto("trace")
      .columns([...COLUMNS, "status", "title", "homeAgentId"])
      .expression(
        build
          .selectNoFrom((eb) => COLUMNS.map((name) => eb.val(trace[name]).as(name)))
          .select([sql.lit("running").as("status"), thread.select("title").as("title")])
          .select(thread.select(home.as("homeAgentId")).as("homeAgentId"))
          .where((eb) => eb.not(eb.exists(later))),
      )
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ status: "running", endedAt: null })),
  );
}

const COLUMNS = [
  ...(["id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion"] as const),
  ...(["startedAt", "origin", "attended", "originDetails"] as const),
  ...(["apiKeyId", "projectId", "firstLine"] as const),
] as const;

export async function addDroppedSpans(database: Database, traceId: string, count: number): Promise<void> {
  await database.execute(
    build
      .updateTable("trace")
      .set((eb) => ({ droppedSpans: eb("droppedSpans", "+", count) }))
      .where("id", "=", traceId),
  );
}

/** The model that answered last; null if the trace has none yet, or there is no trace. */
export async function selectTraceModel(database: Database, traceId: string): Promise<string | null> {
  const [trace] = await database.execute(build.selectFrom("trace").select("model").where("id", "=", traceId));
  return trace?.model ?? null;
}

/** Copies a root run's figures to its trace; the trace of a child's tree belongs to another run and is unchanged. */
export function updateTraceStatement(
  { id, runId }: { readonly id: string; readonly runId: string },
  { endedAt, ...columns }: Readonly<Updateable<Tables["trace"]>> & { readonly endedAt: Date },
): SqlStatement {
  return build
    .updateTable("trace")
    .set({ ...columns, endedAt: notBeforeStart(endedAt) })
    .where("id", "=", id)
    .where("runId", "=", runId)
    .compile();
}

/** The time, but not before the row's "startedAt": the clock may have been set back since. */
function notBeforeStart(end: Date) {
  const text = sqlTimestamp(end);
  return sql<string>`case when "startedAt" <= ${text} then ${text} else "startedAt" end`;
}
