import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { SEGMENTS, TASKS } from "@/lib/server/platform/db/job-queue";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";

type ForgottenRun = Pick<RunRow, "id" | "ownerId" | "segment" | "status">;

const AT_ONCE = 1_000;

/** Runs on Postgres that are running, or whose turn it is, although no job exists to execute them. */
export function selectForgottenRuns(database: Database): Promise<ForgottenRun[]> {
  const runs = sql<ForgottenRun>`select q."id", q."ownerId", q."segment", q."status" from "run" q
      where q."endedAt" is null and (q."status" = 'running' or (q."status" = 'queued' and q."heldAt" is null and not exists (
          select 1 from "run" o where o."threadId" = q."threadId" and o."endedAt" is null and o."heldAt" is null
            and o."id" <> q."id" and (o."status" <> 'queued' or o."position" < q."position"))))
        and not exists (select 1 from pgboss.job j where j.name = ${SEGMENTS} and j.state < 'completed'
          and j.data ->> 'runId' = q."id")
      order by q."createdAt" limit ${AT_ONCE}`;
  return database.execute(textStatement(runs));
}

interface JobsDue {
  readonly segments: boolean;
  readonly tasks: boolean;
  /** A process that held a job no longer renews it. */
  readonly lost: boolean;
}

/** What there is to do in the queues, in one statement: it is asked every second, and mostly nothing is. */
export async function selectJobsDue(database: Database): Promise<JobsDue> {
  const waiting = (queue: string) => sql`exists (select 1 from pgboss.job where name = ${queue} and state < 'active'
    and not blocked and start_after <= pgboss.job_now())`;
  const due = sql<JobsDue>`select ${waiting(SEGMENTS)} as "segments", ${waiting(TASKS)} as "tasks",
      exists (select 1 from pgboss.job where name in (${SEGMENTS}, ${TASKS}) and state = 'active'
        and heartbeat_on + heartbeat_seconds * interval '1 second' < pgboss.job_now()) as "lost"`;
  const [row] = await database.execute(textStatement(due));
  return row ?? { segments: false, tasks: false, lost: false };
}

/** Whether the run of this job was dispatched again since: the newer job executes it, or waits to. */
export async function hasNewerJob(database: Database, jobId: string): Promise<boolean> {
  const newer = sql`select 1 from pgboss.job own join pgboss.job newer
        on newer.name = own.name and newer.data ->> 'runId' = own.data ->> 'runId'
        and newer.created_on > own.created_on and newer.state < 'completed'
      where own.name = ${SEGMENTS} and own.id = ${jobId}::uuid`;
  return (await database.execute(textStatement(newer))).length > 0;
}
