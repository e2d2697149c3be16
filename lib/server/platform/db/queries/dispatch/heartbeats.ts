import { type Expression, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type Changes, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { TriggerRow } from "./triggers";

/** Stores a heartbeat's state between beats. */
export function keepHeartbeatStateStatement(triggerId: string, state: object): SqlStatement {
  return updateRows("trigger", { id: triggerId }, { state: JSON.stringify(state) });
}

/** Records a beat's outcome, apart from how its run ended. */
export function noteHeartbeatRunStatement(firingId: string, columns: Changes<"firing">): SqlStatement {
  return updateRows("firing", { id: firingId }, columns);
}

/** Reschedules the next beat, unless that has already happened or the heartbeat is off. */
export function moveHeartbeatStatement(
  { id, nextDueAt }: { readonly id: string; readonly nextDueAt: Date },
  next: Date,
): SqlStatement {
  return updateRows("trigger", { id, enabled: true, nextDueAt: sqlTimestamp(nextDueAt) }, { nextDueAt: next });
}

/** Heartbeats that were paused because their person did not write to the agent, and whose person has written since. */
export async function selectWoken(database: Database): Promise<TriggerRow[]> {
  const rows = await database.execute(
    build
      .selectFrom("trigger as t")
      .selectAll("t")
      .where("t.kind", "=", sql.lit("heartbeat"))
      .where("t.pausedReason", "=", sql.lit("idle"))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("run as r")
            .select("r.id")
            .whereRef("r.ownerId", "=", "t.ownerId")
            .whereRef("r.createdAt", ">", "t.pausedAt")
            .whereRef("r.agentId", "=", "t.agentId")
            .where("r.attended", "=", true)
            .where("r.parentRunId", "is", null),
        ),
      )
      .orderBy("t.id"),
  );
  return withDates(rows, "nextDueAt", "pausedAt", "createdAt", "updatedAt");
}

/** The outcomes of a heartbeat's beats since a time. */
export interface HeartbeatRunCount {
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
export async function countHeartbeatRuns(
  database: Database,
  triggerIds: readonly string[],
  since: Date,
): Promise<HeartbeatRunCount[]> {
  const ids = triggerIds.map((id) => ({ id }));
  const rows = await database.execute(
    build
      .selectFrom("firing as f")
      .leftJoin("run as r", "r.id", "f.runId")
      .innerJoin(jsonRows(database.dialect, { id: "text" }, ids).as("t"), "t.id", "f.triggerId")
      .select((eb) => {
        const isUnpriced = eb.and([
          eb("r.id", "is not", null),
          eb("r.endedAt", "is not", null),
          eb("r.costUsd", "is", null),
        ]);
        return [
          ...(["f.triggerId", "f.stoppedBy"] as const),
          eb.fn.countAll<number>().as("beats"),
          eb.fn.sum<number>(oneIf(eb("r.steps", ">", 0))).as("calls"),
          eb.fn.coalesce(eb.fn.sum<number>("r.costUsd"), eb.lit(0)).as("usd"),
          eb.fn.sum<number>(oneIf(isUnpriced)).as("unpriced"),
          eb.fn.min("f.dueAt").as("firstAt"),
        ];
      })
      .where("f.dueAt", ">=", sqlTimestamp(since))
      .where("f.state", "in", [sql.lit("started"), sql.lit("skipped")])
      .groupBy(["f.triggerId", "f.stoppedBy"])
      .orderBy("f.triggerId")
      .orderBy("f.stoppedBy"),
  );
  return withDates(rows, "firstAt");
}

function oneIf(condition: Expression<SqlBool>) {
  return sql<number>`case when ${condition} then 1 else 0 end`;
}
