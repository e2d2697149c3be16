import type { NotificationKind, NotificationPreferences, QuietHours } from "@/lib/schema/users/notification";

const MINUTE_MS = 60_000;
/** Quiet hours are shorter than a day, and a clock change adds at most a few hours. */
const LONGEST_MINUTES = 30 * 60;

type Times = Pick<NotificationPreferences, "quietHours"> & Partial<Pick<NotificationPreferences, "pausedUntil">>;

interface Clock {
  readonly now: Date;
  readonly timeZone: string;
}

/**
 * When a notification of this kind may be sent: now, or the first minute after the person's pause and their quiet
 * hours.
 */
export function sendAt({ quietHours, pausedUntil = null }: Times, kind: NotificationKind, clock: Clock): Date {
  const pauseEnd = pausedUntil === null ? clock.now : new Date(pausedUntil);
  const earliest = pauseEnd > clock.now ? pauseEnd : clock.now;
  if (quietHours === null || (kind === "decision" && quietHours.decisionsPass)) return earliest;
  const isQuiet = quietIn(quietHours, clock.timeZone);
  return isQuiet(earliest) ? firstMinute(earliest, (at) => !isQuiet(at)) : earliest;
}

const MORNING = "08:00";

/** When the next summary of the day is due: as the quiet hours end, or in the morning. */
export function nextSummaryAt(times: Times, { now, timeZone }: Clock): Date {
  const to = times.quietHours?.to ?? MORNING;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const due = firstMinute(now, (at) => format.format(at) === to);
  return sendAt(times, "finished", { now: due, timeZone });
}

/** The first minute after `from` of which that is true. By the minute: an hour may be skipped or repeated on the way. */
function firstMinute(from: Date, isIt: (at: Date) => boolean): Date {
  const minute = Math.floor(from.getTime() / MINUTE_MS);
  for (let passed = 1; passed <= LONGEST_MINUTES; passed++) {
    const at = new Date((minute + passed) * MINUTE_MS);
    if (isIt(at)) return at;
  }
  return from;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function quietIn({ from, to, days = [0, 1, 2, 3, 4, 5, 6] }: QuietHours, timeZone: string): (at: Date) => boolean {
  const options = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-GB", options);
  // Two-digit times compare as strings.
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const clock = `${parts.get("hour")}:${parts.get("minute")}`;
    const day = DAYS.indexOf(parts.get("weekday") ?? "");
    if (from < to) return clock >= from && clock < to && days.includes(day);
    // Times after midnight belong to the evening before.
    return (clock >= from && days.includes(day)) || (clock < to && days.includes((day + 6) % 7));
  };
}
