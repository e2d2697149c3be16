import type { Heartbeat } from "@/lib/schema/triggers/heartbeat";
import type { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import type { HeartbeatRunCount } from "@/lib/server/platform/db/queries/dispatch/heartbeats";
import { everyMs } from "./heartbeat-times";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A month, as shown on the page. */
export const MONTH_MS = 30 * DAY_MS;
/** Fewer beats are not representative of a month. */
const FEWEST_BEATS = 20;

type Pace = Pick<HeartbeatConfig, "every" | "active">;

/** The totals of the past month's beats, and the cost of a month at their pace. */
export function monthOf(counts: readonly HeartbeatRunCount[], pace: Pace, now: Date): Heartbeat["month"] {
  const { beats, calls, usd, unpriced } = totalOf(counts);
  const first = Math.min(...counts.map(({ firstAt }) => firstAt.getTime()));
  const seenMs = Math.max(DAY_MS, Math.min(MONTH_MS, now.getTime() - first));
  const isKnown = unpriced === 0;
  const stoppedBy = (stop: string) => totalOf(counts.filter((count) => count.stoppedBy === stop)).beats;
  return {
    beats,
    calls,
    usd: isKnown ? usd : null,
    stopped: {
      hours: stoppedBy("hours"),
      budget: stoppedBy("budget"),
      file: stoppedBy("file"),
      when: stoppedBy("when"),
    },
    monthUsd: isKnown && beats >= FEWEST_BEATS ? (usd / seenMs) * MONTH_MS : null,
    everyBeatUsd: isKnown && calls > 0 ? (usd / calls) * heartbeatRunsOfMonth(pace) : null,
  };
}

export function totalOf(counts: readonly HeartbeatRunCount[]) {
  const sum = (of: (count: HeartbeatRunCount) => number) => counts.reduce((total, count) => total + of(count), 0);
  return {
    beats: sum(({ beats }) => beats),
    calls: sum(({ calls }) => calls),
    usd: sum(({ usd }) => usd),
    unpriced: sum(({ unpriced }) => unpriced),
  };
}

/** The number of beats in a month, ignoring checks and back-off. */
function heartbeatRunsOfMonth(pace: Pace): number {
  const pauseMs = everyMs(pace);
  const activeMs = activeMsOf(pace);
  return activeMs === DAY_MS || pauseMs >= DAY_MS
    ? MONTH_MS / pauseMs
    : (MONTH_MS / DAY_MS) * Math.max(1, Math.floor(activeMs / pauseMs));
}

function activeMsOf({ active }: Pace): number {
  if (active === null) return DAY_MS;
  const [from = 0, to = 0] = active.split("-").map((time) => {
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    return (hour * 60 + minute) * MINUTE_MS;
  });
  return from < to ? to - from : DAY_MS - from + to;
}
