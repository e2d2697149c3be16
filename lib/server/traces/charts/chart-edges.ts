import type { ChartUnit } from "@/lib/schema/traces/list/charts";
import { localDay, startOfPeriod } from "@/lib/server/platform/time/local-day";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MINUTES_MS = 5 * MINUTE_MS;

/** The longest period that is shown in a unit. */
const LONGEST: readonly (readonly [ChartUnit, number])[] = [
  ["minutes", 3 * HOUR_MS],
  ["hour", 3 * DAY_MS],
  ["day", 93 * DAY_MS],
  ["week", 700 * DAY_MS],
  ["month", 10 * 366 * DAY_MS],
];

export interface ChartEdges {
  readonly unit: ChartUnit;
  /** Unix ms, ascending: a bucket lies between two of them, and only the first and the last may be cut short. */
  readonly edges: readonly number[];
}

/** Divides a period (Unix ms) into buckets that begin with the days, weeks, months or years of a time zone. */
export function chartEdges(sinceMs: number, untilMs: number, timeZone: string): ChartEdges {
  const unit = LONGEST.find(([, ms]) => untilMs - sinceMs <= ms)?.[0] ?? "year";
  if (untilMs <= sinceMs) return { unit, edges: [] };
  const edges = [sinceMs];
  for (let edge = nextEdge(unit, sinceMs, timeZone); edge < untilMs; edge = nextEdge(unit, edge, timeZone)) {
    edges.push(edge);
  }
  return { unit, edges: [...edges, untilMs] };
}

/** The first beginning of a unit after `atMs`. */
function nextEdge(unit: ChartUnit, atMs: number, timeZone: string): number {
  if (unit === "minutes") return (Math.floor(atMs / MINUTES_MS) + 1) * MINUTES_MS;
  if (unit === "hour") return nextHour(atMs, timeZone);
  const [year = 1970, month = 1, day = 1] = localDay(new Date(atMs), timeZone).split("-").map(Number);
  const daysLeft = unit === "day" ? 1 : 7 - ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7);
  const next = {
    day: [year, month, day + daysLeft],
    week: [year, month, day + daysLeft],
    month: [year, month + 1, 1],
    year: [year + 1, 1, 1],
  }[unit];
  return startOfDay(next, timeZone);
}

/** Some zones are half an hour or three quarters from the others' hours. */
function nextHour(atMs: number, timeZone: string): number {
  const day = startOfPeriod("day", new Date(atMs), timeZone).getTime();
  const shiftMs = ((day % HOUR_MS) + HOUR_MS) % HOUR_MS;
  return (Math.floor((atMs - shiftMs) / HOUR_MS) + 1) * HOUR_MS + shiftMs;
}

function startOfDay([year = 1970, month = 1, day = 1]: readonly number[], timeZone: string): number {
  // Noon by UTC is within the same day everywhere but in the zones furthest east.
  const noon = Date.UTC(year, month - 1, day, 12);
  const wanted = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  const at = localDay(new Date(noon), timeZone) === wanted ? noon : noon - DAY_MS / 2;
  return startOfPeriod("day", new Date(at), timeZone).getTime();
}
