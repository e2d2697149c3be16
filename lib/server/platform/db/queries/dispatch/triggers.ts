import type { Database } from "@/lib/server/platform/db/database";
import { parseTimestamp, type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlRow, SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow, updateRows } from "@/lib/server/platform/db/statements";

export type TriggerRow = NonNullable<Awaited<ReturnType<Database["trigger"]["findUnique"]>>>;
export type FiringRow = NonNullable<Awaited<ReturnType<Database["firing"]["findUnique"]>>>;
export type DeliveryRow = NonNullable<Awaited<ReturnType<Database["delivery"]["findUnique"]>>>;

/** The time by the clock that all processes share. */
export async function selectNow(database: Database): Promise<Date> {
  const [row] = await database.raw<{ now: string }>(`select ${database.dialect.clock()} as "now"`);
  if (row === undefined) throw new Error("The database did not say what time it is.");
  return parseTimestamp(row.now);
}

/** Fails the list of statements if the trigger is no longer on, or no longer due at that time. */
export function moveTriggerStatement(
  { id, nextDueAt }: { readonly id: string; readonly nextDueAt: Date },
  columns: Readonly<Partial<Record<keyof TriggerRow, SqlValue>>>,
): SqlStatement {
  return { ...updateRows("trigger", { id, nextDueAt, enabled: true }, columns), mustChange: true };
}

export function insertTriggerStatement(trigger: Readonly<Partial<Record<keyof TriggerRow, SqlValue>>>): SqlStatement {
  return insertRow("trigger", trigger);
}

/** Fails the list of statements if that occurrence already has a firing. */
export function insertFiringStatement(firing: Readonly<Partial<Record<keyof FiringRow, SqlValue>>>): SqlStatement {
  return insertRow("firing", firing);
}

/** Fails the list of statements if somebody else has decided on the firing. */
export function decideFiringStatement(
  { id, state }: Pick<FiringRow, "id" | "state">,
  columns: Readonly<Partial<Record<keyof FiringRow, SqlValue>>>,
): SqlStatement {
  return { ...updateRows("firing", { id, state }, columns), mustChange: true };
}

/** Replaces the text of a firing and when it is due, as long as it is as it was read; otherwise nothing is stored. */
export function extendFiringStatement(
  read: Readonly<Pick<FiringRow, "id" | "state" | "prompt">>,
  extended: Readonly<{ prompt: string; dueAt: Date }>,
): SqlStatement {
  const { id, state, prompt } = read;
  return { ...updateRows("firing", { id, state, prompt }, extended), mustChange: true };
}

/** Fails the list of statements if the end of its run is already recorded. */
export function endFiringStatement(id: string, outcome: string, failedCalls: number): SqlStatement {
  return {
    sql: `update "firing" set "outcome" = $2, "failedCalls" = $3 where "id" = $1 and "outcome" is null`,
    parameters: [id, outcome, failedCalls],
    mustChange: true,
  };
}

/** The run has handed its conversation over: the firing goes on with the run that answers now. */
export function passFiringStatement(id: string, fromRunId: string, toRunId: string): SqlStatement {
  return {
    sql: `update "firing" set "runId" = $3 where "id" = $1 and "runId" = $2 and "outcome" is null`,
    parameters: [id, fromRunId, toRunId],
    mustChange: true,
  };
}

/** After a run: counts failures in a row, and pauses the trigger after too many. */
export function countFailureStatement(triggerId: string, limit: number, now: Date): SqlStatement {
  return {
    sql: `update "trigger" set "failures" = "failures" + 1,
        "enabled" = case when "failures" + 1 >= $2 then false else "enabled" end,
        "nextDueAt" = case when "failures" + 1 >= $2 then null else "nextDueAt" end,
        "pausedAt" = case when "failures" + 1 >= $2 and "enabled" then $3 else "pausedAt" end,
        "pausedReason" = case when "failures" + 1 >= $2 and "enabled" then 'failures' else "pausedReason" end
      where "id" = $1`,
    parameters: [triggerId, limit, now],
  };
}

export function pauseTriggerStatement(id: string, pausedReason: string, now: Date): SqlStatement {
  return updateRows("trigger", { id, enabled: true }, { enabled: false, nextDueAt: null, pausedReason, pausedAt: now });
}

export function clearFailuresStatement(triggerId: string): SqlStatement {
  return updateRows("trigger", { id: triggerId }, { failures: 0 });
}

/** What is to leave; it belongs to the agent of the thread of its run. */
export function insertDeliveryStatement(
  delivery: Readonly<Partial<Record<Exclude<keyof DeliveryRow, "homeAgentId">, SqlValue>>>,
): SqlStatement {
  const columns = Object.keys(delivery);
  const places = columns.map((_, index) => `$${index + 1}`);
  return {
    sql: `insert into "delivery" (${columns.map((name) => `"${name}"`).join(", ")}, "homeAgentId")
      values (${places.join(", ")}, (select coalesce(t."homeAgentId", t."agentId")
        from "run" r join "thread" t on t."id" = r."threadId" where r."id" = $${columns.length + 1}))`,
    parameters: [...Object.values(delivery), delivery.runId ?? ""],
  };
}

/** Triggers with a firing that nobody has started, or whose run has ended without its end being recorded. */
export async function selectTriggersLeft(database: Database, limit: number): Promise<string[]> {
  const rows = await database.raw<{ triggerId: string }>(
    `select distinct f."triggerId" from "firing" f left join "run" r on r."id" = f."runId"
      where (f."state" = 'claimed' or (f."state" = 'started' and f."outcome" is null))
        and (f."runId" is null or r."id" is null or r."endedAt" is not null) limit $1`,
    [limit],
  );
  return rows.map(({ triggerId }) => triggerId);
}

/** For one trigger: the firings whose run has ended or no longer exists, without its end being recorded; oldest first. */
export async function selectUnnotedFirings(database: Database, triggerId: string): Promise<FiringRow[]> {
  const rows = await database.raw(
    `select f.* from "firing" f left join "run" r on r."id" = f."runId"
      where f."triggerId" = $1 and f."state" = 'started' and f."outcome" is null
        and (r."id" is null or r."endedAt" is not null)
      order by f."createdAt", f."id"`,
    [triggerId],
  );
  return readRows<FiringRow>(rows, { dates: ["dueAt", "createdAt"] });
}

/** The trigger's run that has not ended, if any, other than that of one firing. */
export async function selectGoingFiring(
  database: Database,
  { triggerId, exceptId }: { readonly triggerId: string; readonly exceptId: string },
): Promise<{ id: string; runId: string; dueAt: Date } | null> {
  const rows = await database.raw(
    `select f."id", f."runId", f."dueAt" from "firing" f join "run" r on r."id" = f."runId"
      where f."triggerId" = $1 and f."id" <> $2 and f."state" = 'started' and f."outcome" is null and r."endedAt" is null
        and r."heldAt" is null
      order by f."dueAt" desc limit 1`,
    [triggerId, exceptId],
  );
  return readRows<{ id: string; runId: string; dueAt: Date }>(rows, { dates: ["dueAt"] })[0] ?? null;
}

/** A firing with what is known of its run. */
export interface FiringWithRun extends FiringRow {
  readonly status: string | null;
  readonly costUsd: number | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

const WITH_RUN = `f.*, r."status", r."costUsd", r."startedAt", r."endedAt"`;

/** The latest firings of each trigger, oldest first. */
export async function selectLatestFirings(
  database: Database,
  triggerIds: readonly string[],
  limit: number,
): Promise<FiringWithRun[]> {
  const rows = await database.raw(
    `select ${WITH_RUN} from (
        select f.*, row_number() over (partition by f."triggerId" order by f."dueAt" desc, f."id" desc) as "place"
        from "firing" f join ${database.dialect.rows("t", { id: "text" }, "$1")} on t."id" = f."triggerId"
      ) f left join "run" r on r."id" = f."runId"
      where f."place" <= $2 order by f."dueAt", f."id"`,
    [sqlJson(triggerIds.map((id) => ({ id }))), limit],
  );
  return readFirings(rows);
}

function readFirings(rows: SqlRow[]): FiringWithRun[] {
  return readRows<FiringWithRun>(rows, { dates: ["dueAt", "createdAt", "startedAt", "endedAt"] });
}

/** The cost of each trigger's runs since a time; null if the price of one is unknown. */
export async function selectTriggerCosts(
  database: Database,
  triggerIds: readonly string[],
  since: Date,
): Promise<Map<string, number | null>> {
  const rows = await database.raw<{ triggerId: string; usd: number | null; unknown: number }>(
    `select f."triggerId", sum(r."costUsd") as "usd",
        sum(case when r."costUsd" is null and r."endedAt" is not null then 1 else 0 end) as "unknown"
      from "firing" f join "run" r on r."id" = f."runId"
        join ${database.dialect.rows("t", { id: "text" }, "$1")} on t."id" = f."triggerId"
      where r."createdAt" >= $2 group by f."triggerId"`,
    [sqlJson(triggerIds.map((id) => ({ id }))), since],
  );
  return new Map(rows.map(({ triggerId, usd, unknown }) => [triggerId, Number(unknown) > 0 ? null : (usd ?? 0)]));
}

/**
 * Fails the list of statements, after the one that inserts the person's schedule, if they then have more than `most`.
 * The first statement of the list (`lockPersonStatement`) makes others wait who count at the same time.
 */
export function atMostSchedulesStatement(ownerId: string, most: number): SqlStatement {
  return {
    sql: `update "user" set "name" = "name" where "id" = $1 and $2 >= (select count(*) from "trigger" t
        where t."ownerId" = $1 and t."kind" in ('cron', 'every', 'at') and t."fromConfig" = false)`,
    parameters: [ownerId, most],
    mustChange: true,
  };
}

/** Whoever changes what is counted per person holds the person's row until the end of the transaction. */
export function lockPersonStatement(ownerId: string): SqlStatement {
  return { sql: `update "user" set "name" = "name" where "id" = $1`, parameters: [ownerId] };
}
