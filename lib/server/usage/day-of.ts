const HOUR_MS = 3_600_000;

/**
 * The day (`2026-11-23`) and hour (`2026-11-23T14`) of a time in a zone. Computing them costs as much as reading a row,
 * and no zone changes its offset within a quarter of an hour, so they are cached by quarter of an hour.
 */
export function clockOf(timeZone: string): (at: Date) => { readonly day: string; readonly hour: string } {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const known = new Map<number, { day: string; hour: string }>();
  return (at) => {
    const quarter = Math.floor(at.getTime() / (HOUR_MS / 4));
    const cached = known.get(quarter);
    if (cached) return cached;
    // Swedish formats it like ISO 8601: "2026-11-23 14".
    const hour = format.format(at).replace(" ", "T").slice(0, 13);
    const found = { day: hour.slice(0, 10), hour };
    known.set(quarter, found);
    return found;
  };
}
