import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { parseTimestamp, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { all, baseConditions, choiceConditions, type TraceSelection } from "./conditions";

/** When the oldest of the asks was made that people have not answered in the selected runs; null if there is none. */
export async function selectOldestAsk(database: Database, selection: TraceSelection): Promise<Date | null> {
  const statement = textStatement(sql<{ createdAt: string }>`select a."createdAt" from "approval" a
    join "run" r on r."id" = a."runId" join "trace" t on t."id" = r."traceId"
    where a."status" = 'pending' and ${conditionOf(selection)} order by a."createdAt" limit 1`);
  const [oldest] = await database.readAside(statement);
  return oldest === undefined ? null : parseTimestamp(oldest.createdAt);
}

/** How many of the selected runs had a later version of their agent. */
export async function countRunsAfter(database: Database, selection: TraceSelection, version: number): Promise<number> {
  const statement = textStatement(sql<{ runs: number }>`select count(*) as "runs" from "trace" t
    where t."agentVersion" > ${version} and ${conditionOf(selection)}`);
  const [counted] = await database.readAside(statement);
  return Number(counted?.runs ?? 0);
}

interface MissedScope {
  /** Default: everybody's, also of the schedules that nobody owns. */
  readonly ownerId?: string | undefined;
  readonly agentIds: readonly string[];
  readonly since: Date;
}

/** How many due times were found since then that schedules had missed, also those that were made up for once. */
export async function countMissed(database: Database, { ownerId, agentIds, since }: MissedScope): Promise<number> {
  const narrowed: RawBuilder<unknown>[] = [
    ...(ownerId === undefined ? [] : [sql`and g."ownerId" = ${ownerId}`]),
    ...(agentIds.length === 0 ? [] : [sql`and g."agentId" in (${sql.join([...agentIds])})`]),
  ];
  const statement = textStatement(sql<{ missed: number }>`select coalesce(sum(f."count"), 0) as "missed" from "firing" f
    join "trigger" g on g."id" = f."triggerId"
    where f."createdAt" >= ${sqlTimestamp(since)} and g."kind" in ('cron', 'every', 'at')
      and (f."state" = 'missed' or f."reason" like 'Missed%') ${sql.join(narrowed, sql` `)}`);
  const [counted] = await database.readAside(statement);
  return Number(counted?.missed ?? 0);
}

function conditionOf(selection: TraceSelection) {
  return all([...baseConditions(selection), ...choiceConditions(selection.choices).values()]);
}
