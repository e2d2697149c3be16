import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { updateRows } from "@/lib/server/platform/db/statements";
import type { FiringRow, TriggerRow } from "./triggers";

/** Stores a heartbeat's state between beats. */
export function keepBeatStateStatement(triggerId: string, state: object): SqlStatement {
  return updateRows("trigger", { id: triggerId }, { state: JSON.stringify(state) });
}

/** Records a beat's outcome, apart from how its run ended. */
export function noteBeatStatement(
  firingId: string,
  columns: Readonly<Partial<Record<keyof FiringRow, SqlValue>>>,
): SqlStatement {
  return updateRows("firing", { id: firingId }, columns);
}

/** Reschedules the next beat, unless that has already happened or the heartbeat is off. */
export function moveBeatStatement(
  { id, nextDueAt }: { readonly id: string; readonly nextDueAt: Date },
  next: Date,
): SqlStatement {
  return updateRows("trigger", { id, enabled: true, nextDueAt }, { nextDueAt: next });
}

/** Heartbeats that were paused because their person did not write to the agent, and whose person has written since. */
export async function selectWoken(database: Database): Promise<TriggerRow[]> {
  const rows = await database.raw(
    `select t.* from "trigger" t
      where t."kind" = 'heartbeat' and t."pausedReason" = 'idle' and exists (
        select 1 from "run" r where r."ownerId" = t."ownerId" and r."createdAt" > t."pausedAt"
          and r."agentId" = t."agentId" and r."attended" and r."parentRunId" is null)
      order by t."id"`,
    [],
  );
  return readRows<TriggerRow>(rows, {
    flags: ["enabled", "fromConfig"],
    dates: ["nextDueAt", "pausedAt", "createdAt", "updatedAt"],
  });
}

/** The outcomes of a heartbeat's beats since a time. */
export interface BeatCount {
  readonly triggerId: string;
  /** Null for beats that called a model. */
  readonly stoppedBy: string | null;
  readonly beats: number;
  readonly calls: number;
  readonly usd: number;
  /** Calls whose price is unknown. */
  readonly unpriced: number;
  readonly firstAt: Date;
}

/** By heartbeat and by what ended them; missed or refused beats are not counted. */
export async function countBeats(database: Database, triggerIds: readonly string[], since: Date): Promise<BeatCount[]> {
  const rows = await database.raw(
    `select f."triggerId", f."stoppedBy", count(*) as "beats",
        sum(case when r."steps" > 0 then 1 else 0 end) as "calls", coalesce(sum(r."costUsd"), 0) as "usd",
        sum(case when r."id" is not null and r."endedAt" is not null and r."costUsd" is null then 1 else 0 end)
          as "unpriced",
        min(f."dueAt") as "firstAt"
      from "firing" f left join "run" r on r."id" = f."runId"
        join ${database.dialect.rows("t", { id: "text" }, "$1")} on t."id" = f."triggerId"
      where f."dueAt" >= $2 and f."state" in ('started', 'skipped')
      group by f."triggerId", f."stoppedBy" order by f."triggerId", f."stoppedBy"`,
    [sqlJson(triggerIds.map((id) => ({ id }))), since],
  );
  return readRows<BeatCount>(rows, { dates: ["firstAt"] }).map((row) => ({
    ...row,
    beats: Number(row.beats),
    calls: Number(row.calls),
    usd: Number(row.usd),
    unpriced: Number(row.unpriced),
  }));
}
