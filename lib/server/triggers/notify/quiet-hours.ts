import type { NotificationKind, NotificationPreferences, QuietHours } from "@/lib/schema/users/notification";

const MINUTE_MS = 60_000;
/** Quiet hours are shorter than a day, and a clock change adds at most a few hours. */
const LONGEST_MINUTES = 30 * 60;

/** When a notification of this kind may be sent: now, or the first minute after the person's quiet hours. */
export function sendAt(
  { quietHours }: Pick<NotificationPreferences, "quietHours">,
  kind: NotificationKind,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Date {
  if (quietHours === null || (kind === "decision" && quietHours.decisionsPass)) return now;
  const isQuiet = quietIn(quietHours, timeZone);
  if (!isQuiet(now)) return now;
  // Steps by the minute because an hour may be skipped or repeated on the way.
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  for (let passed = 1; passed <= LONGEST_MINUTES; passed++) {
    const at = new Date((minute + passed) * MINUTE_MS);
    if (!isQuiet(at)) return at;
  }
  return now;
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
