import { readInterval } from "@/lib/schema/triggers/interval";
import { SCHEDULE_KINDS, type Schedule, StoredSchedule } from "@/lib/schema/triggers/schedule";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { TriggerKind } from "@/lib/server/triggers/trigger-kind";
import { dueBy, timeZoneOf } from "./due-times";

export const scheduleKind: TriggerKind<StoredSchedule, Schedule> = {
  noun: "schedule",
  stored: SCHEDULE_KINDS,
  configSchema: StoredSchedule,
  async describe(services, rows, now) {
    const { describeSchedules } = await import("./describe-schedules");
    return describeSchedules(services.database, rows, now);
  },
  times: {
    dueBy(trigger, first, now) {
      const config = scheduleOf(trigger);
      const graceMs = config.missed === "run_once" ? (readInterval(config.grace) ?? 0) : 0;
      return { due: dueBy(config, first, now), graceMs, zone: timeZoneOf(config) };
    },
  },
  plan(trigger) {
    const { budget, allow, deny, ...config } = scheduleOf(trigger);
    const { run_usd: runUsd, day_usd: dayUsd } = budget;
    return { ...config, origin: "schedule", rules: { allow, deny, runUsd, dayUsd } };
  },
};

function scheduleOf({ config }: Pick<TriggerRow, "config">): StoredSchedule {
  return StoredSchedule.parse(JSON.parse(config));
}
