import { formatMoney } from "@/lib/client/ui/text/format";
import type { Heartbeat, HeartbeatRun } from "@/lib/schema/triggers/heartbeat";
import { readInterval } from "@/lib/schema/triggers/interval";

/** A beat's glyph: its shape conveys it before the colour does. */
export type HeartbeatSign = "said" | "silent" | "none" | "failed" | "running";

export function heartbeatSign({ state, status, said }: HeartbeatRun): HeartbeatSign {
  if (state !== "started") return "none";
  if (said !== null) return "said";
  if (status === "failed" || status === "interrupted") return "failed";
  return status === "completed" || status === "limit" || status === "cancelled" ? "silent" : "running";
}

export const HEARTBEAT_LABELS: Readonly<Record<HeartbeatSign, string>> = {
  said: "said something",
  silent: "silent",
  none: "no model call",
  failed: "failed",
  running: "running",
};

const MINUTE_MS = 60_000;

/** "30 min", "1 h", "1.5 h", "2 days". */
export function pauseText(ms: number): string {
  const minutes = ms / MINUTE_MS;
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`;
  if (minutes < 60) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Number(hours.toFixed(1))} h` : `${Number((hours / 24).toFixed(1))} days`;
}

export function everyMs({ every }: Pick<Heartbeat, "every">): number {
  return readInterval(every) ?? MINUTE_MS;
}

/** The pauses of its back-off, shortest first. */
export function pausesOf(heartbeat: Pick<Heartbeat, "every">): number[] {
  const first = everyMs(heartbeat);
  const longest = Math.max(first, 4 * 60 * MINUTE_MS);
  const pauses = [first];
  while ((pauses.at(-1) ?? longest) < longest) pauses.push(Math.min(longest, (pauses.at(-1) ?? longest) * 2));
  return pauses;
}

/** `08:00-20:00` as the quiet hours. */
export function quietText(active: string | null): string {
  if (active === null) return "none";
  const [from, to] = active.split("-");
  return `${to} to ${from}`;
}

/** Whether it beats at that time of day; the same rule as the server's. */
function isActiveAt({ active, zone }: Pick<Heartbeat, "active" | "zone">, nowMs: number): boolean {
  if (active === null) return true;
  const options = { timeZone: zone, hour: "2-digit", minute: "2-digit" } as const;
  const now = new Date(nowMs).toLocaleTimeString("en-GB", options);
  const [from = "", to = ""] = active.split("-");
  return from < to ? now >= from && now < to : now >= from || now < to;
}

/** One check before a model is called. */
export interface ShownCheck {
  readonly name: string;
  readonly asks: string;
  readonly isMono: boolean;
  /** In words; null before it has run. */
  readonly answer: string | null;
  /** Number of beats it has ended; null if it is not the only one that decides. */
  readonly ended: number | null;
}

/** In the order in which they run. `hasTasks` is what is known of HEARTBEAT.md. */
export function checksOf(heartbeat: Heartbeat, hasTasks: boolean | null, nowMs: number): ShownCheck[] {
  const { active, zone, budget, todayUsd, month, when, answers } = heartbeat;
  const { hours, budget: noMoney, file, when: nothingNew } = month.stopped;
  const [from, to] = active?.split("-") ?? [];
  const isNow = isActiveAt(heartbeat, nowMs);
  const left = budget.day_usd === null || todayUsd === null ? null : Math.max(0, budget.day_usd - todayUsd);
  const groups = when.map((check, index): ShownCheck => {
    const answer = answers[index];
    return {
      ...whenText(check),
      answer: answer === undefined ? null : answer.isYes ? "yes" : "no",
      ended: index === when.length - 1 ? (nothingNew ?? 0) : null,
    };
  });
  return [
    {
      name: "Active hours",
      asks: active === null ? "all day" : `${from} to ${to}, ${zone}`,
      isMono: false,
      answer: active === null ? "yes" : isNow ? `yes, until ${to}` : `no, from ${from}`,
      ended: hours ?? 0,
    },
    {
      name: "Budget left",
      isMono: false,
      asks: budget.day_usd === null ? "no limit of its own" : `${formatMoney(budget.day_usd)} a day`,
      answer: left === null ? "yes" : left > 0 ? `yes, ${formatMoney(left)} left` : "no, used up",
      ended: noMoney ?? 0,
    },
    {
      name: "HEARTBEAT.md",
      asks: "has more than comments",
      isMono: false,
      answer: hasTasks === null ? null : hasTasks ? "yes" : "no",
      ended: file ?? 0,
    },
    ...groups,
  ];
}

function whenText(check: Heartbeat["when"][number]) {
  if ("file" in check) return { name: "File changed", asks: check.file, isMono: true };
  if ("http" in check) return { name: "HTTP says yes", asks: check.http, isMono: true };
  return { name: "New message", asks: "from its person, since the last look", isMono: false };
}

/** "twice a day", for a closed card: its next beat, or why there is none. */
export function idleText({ idle_pause_days: days }: Pick<Heartbeat, "idle_pause_days">): string {
  return `no message to it for ${days} days; the next one wakes it`;
}

/** The targets of its messages. */
export function deliverText({ deliver }: Pick<Heartbeat, "deliver">): string {
  if (deliver === "last") return "the chat used last, or a notification";
  if (deliver.length === 0) return "its thread only";
  return deliver.map((target) => Object.keys(target)[0] ?? "").join(", ");
}
