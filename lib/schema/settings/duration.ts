const DAY_MS = 86_400_000;
const UNIT_MS = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS } as const;

/** `30d` in ms; null for `never`, undefined for anything else. */
export function readDuration(duration: string): number | null | undefined {
  if (duration === "never") return null;
  const { count, unit } = /^(?<count>\d{1,4})(?<unit>[hdwy])$/.exec(duration)?.groups ?? {};
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** In days, or in hours if it is not whole days; null for ever. */
export function writeDuration(ms: number | null): string | null {
  if (ms === null) return null;
  return ms % DAY_MS === 0 ? `${ms / DAY_MS}d` : `${ms / UNIT_MS.h}h`;
}
