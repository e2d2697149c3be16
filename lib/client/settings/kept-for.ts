const UNITS = { h: "hour", d: "day", w: "week", y: "year" } as const;

/** `90d` as "90 days"; null as "for ever". */
export function keptText(kept: string | null): string {
  if (kept === null) return "for ever";
  const count = Number(kept.slice(0, -1));
  const unit = UNITS[kept.slice(-1) as keyof typeof UNITS];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * Parses what was typed: "90", "90 days", "36h"; nothing and "for ever" are null, anything that is not a time is
 * undefined.
 */
export function readKept(text: string): string | null | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "" || typed === "for ever" || typed === "forever" || typed === "never") return null;
  const { count, unit = "d" } =
    /^(?<count>[1-9]\d{0,3})\s*(?<unit>[hdwy])?(?:ours?|ays?|eeks?|ears?)?$/.exec(typed)?.groups ?? {};
  return count === undefined ? undefined : `${count}${unit}`;
}

export const KEPT_PROBLEM = "Write a time such as 90 days, 36 hours or 2 years; empty means for ever.";
