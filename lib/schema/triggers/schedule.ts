import { z } from "zod";
import { ExactCall } from "./exact-call";
import { Firing } from "./firing";
import { readInterval } from "./interval";

const interval = z.string().refine((text) => readInterval(text) !== null, "must be a duration such as 30m, 6h or 1d");
const usd = z.number().positive().max(1_000_000);

/** Where the result of a run goes besides its page. */
export const DeliveryTarget = z.strictObject({ thread: z.literal(true).describe("The thread of the run.") });
export type DeliveryTarget = z.infer<typeof DeliveryTarget>;

const PLAIN = {
  name: z.string().trim().min(1).max(120),
  cron: z.string().trim().min(1).max(200).describe('Five fields, such as "0 9 * * 1-5".').optional(),
  every: interval.describe("A pause between due times, such as 30m.").optional(),
  at: z.string().trim().min(1).max(40).describe("Once: ISO 8601, local in `timezone` or with an offset.").optional(),
  timezone: z.string().trim().min(1).max(64).describe("IANA name. Default: the server's.").optional(),
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

const FIELDS = {
  ...PLAIN,
  thread: PLAIN.thread.default("new"),
  overlap: PLAIN.overlap.default("skip"),
  missed: PLAIN.missed.default("run_once"),
  grace: PLAIN.grace.default("6h"),
  on_ask: PLAIN.on_ask.default("wait"),
  budget: PLAIN.budget.prefault({}),
  pause_after_failures: PLAIN.pause_after_failures.default(3),
  deliver: PLAIN.deliver.default([{ thread: true }]),
  no_history: PLAIN.no_history.default(false),
  compact: PLAIN.compact.default(true),
} as const;

const calls = z.array(ExactCall).max(100).default([]);

/** Everything that a row keeps: with the calls that are decided beforehand, which no config of an agent has. */
export const StoredSchedule = z.strictObject({ ...FIELDS, allow: calls, deny: calls }).superRefine(requireOneTime);
export type StoredSchedule = z.output<typeof StoredSchedule>;

function requireOneTime(
  { cron, every, at }: { readonly cron?: string; readonly every?: string; readonly at?: string },
  context: z.RefinementCtx,
): void {
  const given = [cron, every, at].filter((value) => value !== undefined).length;
  if (given === 1) return;
  const message = given === 0 ? "say when: cron, every or at" : "give one of cron, every and at, not more";
  context.addIssue({ code: "custom", path: [cron === undefined ? "at" : "cron"], message });
}

/** POST `/api/schedules`. */
export const CreateScheduleBody = z
  .strictObject({
    agentId: z.string().min(1).max(200),
    ...FIELDS,
    allow: calls,
    deny: calls,
    enabled: z.boolean().default(true),
  })
  .superRefine(requireOneTime);
export type CreateScheduleBody = z.output<typeof CreateScheduleBody>;

/** PATCH `/api/schedules/{id}`: what is left out stays; a new time replaces the old one, of whichever kind. */
export const UpdateScheduleBody = z
  .strictObject({
    ...PLAIN,
    allow: z.array(ExactCall).max(100),
    deny: z.array(ExactCall).max(100),
    enabled: z.boolean(),
  })
  .extend({ ownerId: z.literal("me").describe("Take over a schedule whose owner has left (administrators).") })
  .partial();

/** Why a schedule is off, besides a person's own choice. */
export const PausedReason = z.enum([
  "failures",
  "owner_deactivated",
  "owner_demoted",
  "agent_deleted",
  "never_due",
  "removed_from_config",
  "imported",
]);
export type PausedReason = z.infer<typeof PausedReason>;

/** A schedule as `/api/schedules` shows it. Times are ISO 8601. */
export const Schedule = z.object({
  ...FIELDS,
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  /** The agent's version that the next run uses. */
  agentVersion: z.number().nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  kind: z.enum(["cron", "every", "at"]),
  timezone: z.string(),
  allow: z.array(ExactCall),
  deny: z.array(ExactCall),
  enabled: z.boolean(),
  nextDueAt: z.string().nullable(),
  failures: z.number(),
  pausedReason: PausedReason.nullable(),
  pausedAt: z.string().nullable(),
  /** It stands in the agent's config: only `enabled` and `allow` can be changed here. */
  fromConfig: z.boolean(),
  /** What its runs of today have cost; null when the price of one is unknown. */
  todayUsd: z.number().nullable(),
  /** The latest, oldest first. */
  firings: z.array(Firing),
  createdAt: z.string(),
});
export type Schedule = z.infer<typeof Schedule>;

/** GET `/api/schedules`. */
export const ScheduleList = z.object({ schedules: z.array(Schedule), nextCursor: z.string().nullable() });

/** POST `/api/schedules/preflight`: a schedule that is not stored. */
export const PreflightBody = z
  .strictObject({ agentId: z.string().min(1).max(200), scheduleId: z.string().max(200).optional(), ...FIELDS })
  .partial({ name: true, prompt: true })
  .superRefine(requireOneTime);
export type PreflightBody = z.output<typeof PreflightBody>;

/** Calls that would ask; `args` is null where only the tool is known. And when the schedule would be due next. */
export const PreflightReply = z.object({
  asks: z.array(
    z.object({
      tool: z.string(),
      args: z.record(z.string(), z.unknown()).nullable(),
      reason: z.string(),
      /** How many of the past runs that were looked at have made the call. */
      runs: z.number(),
    }),
  ),
  pastRuns: z.number(),
  next: z.array(z.string()),
  timezone: z.string(),
});
export type PreflightReply = z.infer<typeof PreflightReply>;
