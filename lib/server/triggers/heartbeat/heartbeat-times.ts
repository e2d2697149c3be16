import { Cron } from "croner";
import type { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import { readInterval } from "@/lib/schema/triggers/interval";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import type { DueTimes } from "@/lib/server/triggers/schedules/due-times";

const HOUR_MS = 3_600_000;
/** The longest pause caused by empty beats, unless `every` is longer. */
const LONGEST_PAUSE_MS = 4 * HOUR_MS;
/** This many empty beats in a row double the pause. */
const EMPTY_BEATS = 3;
/** The number of missed beats is not counted beyond this. */
const MAX_COUNTED = 10_000;

/** When a heartbeat beats, in a resolved time zone. */
export interface HeartbeatTimes {
  readonly active: string | null;
  readonly zone: string;
  readonly pauseMs: number;
}

/** Resolves `timezone` to a zone, such as the owner's own. */
export function zoneOf({ timezone }: Pick<HeartbeatConfig, "timezone">, ownerId: string | null): string {
  if (timezone !== "user") return timezone;
  return (ownerId === null ? undefined : timeZoneOfUser(ownerId)) ?? serverTimeZone();
}

export function everyMs({ every }: Pick<HeartbeatConfig, "every">): number {
  return readInterval(every) ?? HOUR_MS;
}

/** The next pause, and how many empty beats in a row there were at it. */
export interface Pace {
  readonly pauseMs: number;
  readonly empty: number;
}

/** The pace after a beat that called a model and had nothing to say. */
export function paceAfterEmpty(config: Pick<HeartbeatConfig, "every">, { pauseMs, empty }: Pace): Pace {
  if (empty + 1 < EMPTY_BEATS) return { pauseMs, empty: empty + 1 };
  const longest = Math.max(LONGEST_PAUSE_MS, everyMs(config));
  return { pauseMs: Math.min(longest, pauseMs * 2), empty: 0 };
}

/** Whether the time is within the active hours in that time zone. */
export function isActive({ active, zone }: Pick<HeartbeatTimes, "active" | "zone">, at: Date): boolean {
  if (active === null) return true;
  const now = at.toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  const [from, to] = hoursOf(active);
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/**
 * The first time after `after` at which the heartbeat beats; if the pause ends outside active hours, at their next
 * start.
 */
export function nextHeartbeatAt({ active, zone, pauseMs }: HeartbeatTimes, after: Date): Date {
  const due = new Date(after.getTime() + pauseMs);
  if (active === null || isActive({ active, zone }, due)) return due;
  const [from] = hoursOf(active);
  const [hour, minute] = from.split(":");
  return new Cron(`${Number(minute)} ${Number(hour)} * * *`, { timezone: zone, paused: true }).nextRun(due) ?? due;
}

/** The beats due by `now`, from `first` on. */
export function heartbeatsDueBy(times: HeartbeatTimes, first: Date, now: Date): DueTimes {
  let last = first;
  let next = nextHeartbeatAt(times, first);
  let count = 1;
  while (next <= now && count < MAX_COUNTED) {
    last = next;
    next = nextHeartbeatAt(times, next);
    count += 1;
  }
  return { count, last, next: next > now ? next : nextHeartbeatAt(times, now) };
}

function hoursOf(active: string): readonly [string, string] {
  return [active.slice(0, 5), active.slice(6)];
}
