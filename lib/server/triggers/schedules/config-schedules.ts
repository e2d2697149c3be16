import "server-only";
import { StoredSchedule } from "@/lib/schema/triggers/schedule";
import type { ScheduleConfig } from "@/lib/schema/triggers/schedule-config";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import {
  pauseTriggerStatement,
  selectNow,
  type TriggerRow,
  upsertTriggerStatement,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { timerStatements } from "@/lib/server/triggers/timer";
import { kindOf } from "./describe-schedules";
import { inOwnersZone, nextDue } from "./due-times";

interface Published {
  readonly agentId: string;
  /** The person who publishes; null for the server itself. */
  readonly ownerId: string | null;
  readonly isImported: boolean;
}

/**
 * The statements that sync the rows with the `schedules` of the version being published, for its transaction. An unchanged
 * row is kept; a row no longer named is switched off.
 */
export async function scheduleStatements(
  database: Database,
  schedules: readonly ScheduleConfig[],
  published: Published,
): Promise<SqlStatement[]> {
  const known = await database.trigger.findMany({ where: { agentId: published.agentId, fromConfig: true } });
  if (known.length === 0 && schedules.length === 0) return [];
  const now = await selectNow(database);
  const gone = known.filter(({ name }) => !schedules.some((schedule) => schedule.name === name));
  const written = await Promise.all(
    schedules.map((schedule) =>
      writeStatements(
        database,
        inOwnersZone(schedule, published.ownerId),
        known.find(({ name }) => name === schedule.name),
        { ...published, now },
      ),
    ),
  );
  return [...gone.map(({ id }) => pauseTriggerStatement(id, "removed_from_config", now)), ...written.flat()];
}

async function writeStatements(
  database: Database,
  schedule: ScheduleConfig,
  row: TriggerRow | undefined,
  { agentId, ownerId, isImported, now }: Published & { readonly now: Date },
): Promise<SqlStatement[]> {
  const before = row && StoredSchedule.parse(JSON.parse(row.config));
  const isBack = row?.pausedReason === "removed_from_config";
  if (row && before && !isBack && isSame(before, schedule)) return [];
  // One person's permissions do not apply to the runs of another.
  const allow = row?.ownerId === ownerId ? (before?.allow ?? []) : [];
  const stored = StoredSchedule.parse({ ...schedule, allow });
  const isOn = !isImported && ownerId !== null && (row === undefined || row.enabled || isBack);
  const nextDueAt = isOn ? nextDue(stored, now) : null;
  const enabled = nextDueAt !== null;
  const paused = isImported || ownerId === null ? "imported" : isOn ? "never_due" : (row?.pausedReason ?? null);
  const id = row?.id ?? createId("trg");
  const data = {
    ownerId,
    agentId,
    kind: kindOf(stored),
    name: stored.name,
    config: JSON.stringify(stored),
    fromConfig: true,
    enabled,
    nextDueAt,
    failures: 0,
    pausedReason: enabled ? null : paused,
    pausedAt: enabled ? null : now,
  };
  return [
    upsertTriggerStatement({ id, ...data, createdAt: now, updatedAt: now }),
    ...(await timerStatements(database, id, nextDueAt)),
  ];
}

function isSame({ allow: _, deny: __, ...before }: StoredSchedule, schedule: ScheduleConfig): boolean {
  const { allow: ___, deny: ____, ...after } = StoredSchedule.parse(schedule);
  return JSON.stringify(before) === JSON.stringify(after);
}
