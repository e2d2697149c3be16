import { formatDuration } from "@/lib/schema/format-duration";
import { BOUNDS, type ValueCount } from "@/lib/server/platform/db/queries/trace-list/difference";
import { maskText } from "@/lib/server/platform/masking";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Counts by hours of the day and by weekdays in the time zone, from counts by hours of the calendar in UTC. */
export function timeValues(counts: readonly ValueCount[], zone: string) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "long",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const sums = new Map<string, { facet: "hour" | "weekday"; value: string; runs: number; baseRuns: number }>();
  for (const { value, selected, rest } of counts) {
    const parts = format.formatToParts(new Date(`${value}:00:00Z`));
    for (const facet of ["hour", "weekday"] as const) {
      const name = parts.find(({ type }) => type === facet)?.value ?? "";
      const key = facet === "hour" ? `${name}:00` : String(DAYS.indexOf(name));
      const sum = sums.get(`${facet} ${key}`) ?? { facet, value: key, runs: 0, baseRuns: 0 };
      sums.set(`${facet} ${key}`, { ...sum, runs: sum.runs + selected, baseRuns: sum.baseRuns + rest });
    }
  }
  return [...sums.values()];
}

/**
 * A range of a facet with numbers: "up to 1,000", "more than 3, up to 10", "more than 30". For the
 * time a run spent waiting for people: "nobody", "more than 1 min, up to 1 h".
 */
export function rangeLabel(facet: keyof typeof BOUNDS, index: number): string {
  const bounds: readonly number[] = BOUNDS[facet];
  const words = (value: number) => (facet === "waited" ? formatDuration(value) : value.toLocaleString("en"));
  const [above, most] = [bounds[index - 1], bounds[index]];
  if (facet === "waited" && most === 0) return "nobody";
  if (above === undefined) return `up to ${words(most ?? 0)}`;
  if (most === undefined) return `more than ${words(above)}`;
  return `more than ${words(above)}, up to ${words(most)}`;
}

/** A rule as it is written in the settings, in one line. */
export function ruleLabel(rule: string): string {
  try {
    const found: unknown = JSON.parse(rule);
    if (typeof found !== "object" || found === null) return maskText(String(found));
    const parts = Object.entries(found).map(([name, value]) =>
      typeof value === "string" ? value : `${name} ${JSON.stringify(value)}`,
    );
    return maskText(parts.join(" "));
  } catch {
    return maskText(rule);
  }
}
