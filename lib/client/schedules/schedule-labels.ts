import type { Firing } from "@/lib/schema/triggers/firing";
import type { PausedReason, Schedule } from "@/lib/schema/triggers/schedule";

/** A firing's glyph. */
export type FiringSign =
  | "claimed"
  | "ran"
  | "tool-failed"
  | "failed"
  | "skipped"
  | "missed"
  | "late"
  | "waits"
  | "limit"
  | "running"
  | "refused";

/** The outcome of a firing; a run whose tools failed is never shown as one that simply ran. */
export function signOf({ state, status, failedCalls, reason }: Firing): FiringSign {
  if (state !== "started") return state;
  if (status === "waiting") return "waits";
  if (status === null || status === "queued" || status === "running") return "running";
  if (status === "failed" || status === "interrupted" || status === "cancelled") return "failed";
  if (status === "limit") return "limit";
  if (failedCalls > 0) return "tool-failed";
  return reason?.startsWith("Missed") ? "late" : "ran";
}

export const SIGN_LABELS: Readonly<Record<FiringSign, string>> = {
  claimed: "starts when the run before it has ended",
  ran: "ran",
  "tool-failed": "ran, a tool failed",
  failed: "failed",
  skipped: "skipped",
  missed: "missed",
  late: "missed, run late",
  waits: "waits for a person",
  limit: "stopped at a limit",
  running: "running",
  refused: "not started",
};

export type ScheduleGroup = "Waiting for you" | "On" | "Paused";

/** A schedule whose last run waits for its owner comes first, even if it is paused. */
export function groupOf({ enabled, firings }: Schedule): ScheduleGroup {
  if (firings.some((firing) => signOf(firing) === "waits")) return "Waiting for you";
  return enabled ? "On" : "Paused";
}

/** Why it is off: "3 failures", "owner left"; by a person if nothing else paused it. */
export function pausedText({ pausedReason, failures }: Pick<Schedule, "pausedReason" | "failures">): string {
  if (pausedReason === "failures") return failures === 1 ? "1 failure" : `${failures} failures`;
  return pausedReason === null ? "by you" : PAUSED[pausedReason];
}

const PAUSED: Readonly<Record<Exclude<PausedReason, "failures">, string>> = {
  owner_deactivated: "owner left",
  owner_demoted: "owner became a viewer",
  agent_deleted: "agent deleted",
  never_due: "done",
  removed_from_config: "not in the config",
  imported: "imported",
  idle: "idle",
  key_revoked: "its API key was revoked",
  key_expired: "its API key expired",
  key_deleted: "its API key is gone",
  key_reach: "its API key no longer reaches the agent",
};

/** "today 15:00", "Wed 25 Nov, 09:00", in the schedule's time zone. */
export function dueText(iso: string, timeZone: string, nowMs: number): string {
  const date = new Date(iso);
  const time = date.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const day = (at: Date) => at.toLocaleDateString("en-CA", { timeZone });
  if (day(date) === day(new Date(nowMs))) return `today ${time}`;
  const long = date.toLocaleDateString("en-GB", { timeZone, weekday: "short", day: "numeric", month: "short" });
  return `${long.replace(",", "")}, ${time}`;
}

/** "in 28 min", "in 18 h"; "now" if it is due. */
export function untilText(iso: string, nowMs: number): string {
  const minutes = Math.round((Date.parse(iso) - nowMs) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 90) return `in ${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `in ${hours} h` : `in ${Math.round(hours / 24)} days`;
}
