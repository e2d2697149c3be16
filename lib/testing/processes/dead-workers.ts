import type { Database } from "@/lib/server/platform/db/database";

/**
 * Simulates that ten seconds have passed since the death of every process that held a segment: pg-boss has taken their
 * jobs back. On SQLite the next process takes over at once.
 */
export async function takeJobsOfDeadWorkers(database: Database): Promise<void> {
  if (database.dialect.provider === "sqlite") return;
  await database.raw(`update pgboss.job set state = 'retry', started_on = now() where state <= 'active'
    and name = 'segment.v1' and (state = 'active' or data ->> 'runId' in (select "id" from "run" where "status" = 'running'))`);
}
