import type { Database } from "@/lib/server/platform/db/database";

/** The JSON of an event with its place. */
interface EventData {
  readonly runId: string;
  readonly seq: number;
  readonly data: string;
}

/** Replies and summaries without a cost in the logs of runs that have not ended, the latest of a run first. */
export function selectUnpricedReplies(database: Database): Promise<EventData[]> {
  return database.raw<EventData>(
    `select e."runId", e."seq", e."data" from "run" r join "run_event" e on e."runId" = r."id"
      where r."status" in ('queued', 'running', 'waiting') and e."type" in ('model.completed', 'summary.completed')
        and e."data" not like '%"costUsd":%'
      order by e."runId", e."seq" desc`,
  );
}

export async function updateEventData(database: Database, { runId, seq, data }: EventData): Promise<void> {
  await database.raw(`update "run_event" set "data" = $3 where "runId" = $1 and "seq" = $2`, [runId, seq, data]);
}
