import type { NotificationKind, NotificationPreferences, QuietHours } from "@/lib/schema/users/notification";

const MINUTE_MS = 60_000;
/** Quiet hours are shorter than a day, and a change of clocks adds at most a few hours. */
const LONGEST_MINUTES = 30 * 60;

/** When something of this kind may be sent: now, or the first minute after the person's quiet hours. */
export function sendAt(
  { quietHours }: Pick<NotificationPreferences, "quietHours">,
  kind: NotificationKind,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Date {
  if (quietHours === null || (kind === "decision" && quietHours.decisionsPass)) return now;
  const isQuiet = quietIn(quietHours, timeZone);
  if (!isQuiet(now)) return now;
  // By the minute, since an hour may be skipped or repeated on the way.
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  for (let passed = 1; passed <= LONGEST_MINUTES; passed++) {
    const at = new Date((minute + passed) * MINUTE_MS);
    if (!isQuiet(at)) return at;
  }
  return now;
}

function quietIn({ from, to }: QuietHours, timeZone: string): (at: Date) => boolean {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  // Times of two digits compare as texts.
  return (at) => {
    const clock = format.format(at);
    return from < to ? clock >= from && clock < to : clock >= from || clock < to;
  };
}
