import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { parseTimestamp, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { clock } from "@/lib/server/platform/db/kysely/clock";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

export type TriggerRow = NonNullable<Awaited<ReturnType<Database["trigger"]["findUnique"]>>>;
export type FiringRow = NonNullable<Awaited<ReturnType<Database["firing"]["findUnique"]>>>;
export type DeliveryRow = NonNullable<Awaited<ReturnType<Database["delivery"]["findUnique"]>>>;

/** The time by the clock that all processes share. */
export async function selectNow(database: Database): Promise<Date> {
  const [row] = await database.execute(build.selectNoFrom(clock(database.dialect).as("now")));
  if (row === undefined) throw new Error("The database did not say what time it is.");
  return parseTimestamp(row.now);
}

/** Fails the list of statements if the trigger is no longer on, or no longer due at that time. */
export function moveTriggerStatement(
  { id, nextDueAt }: { readonly id: string; readonly nextDueAt: Date },
  columns: Changes<"trigger">,
): SqlStatement {
  return {
    ...updateRows("trigger", { id, nextDueAt: sqlTimestamp(nextDueAt), enabled: true }, columns),
    mustChange: true,
  };
}

export function insertTriggerStatement(trigger: NewRow<"trigger">): SqlStatement {
  return insertRow("trigger", trigger);
}

/** Fails the list of statements if there is no such trigger. */
export function updateTriggerStatement(id: string, columns: Changes<"trigger">): SqlStatement {
  return { ...updateRows("trigger", { id }, columns), mustChange: true };
}

/** Inserts the trigger, or changes the one of this id to it. */
export function upsertTriggerStatement({ id, createdAt, ...columns }: NewRow<"trigger">): SqlStatement {
  return build
    .insertInto("trigger")
    .values({ id, createdAt, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .compile();
}

/** Fails the list of statements if that occurrence already has a firing. */
export function insertFiringStatement(firing: NewRow<"firing">): SqlStatement {
  return insertRow("firing", firing);
}

/** Fails the list of statements if somebody else has decided on the firing. */
export function decideFiringStatement(
  { id, state }: Pick<FiringRow, "id" | "state">,
  columns: Changes<"firing">,
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
  const ended = build.updateTable("firing").set({ outcome, failedCalls }).where("id", "=", id);
  return { ...ended.where("outcome", "is", null).compile(), mustChange: true };
}

/** The run has handed its conversation over: the firing goes on with the run that answers now. */
export function passFiringStatement(id: string, fromRunId: string, toRunId: string): SqlStatement {
  const passed = build.updateTable("firing").set({ runId: toRunId }).where("id", "=", id);
  return { ...passed.where("runId", "=", fromRunId).where("outcome", "is", null).compile(), mustChange: true };
}

/** After a run: counts failures in a row, and pauses the trigger after too many. */
export function countFailureStatement(triggerId: string, limit: number, now: Date): SqlStatement {
  return build
    .updateTable("trigger")
    .set((eb) => {
      const failures = eb("failures", "+", eb.lit(1));
      const isPaused = eb(failures, ">=", limit);
      const isPausedNow = eb.and([isPaused, eb("enabled", "=", sql.lit(true))]);
      return {
        failures,
        enabled: eb.case().when(isPaused).then(sql.lit(false)).else(eb.ref("enabled")).end(),
        nextDueAt: eb.case().when(isPaused).then(sql.lit(null)).else(eb.ref("nextDueAt")).end(),
        pausedAt: eb.case().when(isPausedNow).then(sql<string | null>`${now}`).else(eb.ref("pausedAt")).end(),
        pausedReason: eb
          .case()
          .when(isPausedNow)
          .then(sql<string | null>`${sql.lit("failures")}`)
          .else(eb.ref("pausedReason"))
          .end(),
      };
    })
    .where("id", "=", triggerId)
    .compile();
}

export function pauseTriggerStatement(id: string, pausedReason: string, now: Date): SqlStatement {
  return updateRows("trigger", { id, enabled: true }, { enabled: false, nextDueAt: null, pausedReason, pausedAt: now });
}

export function clearFailuresStatement(triggerId: string): SqlStatement {
  return updateRows("trigger", { id: triggerId }, { failures: 0 });
}

/** What is to leave; it belongs to the agent of the thread of its run. */
export function insertDeliveryStatement(delivery: Omit<NewRow<"delivery">, "homeAgentId">): SqlStatement {
  const homeAgentId = build
    .selectFrom("run as r")
    .innerJoin("thread as t", "t.id", "r.threadId")
    .select((eb) => eb.fn.coalesce("t.homeAgentId", "t.agentId").as("agentId"))
    .where("r.id", "=", delivery.runId ?? "");
  return build
    .insertInto("delivery")
    .values({ ...delivery, homeAgentId })
    .compile();
}

/** Triggers with a firing that nobody has started, or whose run has ended without its end being recorded. */
export async function selectTriggersLeft(database: Database, limit: number): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom("firing as f")
      .leftJoin("run as r", "r.id", "f.runId")
      .select("f.triggerId")
      .distinct()
      .where((eb) =>
        eb.or([
          eb("f.state", "=", sql.lit("claimed")),
          eb.and([eb("f.state", "=", sql.lit("started")), eb("f.outcome", "is", null)]),
        ]),
      )
      .where((eb) => eb.or([eb("f.runId", "is", null), eb("r.id", "is", null), eb("r.endedAt", "is not", null)]))
      .limit(limit),
  );
  return rows.map(({ triggerId }) => triggerId);
}

/** Firings whose end is not recorded. */
function startedFirings(triggerId: string) {
  return build
    .selectFrom("firing as f")
    .where("f.triggerId", "=", triggerId)
    .where("f.state", "=", sql.lit("started"))
    .where("f.outcome", "is", null);
}

/** For one trigger: the firings whose run has ended or no longer exists, without its end being recorded; oldest first. */
export async function selectUnnotedFirings(database: Database, triggerId: string): Promise<FiringRow[]> {
  const rows = await database.execute(
    startedFirings(triggerId)
      .leftJoin("run as r", "r.id", "f.runId")
      .selectAll("f")
      .where((eb) => eb.or([eb("r.id", "is", null), eb("r.endedAt", "is not", null)]))
      .orderBy("f.createdAt")
      .orderBy("f.id"),
  );
  return withDates(rows, "dueAt", "createdAt");
}

/** The trigger's run that has not ended, if any, other than that of one firing. */
export async function selectGoingFiring(
  database: Database,
  { triggerId, exceptId }: { readonly triggerId: string; readonly exceptId: string },
): Promise<{ id: string; runId: string; dueAt: Date } | null> {
  const rows = await database.execute(
    startedFirings(triggerId)
      .innerJoin("run as r", "r.id", "f.runId")
      .select(["f.id", "r.id as runId", "f.dueAt"])
      .where("f.id", "<>", exceptId)
      .where("r.endedAt", "is", null)
      .where("r.heldAt", "is", null)
      .orderBy("f.dueAt", "desc")
      .limit(1),
  );
  return withDates(rows, "dueAt")[0] ?? null;
}

/** A firing with what is known of its run. */
export interface FiringWithRun extends FiringRow {
  readonly status: string | null;
  readonly costUsd: number | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** The latest firings of each trigger, oldest first. */
export async function selectLatestFirings(
  database: Database,
  triggerIds: readonly string[],
  limit: number,
): Promise<FiringWithRun[]> {
  const latest = build
    .selectFrom("firing as f")
    .innerJoin(wanted(database, triggerIds), "t.id", "f.triggerId")
    .selectAll("f")
    .select((eb) =>
      eb.fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("f.triggerId").orderBy("f.dueAt", "desc").orderBy("f.id", "desc"))
        .as("place"),
    );
  const rows = await database.execute(
    build
      .selectFrom(latest.as("f"))
      .leftJoin("run as r", "r.id", "f.runId")
      .selectAll("f")
      .select(["r.status", "r.costUsd", "r.startedAt", "r.endedAt"])
      .where("f.place", "<=", limit)
      .orderBy("f.dueAt")
      .orderBy("f.id"),
  );
  return withDates(rows, "dueAt", "createdAt", "startedAt", "endedAt");
}

function wanted({ dialect }: Database, triggerIds: readonly string[]) {
  return jsonRows(
    dialect,
    { id: "text" },
    triggerIds.map((id) => ({ id })),
  ).as("t");
}

/** The cost of each trigger's runs since a time; null if the price of one is unknown. */
export async function selectTriggerCosts(
  database: Database,
  triggerIds: readonly string[],
  since: Date,
): Promise<Map<string, number | null>> {
  const rows = await database.execute(
    build
      .selectFrom("firing as f")
      .innerJoin("run as r", "r.id", "f.runId")
      .innerJoin(wanted(database, triggerIds), "t.id", "f.triggerId")
      .select((eb) => {
        const isUnknown = eb.and([eb("r.costUsd", "is", null), eb("r.endedAt", "is not", null)]);
        return [
          "f.triggerId",
          eb.fn.sum<number | null>("r.costUsd").as("usd"),
          eb.fn.sum<number>(sql<number>`case when ${isUnknown} then 1 else 0 end`).as("unknown"),
        ];
      })
      .where("r.createdAt", ">=", sqlTimestamp(since))
      .groupBy("f.triggerId"),
  );
  return new Map(rows.map(({ triggerId, usd, unknown }) => [triggerId, unknown > 0 ? null : (usd ?? 0)]));
}

/**
 * Fails the list of statements, after the one that inserts the person's schedule, if they then have more than `most`.
 * The first statement of the list (`lockPersonStatement`) makes others wait who count at the same time.
 */
export function atMostSchedulesStatement(ownerId: string, most: number): SqlStatement {
  const schedules = build
    .selectFrom("trigger as t")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("t.ownerId", "=", ownerId)
    .where("t.kind", "in", [sql.lit("cron"), sql.lit("every"), sql.lit("at")])
    .where("t.fromConfig", "=", sql.lit(false));
  const checked = lockedPerson(ownerId).where((eb) => eb(eb.val(most), ">=", schedules));
  return { ...checked.compile(), mustChange: true };
}

/** Whoever changes what is counted per person holds the person's row until the end of the transaction. */
export function lockPersonStatement(ownerId: string): SqlStatement {
  return lockedPerson(ownerId).compile();
}

function lockedPerson(ownerId: string) {
  return build
    .updateTable("user")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", ownerId);
}
