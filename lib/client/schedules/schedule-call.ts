import { z } from "zod";
import { readTimeText, type ScheduleTime, timeLabel } from "@/lib/schema/triggers/schedule-time";

/** Strict: what a person can't be shown in words is shown as it is. */
const Arguments = z.strictObject({
  action: z.literal("create"),
  name: z.string().optional(),
  when: z.string(),
  prompt: z.string(),
  timezone: z.string().optional(),
  deliver: z.array(z.string()).optional(),
});

/** A call that makes a schedule. */
export interface ScheduleCall extends Omit<z.infer<typeof Arguments>, "action" | "when"> {
  readonly time: ScheduleTime;
}

/** Null for another call, and for one that has more to it, or a time that is no such words. */
export function readScheduleCall(args: Readonly<Record<string, unknown>>): ScheduleCall | null {
  const parsed = Arguments.safeParse(args);
  if (!parsed.success) return null;
  const { action: _, when, ...call } = parsed.data;
  const time = readTimeText(when);
  return time === null ? null : { ...call, time };
}

/** "Weekdays at 08:00", "Every 30 min"; a cron pattern that has no words stays one. */
export function sentenceOf(time: ScheduleTime): string {
  const words = timeLabel(time);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
