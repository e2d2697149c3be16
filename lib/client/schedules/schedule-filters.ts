import { fold } from "@/lib/schema/fold";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { groupOf } from "./schedule-labels";

/** The list's filters; `any` excludes nothing. */
export interface ScheduleFilters {
  readonly search: string;
  readonly state: "any" | "Waiting for you" | "On" | "Paused";
  readonly agentId: string;
  readonly whose: "any" | "mine";
}

export const ALL_SCHEDULES: ScheduleFilters = { search: "", state: "any", agentId: "any", whose: "any" };

export function filterSchedules(
  schedules: readonly Schedule[],
  { search, state, agentId, whose }: ScheduleFilters,
  viewerId: string,
): Schedule[] {
  const words = fold(search.trim());
  return schedules.filter(
    (schedule) =>
      [schedule.name, schedule.prompt, schedule.agentName].some((text) => fold(text).includes(words)) &&
      (state === "any" || groupOf(schedule) === state) &&
      (agentId === "any" || schedule.agentId === agentId) &&
      (whose === "any" || schedule.ownerId === viewerId),
  );
}
