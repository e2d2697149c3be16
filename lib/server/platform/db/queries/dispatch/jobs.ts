import type { Database } from "@/lib/server/platform/db/database";
import { SEGMENTS } from "@/lib/server/platform/db/job-queue";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";

type ForgottenRun = Pick<RunRow, "id" | "ownerId" | "segment" | "status">;

const AT_ONCE = 1_000;

/** Runs on Postgres that are running, or whose turn it is, although no job exists to execute them. */
export function selectForgottenRuns(database: Database): Promise<ForgottenRun[]> {
  return database.raw<ForgottenRun>(
    `select q."id", q."ownerId", q."segment", q."status" from "run" q
      where q."endedAt" is null and (q."status" = 'running' or (q."status" = 'queued' and not exists (
          select 1 from "run" o where o."threadId" = q."threadId" and o."endedAt" is null and o."id" <> q."id"
            and (o."status" <> 'queued' or o."position" < q."position"))))
        and not exists (select 1 from pgboss.job j where j.name = $1 and j.state < 'completed'
          and j.data ->> 'runId' = q."id")
      order by q."createdAt" limit ${AT_ONCE}`,
    [SEGMENTS],
  );
}

/** Whether the run of this job was dispatched again since: the newer job executes it, or waits to. */
export async function hasNewerJob(database: Database, jobId: string): Promise<boolean> {
  const rows = await database.raw(
    `select 1 from pgboss.job own join pgboss.job newer
        on newer.name = own.name and newer.data ->> 'runId' = own.data ->> 'runId'
        and newer.created_on > own.created_on and newer.state < 'completed'
      where own.name = $1 and own.id = $2::uuid`,
    [SEGMENTS, jobId],
  );
  return rows.length > 0;
}
