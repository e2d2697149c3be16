/** A schedule's due times: exactly one of the three. */
export interface ScheduleTime {
  readonly cron?: string | undefined;
  readonly every?: string | undefined;
  readonly at?: string | undefined;
}

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const UNITS: Readonly<Record<string, string>> = { s: "s", m: "min", h: "h", d: "days" };

/**
 * "weekdays at 09:00", "every 30 min", "once, 2026-12-01 09:00"; a cron pattern without a short form is returned as it
 * is.
 */
export function timeLabel({ cron, every, at }: ScheduleTime): string {
  if (every !== undefined) return intervalLabel(every);
  if (at !== undefined) return `once, ${at.replace("T", " ")}`;
  return cronLabel(cron ?? "") ?? cron ?? "";
}

function intervalLabel(every: string): string {
  const [, count = "", unit = ""] = /^(\d+)([smhd])$/.exec(every) ?? [];
  if (count === "1") return { s: "every second", m: "every minute", h: "every hour", d: "every day" }[unit] ?? every;
  return `every ${count} ${UNITS[unit] ?? unit}`;
}

function cronLabel(cron: string): string | null {
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = cron.trim().split(/\s+/);
  if (rest.length > 0 || month !== "*") return null;
  if (hour === "*" && day === "*" && weekday === "*") {
    if (minute === "0") return "every hour";
    const step = /^\*\/(\d+)$/.exec(minute)?.[1];
    return step === undefined ? null : `every ${step} min`;
  }
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return null;
  const time = `at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day === "*" && weekday === "*") return `every day ${time}`;
  if (day === "*") return weekdayLabel(weekday, time);
  return weekday === "*" && /^\d+$/.test(day) ? `on the ${ordinal(Number(day))} ${time}` : null;
}

function weekdayLabel(weekday: string, time: string): string | null {
  if (weekday === "1-5") return `weekdays ${time}`;
  if (weekday === "0,6" || weekday === "6,0") return `weekends ${time}`;
  const names = weekday.split(",").map((one) => (/^[0-7]$/.test(one) ? DAYS[Number(one) % 7] : undefined));
  if (names.some((name) => name === undefined)) return null;
  const plural = names.map((name) => `${name}s`);
  const last = plural.pop();
  return `${plural.length === 0 ? last : `${plural.join(", ")} and ${last}`} ${time}`;
}

function ordinal(day: number): string {
  const ending = day % 100 >= 11 && day % 100 <= 13 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[day % 10] ?? "th");
  return `${day}${ending}`;
}

/**
 * Parses "every weekday at 9", "every 30 min", "Mondays and Fridays at 17:30", "on the 1st at 8", "every night at
 * 2:15"; also a cron pattern or an ISO date. Null for anything else.
 */
export function readTimeText(words: string): ScheduleTime | null {
  const text = words.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (/^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}/.test(text)) return { at: words.trim().toUpperCase() };
  if (/^[\d*/,-]+( [\d*/,a-z-]+){4}$/.test(text)) return { cron: words.trim() };
  return readPause(text) ?? readDays(text);
}

const PAUSE = /^every (?:(?<count>\d+) ?)?(?<unit>s|seconds?|m|mins?|minutes?|h|hours?|d|days?)$/;

function readPause(text: string): ScheduleTime | null {
  const { count = "1", unit } = PAUSE.exec(text)?.groups ?? {};
  if (unit === undefined || Number(count) === 0) return null;
  return { every: `${Number(count)}${unit.charAt(0)}` };
}

const AT = /^(?<days>.+?) at (?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))? ?(?<half>am|pm)?(?: o'clock)?$/;

function readDays(text: string): ScheduleTime | null {
  const { days = "", hour = "", minute = "00", half } = AT.exec(text)?.groups ?? {};
  if (days === "") return null;
  const at =
    Number(hour) === 12 && half !== undefined ? (half === "am" ? 0 : 12) : Number(hour) + (half === "pm" ? 12 : 0);
  if (at > 23 || Number(minute) > 59) return null;
  const place = placeOf(days.replace(/^(?:every|on) /, ""));
  return place === null ? null : { cron: `${Number(minute)} ${at} ${place}` };
}

/** Day, month and weekday of a cron pattern. */
function placeOf(days: string): string | null {
  if (/^(day|days|daily|morning|evening|night|noon)$/.test(days)) return "* * *";
  if (/^(weekday|weekdays|working day|workday)$/.test(days)) return "* * 1-5";
  if (/^(weekend|weekends)$/.test(days)) return "* * 0,6";
  const date = /^(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?$/.exec(days)?.groups?.day;
  if (date !== undefined) return Number(date) >= 1 && Number(date) <= 31 ? `${Number(date)} * *` : null;
  const found = days.split(/,? and |, ?/).map((name) => DAYS.findIndex((day) => isDay(name, day.toLowerCase())));
  return found.includes(-1) ? null : `* * ${found.join(",")}`;
}

function isDay(name: string, day: string): boolean {
  return [day, `${day}s`, day.slice(0, 3)].includes(name.replace(/^every /, ""));
}
