import type { PausedReason } from "@/lib/schema/triggers/schedule";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, isTaken } from "@/lib/server/platform/db/errors";
import {
  insertFiringStatement,
  moveTriggerStatement,
  selectNow,
  type TriggerRow,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { Services } from "@/lib/server/platform/services";
import type { DueTimes } from "./schedules/due-times";
import { notifyScheduleChanged } from "./schedules/notify-schedule-changed";
import { startClaimed } from "./start-claimed";
import { timerStatements } from "./timer";
import type { Timing } from "./trigger-kind";
import { triggerKindOf } from "./trigger-kinds";
import { REFUSED, whyPaused } from "./why-paused";

/** Up to this a run is on time; beyond it the schedule's grace decides whether it may still begin. */
const ON_TIME_MS = 5_000;
/** Later than this, the server was away. */
const MISSED_MS = 60_000;

/**
 * Fires a due trigger: each occurrence has one row, whichever process comes first, which identifies its run. Safe to
 * repeat at any time; the work of an interrupted attempt is completed. `now` is the database's time.
 */
export async function fireTrigger(services: Services, triggerId: string, at?: Date): Promise<void> {
  const now = at ?? (await selectNow(services.database));
  const trigger = await services.database.trigger.findUnique({ where: { id: triggerId } });
  if (!trigger) return;
  await claimDue(services.database, trigger, now);
  await startClaimed(services, triggerId, now);
  await notifyScheduleChanged(services, triggerId, now);
}

/** Creates a row for everything due by now and sets the trigger's next due time. */
async function claimDue(database: Database, trigger: TriggerRow, now: Date): Promise<void> {
  const { id, nextDueAt } = trigger;
  if (!trigger.enabled || nextDueAt === null) return;
  if (nextDueAt > now) {
    // The clock was set back, or the timer belonged to a due time that has changed.
    const timers = await timerStatements(database, id, nextDueAt);
    return void (await database.runAll(timers, "normal"));
  }
  const { times } = triggerKindOf(trigger);
  if (times === undefined) return;
  const timing = times.dueBy(trigger, nextDueAt, now);
  const { due } = timing;
  const paused = (await whyPaused(database, trigger)) ?? (await times.whyAsleep?.(database, trigger, now)) ?? null;
  const state = { id, nextDueAt };
  const statements: SqlStatement[] = [
    ...(paused === null ? occurrences(trigger, timing, now) : [refusal(trigger, due, paused)]),
    moveTriggerStatement(
      state,
      paused === null
        ? nextColumns(due, now)
        : { enabled: false, nextDueAt: null, pausedReason: paused, pausedAt: now },
    ),
    ...(paused === null ? await timerStatements(database, id, due.next) : []),
  ];
  try {
    await database.runAll(statements);
  } catch (error) {
    // Another process won the race.
    if (!isNothingChanged(error) && !isTaken(error)) throw error;
  }
}

function nextColumns({ next }: DueTimes, now: Date) {
  return next === null
    ? { enabled: false, nextDueAt: null, pausedReason: "never_due", pausedAt: now }
    : { nextDueAt: next };
}

/** A run for the last due time, unless it is too late for it, and one row for the missed ones. */
function occurrences(trigger: TriggerRow, { due, graceMs, zone }: Timing, now: Date): SqlStatement[] {
  const first = trigger.nextDueAt ?? due.last;
  const lateMs = now.getTime() - due.last.getTime();
  const isLate = lateMs > ON_TIME_MS;
  const mayRun = !isLate || lateMs <= graceMs;
  const missed = mayRun ? due.count - 1 : due.count;
  const reason = isLate ? latenessReason(lateMs) : null;
  return [
    ...(mayRun ? [claim(trigger.id, { dueAt: due.last, reason, now })] : []),
    ...(missed === 0
      ? []
      : [
          insertFiringStatement({
            ...firingColumns(trigger.id, now),
            key: `missed:${first.toISOString()}`,
            dueAt: first,
            state: "missed",
            count: missed,
            reason: missedReason({ count: missed, first, last: due.last, isMadeUp: mayRun && isLate, zone, now }),
          }),
        ]),
  ];
}

interface Missed {
  readonly count: number;
  readonly first: Date;
  /** The last that is due by now, missed or not. */
  readonly last: Date;
  /** The last one's run begins late instead of them. */
  readonly isMadeUp: boolean;
  readonly zone: string;
  readonly now: Date;
}

function missedReason({ count, first, last, isMadeUp, zone, now }: Missed): string {
  const times =
    count === 1
      ? `The due time at ${written(first, zone)} was missed`
      : `${count} due times were missed, from ${written(first, zone)} to ${written(last, zone)}`;
  const lateMs = now.getTime() - first.getTime();
  const cause = lateMs > MISSED_MS ? "the server was away" : `no run could begin for ${seconds(lateMs)}`;
  return `${times}: ${cause}.${isMadeUp ? " One run makes up for them." : ""}`;
}

/** "24 Nov, 09:00"; "24 Nov, 09:00:20" if it is not at a whole minute. */
function written(date: Date, timeZone: string): string {
  const isWhole = date.getTime() % 60_000 < 1_000;
  const day: Intl.DateTimeFormatOptions = { timeZone, day: "numeric", month: "short" };
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  return date.toLocaleString("en-GB", { ...day, ...time, ...(isWhole ? {} : { second: "2-digit" }) });
}

const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;

function latenessReason(ms: number): string {
  if (ms <= MISSED_MS) return `Run ${seconds(ms)} late.`;
  const minutes = Math.round(ms / 60_000);
  return `Missed, then run ${minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`} late.`;
}

interface NewClaim {
  readonly dueAt: Date;
  readonly now: Date;
  readonly reason?: string | null;
  /** Default: the due time. */
  readonly key?: string;
  /** The API key that asks for it, if it is run now. */
  readonly apiKeyId?: string | null;
}

/** The row that claims an occurrence; `startClaimed` starts its run. */
export function claim(
  triggerId: string,
  { dueAt, now, reason = null, key = dueAt.toISOString(), apiKeyId = null }: NewClaim,
): SqlStatement {
  return insertFiringStatement({ ...firingColumns(triggerId, now), key, dueAt, state: "claimed", reason, apiKeyId });
}

function refusal(trigger: TriggerRow, { last, count }: DueTimes, paused: PausedReason): SqlStatement {
  const now = new Date();
  const key = last.toISOString();
  const reason = REFUSED[paused];
  return insertFiringStatement({
    ...firingColumns(trigger.id, now),
    key,
    dueAt: last,
    state: "refused",
    reason,
    count,
  });
}

function firingColumns(triggerId: string, now: Date) {
  return { id: createId("fir"), triggerId, createdAt: now };
}
