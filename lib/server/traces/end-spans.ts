import { ENDED_STATUSES } from "@/lib/schema/run";
import type { Database } from "@/lib/server/platform/db/database";
import { endSpansOfEndedRuns, interruptSpans } from "@/lib/server/platform/db/queries/spans";

const NEWEST_TRACES = 500;

/** Ends what dead processes have left open of what followed the runs of a thread that have ended. */
export async function endLateSpans(database: Database, threadId: string): Promise<void> {
  const where = { threadId, status: { in: [...ENDED_STATUSES] } };
  const runs = await database.run.findMany({ where, select: { id: true, traceId: true } });
  for (const { id: runId, traceId } of runs) await interruptSpans(database, { traceId, runId }, "");
}

/**
 * Ends the spans of runs that have ended although their process was killed before it had stored those ends: they come up
 * to 100 ms later than the run's.
 */
export function endLeftSpans(database: Database): Promise<void> {
  return endSpansOfEndedRuns(database, NEWEST_TRACES);
}
