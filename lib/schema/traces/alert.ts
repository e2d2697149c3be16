import { z } from "zod";
import { plainText } from "@/lib/schema/plain-text";
import { ListQuery } from "./list/trace-view";

/**
 * What an alert measures over the runs that began in its window: `error_rate`, the share of those that have ended that
 * failed, in percent; `p95_worked`, in seconds; `cost_per_day`, in USD at the pace of the window; `problem_back`, the runs
 * that have the problem again. `waiting`: how long the oldest open ask has waited for a person, in minutes, whenever its
 * run began. `schedule_missed`: the due times that schedules missed in the window.
 */
export const AlertMetric = z.enum([
  "error_rate",
  "p95_worked",
  "cost_per_day",
  "waiting",
  "problem_back",
  "schedule_missed",
]);
export type AlertMetric = z.infer<typeof AlertMetric>;

/** Metrics that count what should not happen at all. */
export function isCount(metric: AlertMetric): boolean {
  return metric === "problem_back" || metric === "schedule_missed";
}

/** Besides the inbox and the ways that its person has chosen for alerts, which `notify` stands for. */
const AlertTarget = z.union([
  z.strictObject({ notify: z.literal(true) }),
  z.strictObject({ email: z.literal(true) }),
  z.strictObject({ channel: z.literal("last").describe("The chat that its person used last.") }),
  z.strictObject({ webhook: z.string().min(1).max(200).describe("The id of a webhook that goes out.") }),
]);
export type AlertTarget = z.infer<typeof AlertTarget>;

const FIELDS = {
  name: plainText(80),
  query: ListQuery.describe(
    "Filters of the list of traces, as in its page's address. Its times and order are left out.",
  ),
  metric: AlertMetric,
  threshold: z.number().min(0).max(1_000_000_000).describe("It fires above: %, s, USD, min or a count, by its metric."),
  windowMinutes: z
    .number()
    .int()
    .min(5)
    .max(7 * 24 * 60),
  targets: z.array(AlertTarget).max(10),
} as const;

/** POST `/api/alerts`. */
export const CreateAlert = z.strictObject({
  ...FIELDS,
  query: FIELDS.query.default(""),
  threshold: FIELDS.threshold.default(0),
  windowMinutes: FIELDS.windowMinutes.default(60),
  targets: FIELDS.targets.default([{ notify: true }]),
});
export type CreateAlert = z.output<typeof CreateAlert>;
export type CreateAlertBody = z.input<typeof CreateAlert>;

/** PATCH `/api/alerts/{id}`: what is left out stays. */
export const UpdateAlert = z.strictObject({ ...FIELDS, enabled: z.boolean() }).partial();
export type UpdateAlert = z.infer<typeof UpdateAlert>;

/** Times are ISO 8601. */
export const Alert = z.object({
  id: z.string(),
  ...FIELDS,
  enabled: z.boolean(),
  state: z.enum(["ok", "firing"]),
  /** As last measured, in the unit of the threshold; null if there was nothing to measure, or nobody has yet. */
  value: z.number().nullable(),
  checkedAt: z.string().nullable(),
  /** When its person was last told that it fires. */
  lastSentAt: z.string().nullable(),
});
export type Alert = z.infer<typeof Alert>;

/** GET `/api/alerts`: by name. */
export const AlertList = z.object({ alerts: z.array(Alert) });
export type AlertList = z.infer<typeof AlertList>;
