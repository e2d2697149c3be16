import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";

/** Texts by id: while a text stays the same there is nothing new to read. */
type Marks = ReadonlyMap<string, string>;

interface MarkRow {
  readonly id: string;
}

/** A run's status and last event, and how many of its subagents are active. Runs that no longer exist have no mark. */
export function selectRunMarks(database: Database, runIds: readonly string[]): Promise<Marks> {
  return selectMarks(
    database,
    runIds,
    `select r."id", r."status", r."segment",
        (select max(e."seq") from "run_event" e where e."runId" = r."id") as "last",
        (select count(*) from "run" c where c."rootRunId" = r."id" and c."endedAt" is null
          and c."status" <> 'waiting') as "busy"
      from "run" r`,
    "r",
  );
}

/** A thread's last run and compaction, and whether it was deleted. Threads that no longer exist have no mark. */
export function selectThreadMarks(database: Database, threadIds: readonly string[]): Promise<Marks> {
  return selectMarks(
    database,
    threadIds,
    `select t."id", t."compactionCount", t."deletedAt",
        (select max(r."position") from "run" r where r."threadId" = t."id") as "last"
      from "thread" t`,
    "t",
  );
}

async function selectMarks(database: Database, ids: readonly string[], select: string, alias: string): Promise<Marks> {
  const rows = await database.raw<MarkRow>(
    `${select} join ${database.dialect.rows("h", { id: "text" }, "$1")} on h."id" = ${alias}."id"`,
    [sqlJson(ids.map((id) => ({ id })))],
  );
  return new Map(rows.map((row) => [row.id, Object.values(row).join(" ")]));
}
