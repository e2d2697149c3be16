import { Cron } from "croner";
import { type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import { readInterval } from "@/lib/schema/triggers/interval";
import { timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";

/** Exactly one of `cron`, `every` and `at`. */
export interface Times {
  readonly cron?: string | undefined;
  readonly every?: string | undefined;
  readonly at?: string | undefined;
  readonly timezone?: string | undefined;
}

/** The due times past by `now`, from `first` on: how many, the last one, and the next one. */
export interface DueTimes {
  readonly count: number;
  readonly last: Date;
  readonly next: Date | null;
}

/** The number of missed due times is not counted beyond this. */
const MAX_COUNTED = 10_000;

export function timeZoneOf({ timezone }: Times): string {
  return timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Fills in a missing time zone: that of the schedule's owner, or without one, the server's. */
export function inOwnersZone<Given extends Times>(times: Given, ownerId: string | null): Given {
  const timezone = times.timezone ?? (ownerId === null ? undefined : timeZoneOfUser(ownerId));
  return timezone === undefined || times.every !== undefined ? times : { ...times, timezone };
}

/**
 * The first due time after `after`, or null if there is none. A time in an hour skipped by a clock change is due once,
 * at its end; one in a repeated hour is due once. Intervals are counted from `after`.
 */
export function nextDue(times: Times, after: Date): Date | null {
  const { every, at } = times;
  if (every !== undefined) return new Date(after.getTime() + (readInterval(every) ?? 0));
  if (at !== undefined) {
    const once = readAt(times);
    return once !== null && once > after ? once : null;
  }
  return cronOf(times).nextRun(after);
}

/** `first` must be due by `now`. */
export function dueBy(times: Times, first: Date, now: Date): DueTimes {
  const { every } = times;
  if (every !== undefined) {
    const everyMs = readInterval(every) ?? 1;
    const passed = Math.floor((now.getTime() - first.getTime()) / everyMs);
    const last = new Date(first.getTime() + passed * everyMs);
    return { count: passed + 1, last, next: new Date(last.getTime() + everyMs) };
  }
  if (times.at !== undefined) return { count: 1, last: first, next: null };
  const cron = cronOf(times);
  let last = first;
  let next = cron.nextRun(first);
  let count = 1;
  while (next !== null && next <= now && count < MAX_COUNTED) {
    last = next;
    next = cron.nextRun(next);
    count += 1;
  }
  if (next === null || next > now) return { count, last, next };
  const later = cron.nextRun(now);
  return { count, last: cron.previousRuns(1, new Date(now.getTime() + 1))[0] ?? last, next: later };
}

/** The next `count` due times after `after`. */
export function upcoming(times: Times, after: Date, count: number): Date[] {
  const found: Date[] = [];
  let from = after;
  for (let index = 0; index < count; index++) {
    const next = nextDue(times, from);
    if (next === null) break;
    found.push(next);
    from = next;
  }
  return found;
}

const CHECKED_TIMES = 50;

/** Throws `invalid_input` for a time that can't be read, is never due after `now`, or comes too often. */
export function requireTimes(times: Times, now: Date, minEveryMs: number): void {
  const problem = findTimeProblem(times, now, minEveryMs);
  if (problem !== null) refuseFields([problem]);
}

/** The problem that makes a time unusable, with its field; null if there is none. */
export function findTimeProblem(times: Times, now: Date, minEveryMs: number): FieldProblem | null {
  const { cron, every, at, timezone } = times;
  const field = cron === undefined ? (every === undefined ? "at" : "every") : "cron";
  if (timezone !== undefined && !isTimeZone(timezone)) {
    return wrong("timezone", `there is no time zone ${JSON.stringify(timezone)}; write it as Europe/Berlin`);
  }
  if (cron !== undefined && !isCron(times)) {
    return wrong("cron", 'must have five fields: minute, hour, day, month, weekday, such as "0 9 * * 1-5"');
  }
  if (at !== undefined && readAt(times) === null) {
    return wrong("at", "must be a date and time such as 2026-12-01T09:00, local or with an offset");
  }
  const found = upcoming(times, now, CHECKED_TIMES);
  const [first] = found;
  if (first === undefined) {
    return wrong(field, at === undefined ? "is never due" : "is in the past: choose a time that is still to come");
  }
  const gaps = found.slice(1).map((due, index) => due.getTime() - (found[index] ?? first).getTime());
  if (Math.min(...gaps) < minEveryMs) {
    return wrong(
      field,
      `comes too often: at least ${minEveryMs / 1_000} s must lie between two due times (RINGMASTER_MIN_EVERY)`,
    );
  }
  return null;
}

function isCron(times: Times): boolean {
  try {
    cronOf(times);
    return true;
  } catch {
    return false;
  }
}

function wrong(path: string, message: string): FieldProblem {
  return { path, message };
}

function cronOf(times: Times): Cron {
  return new Cron(times.cron ?? "", { timezone: timeZoneOf(times), paused: true });
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?<offset>Z|[+-]\d{2}:\d{2})?$/;

/** Null for anything that is no date, including days that the calendar doesn't have. */
function readAt(times: Times): Date | null {
  const { at = "" } = times;
  const found = ISO.exec(at);
  if (!found || Number.isNaN(Date.parse(`${at.slice(0, 10)}T00:00:00Z`))) return null;
  if (new Date(`${at.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) !== at.slice(0, 10)) return null;
  const date = found.groups?.offset === undefined ? readLocal(at, timeZoneOf(times)) : new Date(at);
  return date === null || Number.isNaN(date.getTime()) ? null : date;
}

function readLocal(at: string, timezone: string): Date | null {
  try {
    const whole = at.replace(/\.\d+$/, "");
    return new Cron(whole.length === 16 ? `${whole}:00` : whole, { timezone, paused: true }).nextRun(new Date(0));
  } catch {
    return null;
  }
}

export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
