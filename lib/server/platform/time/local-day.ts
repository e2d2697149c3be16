const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-23` in the given zone, or the server's. */
export function localDay(at: Date, timeZone?: string): string {
  if (timeZone === undefined) {
    const pad = (value: number) => String(value).padStart(2, "0");
    return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  }
  return wallClock(at, timeZone).slice(0, 10);
}

/** When the day or month of `at` began in the given zone, or the server's. */
export function startOfPeriod(period: "day" | "month", at: Date, timeZone?: string): Date {
  const [year = 0, month = 1, day = 1] = localDay(at, timeZone).split("-").map(Number);
  const first = period === "day" ? day : 1;
  if (timeZone === undefined) return new Date(year, month - 1, first);
  const wanted = Date.UTC(year, month - 1, first);
  // Twice: the zone's offset at midnight may differ from that at `at`.
  const near = wanted - offsetMs(at, timeZone);
  const start = wanted - offsetMs(new Date(near), timeZone);
  // Where clocks are set back at 1, as in Havana, midnight comes twice; the day begins with the first.
  const earlier = new Date(wanted - offsetMs(new Date(start - 1), timeZone));
  const isSameDay = localDay(earlier, timeZone) === localDay(new Date(start), timeZone);
  return isSameDay && earlier.getTime() < start ? earlier : new Date(start);
}

function offsetMs(at: Date, timeZone: string): number {
  const second = Math.floor(at.getTime() / 1_000) * 1_000;
  return Date.parse(`${wallClock(at, timeZone).replace(" ", "T")}Z`) - second;
}

/** Swedish formats it like ISO 8601: "2026-11-23 14:05:09". */
function wallClock(at: Date, timeZone: string): string {
  const known = formats.get(timeZone);
  const options = { timeZone, dateStyle: "short", timeStyle: "medium" } as const;
  const format = known ?? new Intl.DateTimeFormat("sv-SE", options);
  if (!known) formats.set(timeZone, format);
  return format.format(at);
}
