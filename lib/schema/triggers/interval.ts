const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m` in ms; null unless it is a nonzero number of s, m, h or d. */
export function readInterval(text: string): number | null {
  const { count, unit } = /^(?<count>\d{1,5})(?<unit>[smhd])$/.exec(text.trim())?.groups ?? {};
  if (count === undefined || Number(count) === 0) return null;
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
