import type { FieldProblem } from "@/lib/schema/app-error";
import type { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import { isTimeZone } from "@/lib/server/triggers/schedules/due-times";
import { everyMs } from "./heartbeat-times";

/** Why a heartbeat can't run with this config; null if it can. */
export function findHeartbeatProblem(config: HeartbeatConfig, minEveryMs: number): FieldProblem | null {
  const { timezone } = config;
  if (timezone !== "user" && !isTimeZone(timezone)) {
    const message = `there is no time zone ${JSON.stringify(timezone)}; write it as Europe/Berlin, or user`;
    return { path: "timezone", message };
  }
  if (everyMs(config) < minEveryMs) {
    const message = `comes too often: at least ${minEveryMs / 1_000} s must lie between two beats (RINGMASTER_MIN_EVERY)`;
    return { path: "every", message };
  }
  return null;
}
