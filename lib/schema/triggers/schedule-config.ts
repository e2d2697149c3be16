import { z } from "zod";
import { DeliveryTarget } from "./delivery-target";
import { readInterval } from "./interval";

const interval = z.string().refine((text) => readInterval(text) !== null, "must be a duration such as 30m, 6h or 1d");
const usd = z.number().positive().max(1_000_000);

/** Without defaults, for updates. */
export const PLAIN_SCHEDULE = {
  name: z.string().trim().min(1).max(120),
  cron: z.string().trim().min(1).max(200).describe('Five fields, such as "0 9 * * 1-5".').optional(),
  every: interval.describe("A pause between due times, such as 30m.").optional(),
  at: z.string().trim().min(1).max(40).describe("Once: ISO 8601, local in `timezone` or with an offset.").optional(),
  timezone: z.string().trim().min(1).max(64).describe("IANA name. Default: the owner's, else the server's.").optional(),
  prompt: z.string().trim().min(1).max(32_768),
  thread: z.string().min(1).max(200).describe("new: one for each run; same: one for all; or a thread's id."),
  overlap: z.enum(["skip", "queue", "cancel_previous"]).describe("When it is due while its last run has not ended."),
  missed: z.enum(["run_once", "skip"]).describe("Due times while the server was away."),
  grace: interval.describe("How late a missed run may begin."),
  on_ask: z.enum(["wait", "deny"]).describe("When a call needs an approval."),
  budget: z.strictObject({ run_usd: usd.nullable().default(null), day_usd: usd.nullable().default(null) }),
  pause_after_failures: z.number().int().min(1).max(100),
  deliver: z.array(DeliveryTarget).max(10),
  no_history: z.boolean(),
  default_response: z.string().max(10_000).optional(),
  compact: z.boolean(),
} as const;

export const SCHEDULE_FIELDS = {
  ...PLAIN_SCHEDULE,
  thread: PLAIN_SCHEDULE.thread.default("new"),
  overlap: PLAIN_SCHEDULE.overlap.default("skip"),
  missed: PLAIN_SCHEDULE.missed.default("run_once"),
  grace: PLAIN_SCHEDULE.grace.default("6h"),
  on_ask: PLAIN_SCHEDULE.on_ask.default("wait"),
  budget: PLAIN_SCHEDULE.budget.prefault({}),
  pause_after_failures: PLAIN_SCHEDULE.pause_after_failures.default(3),
  deliver: PLAIN_SCHEDULE.deliver.default([{ thread: true }]),
  no_history: PLAIN_SCHEDULE.no_history.default(false),
  compact: PLAIN_SCHEDULE.compact.default(true),
} as const;

/** One of an agent's `schedules`, as a person writes it. */
export const ScheduleConfig = z.strictObject(SCHEDULE_FIELDS).superRefine(requireOneTime);
export type ScheduleConfig = z.output<typeof ScheduleConfig>;

/** All of an agent's schedules, identified by name. */
export const ScheduleConfigs = z
  .array(ScheduleConfig)
  .max(50)
  .superRefine((schedules, context) => {
    const names = schedules.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      context.addIssue({
        code: "custom",
        path: [index, "name"],
        message: "another schedule of this agent has this name",
      });
    }
  });

export function requireOneTime(
  { cron, every, at }: { readonly cron?: string; readonly every?: string; readonly at?: string },
  context: z.RefinementCtx,
): void {
  const given = [cron, every, at].filter((value) => value !== undefined).length;
  if (given === 1) return;
  const message = given === 0 ? "say when: cron, every or at" : "give one of cron, every and at, not more";
  context.addIssue({ code: "custom", path: [cron === undefined ? "at" : "cron"], message });
}
