import { localDay, startOfPeriod } from "@/lib/server/platform/time/local-day";

/** In whose zone days begin; without one, in the server's. */
export interface Clock {
  readonly nowMs: number;
  readonly timeZone: string | undefined;
}

interface TimeMatch {
  readonly length: number;
  readonly filters: { readonly since: string; readonly until?: string };
}

const DAY_MS = 86_400_000;
const LENGTHS_MS: Readonly<Record<string, number>> = {
  ...{ minute: 60_000, minutes: 60_000, hour: 3_600_000, hours: 3_600_000 },
  ...{ day: DAY_MS, days: DAY_MS, week: 7 * DAY_MS, weeks: 7 * DAY_MS },
};
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The time that the words begin with: "yesterday", "on Friday", "since 2026-11-20", "last 3 days", "this week". */
export function readTime(words: readonly string[], clock: Clock): TimeMatch | null {
  const [first = "", second = ""] = words;
  if (first === "since") return sinceDay(second, clock);
  if (first === "last" || first === "past") return lastOf(words, clock);
  if (first === "this") return thisPeriod(second, clock);
  const lead = first === "on" ? 1 : 0;
  const day = dayOf(words[lead] ?? "", clock);
  return day === null ? null : { length: lead + 1, filters: wholeDay(day, clock) };
}

function sinceDay(word: string, clock: Clock): TimeMatch | null {
  const day = dayOf(word, clock);
  return day === null ? null : { length: 2, filters: { since: iso(startOfDay(day, clock)) } };
}

function thisPeriod(word: string, clock: Clock): TimeMatch | null {
  if (word === "week") return { length: 2, filters: { since: iso(startOfWeek(clock)) } };
  return word === "month" ? { length: 2, filters: { since: iso(startOfMonth(clock)) } } : null;
}

/** "last hour", "last 3 days", "last week": that many hours back from now. */
function lastOf([, second = "", third = ""]: readonly string[], { nowMs }: Clock): TimeMatch | null {
  const isCounted = /^\d{1,4}$/u.test(second);
  const unitMs = LENGTHS_MS[isCounted ? third : second];
  if (unitMs === undefined) return null;
  const count = isCounted ? Number(second) : 1;
  return { length: isCounted ? 3 : 2, filters: { since: iso(new Date(nowMs - count * unitMs)) } };
}

/** Days back from today: 0 is today. */
function dayOf(word: string, { nowMs, timeZone }: Clock): number | null {
  if (word === "today") return 0;
  if (word === "yesterday") return 1;
  const today = localDay(new Date(nowMs), timeZone);
  const weekday = WEEKDAYS.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word)));
  if (weekday !== -1) return (new Date(`${today}T00:00:00Z`).getUTCDay() - weekday + 7) % 7;
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(word)) return null;
  const back = Math.round((Date.parse(`${today}T00:00:00Z`) - Date.parse(`${word}T00:00:00Z`)) / DAY_MS);
  return Number.isNaN(back) || back < 0 ? null : back;
}

/** Noon of the day is in the day, whatever the clocks did in between. */
function startOfDay(back: number, { nowMs, timeZone }: Clock): Date {
  const noon = startOfPeriod("day", new Date(nowMs), timeZone).getTime() + DAY_MS / 2;
  return startOfPeriod("day", new Date(noon - back * DAY_MS), timeZone);
}

function wholeDay(back: number, clock: Clock) {
  const since = iso(startOfDay(back, clock));
  return back === 0 ? { since } : { since, until: iso(startOfDay(back - 1, clock)) };
}

function startOfWeek(clock: Clock): Date {
  return startOfDay(dayOf("monday", clock) ?? 0, clock);
}

function startOfMonth({ nowMs, timeZone }: Clock): Date {
  return startOfPeriod("month", new Date(nowMs), timeZone);
}

function iso(at: Date): string {
  return at.toISOString();
}
