import type { Database } from "@/lib/server/platform/db/database";
import type { SqlValue } from "@/lib/server/platform/db/dialect";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { updateRows } from "@/lib/server/platform/db/statements";

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
}

/**
 * The row of a run's trace, with its thread's current title; a later segment reuses it. A process whose claim `epoch`
 * of the run is not the latest changes nothing.
 */
export async function upsertTrace(database: Database, trace: NewTrace, epoch: number): Promise<void> {
  const sql = `insert into "trace" ("id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion",
      "title", "homeAgentId", "status", "startedAt", "origin", "attended", "originDetails")
    select $1, $2, $3, $4, $5, $6, $7, (select "title" from "thread" where "id" = $4),
      (select nullif(coalesce("homeAgentId", "agentId"), $5) from "thread" where "id" = $4),
      'running', $8, $10, $11, $12
      where not exists (select 1 from "run" where "id" = $2 and "epoch" > $9)
    on conflict ("id") do update set "status" = 'running', "endedAt" = null`;
  const { id, runId, ownerId, threadId, agentId, agentVersionId, agentVersion, startedAt } = trace;
  const known = [id, runId, ownerId, threadId, agentId, agentVersionId, agentVersion, startedAt, epoch];
  await database.raw(sql, [...known, trace.origin, trace.attended, trace.originDetails]);
}

export async function addDroppedSpans(database: Database, traceId: string, count: number): Promise<void> {
  await database.raw(`update "trace" set "droppedSpans" = "droppedSpans" + $2 where "id" = $1`, [traceId, count]);
}

/** The model that answered last; null if the trace has none yet, or there is no trace. */
export async function selectTraceModel(database: Database, traceId: string): Promise<string | null> {
  const [trace] = await database.raw<{ model: string | null }>(`select "model" from "trace" where "id" = $1`, [
    traceId,
  ]);
  return trace?.model ?? null;
}

/** Copies a root run's figures to its trace; the trace of a child's tree belongs to another run and is unchanged. */
export function updateTraceStatement(
  { id, runId }: { readonly id: string; readonly runId: string },
  { endedAt, ...columns }: Readonly<Record<string, SqlValue>> & { readonly endedAt: Date },
): SqlStatement {
  return updateRows("trace", { id, runId }, { ...columns, endedAt: { notBeforeStart: endedAt } });
}
