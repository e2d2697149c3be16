import { z } from "zod";
import { MadeByKey } from "@/lib/schema/users/api-key";
import { ExactCall } from "./exact-call";
import { Firing } from "./firing";
import { PLAIN_SCHEDULE, requireOneTime, SCHEDULE_FIELDS } from "./schedule-config";

/** The ways to say when a schedule is due: the kinds of its rows. */
export const SCHEDULE_KINDS = ["cron", "every", "at"] as const;

const calls = z.array(ExactCall).max(100).default([]);

/** Everything that a row stores, including the calls decided in advance, which no agent config has. */
export const StoredSchedule = z
  .strictObject({ ...SCHEDULE_FIELDS, allow: calls, deny: calls })
  .superRefine(requireOneTime);
export type StoredSchedule = z.output<typeof StoredSchedule>;

/** POST `/api/schedules`. */
export const CreateScheduleBody = z
  .strictObject({
    agentId: z.string().min(1).max(200),
    ...SCHEDULE_FIELDS,
    allow: calls,
    deny: calls,
    enabled: z.boolean().default(true),
  })
  .superRefine(requireOneTime);
export type CreateScheduleBody = z.output<typeof CreateScheduleBody>;

/**
 * PATCH `/api/schedules/{id}`: omitted fields keep their values; a new time replaces the old one, of whichever kind.
 */
export const UpdateScheduleBody = z
  .strictObject({
    ...PLAIN_SCHEDULE,
    allow: z.array(ExactCall).max(100),
    deny: z.array(ExactCall).max(100),
    enabled: z.boolean(),
  })
  .extend({ ownerId: z.literal("me").describe("Take over a schedule whose owner has left (administrators).") })
  .partial();

/** Why a schedule is off, apart from a person's own choice. */
export const PausedReason = z.enum([
  "failures",
  "owner_deactivated",
  "owner_demoted",
  "agent_deleted",
  "never_due",
  "removed_from_config",
  "imported",
  "idle",
  "key_revoked",
  "key_expired",
  "key_deleted",
  "key_reach",
]);
export type PausedReason = z.infer<typeof PausedReason>;

/** A schedule as `/api/schedules` shows it. Times are ISO 8601. */
export const Schedule = z.object({
  ...SCHEDULE_FIELDS,
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  /** The agent's version that the next run uses. */
  agentVersion: z.number().nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  kind: z.enum(SCHEDULE_KINDS),
  timezone: z.string(),
  allow: z.array(ExactCall),
  deny: z.array(ExactCall),
  enabled: z.boolean(),
  nextDueAt: z.string().nullable(),
  failures: z.number(),
  pausedReason: PausedReason.nullable(),
  pausedAt: z.string().nullable(),
  /** Null unless it was made, or last changed, with an API key. */
  apiKey: MadeByKey.nullable(),
  /** It is in the agent's config: only `enabled` and `allow` can be changed here. */
  fromConfig: z.boolean(),
  /** The cost of today's runs; null if the price of one is unknown. */
  todayUsd: z.number().nullable(),
  /** The cost of the runs of the last 30 days; null if the price of one is unknown. */
  monthUsd: z.number().nullable(),
  /** The latest, oldest first. */
  firings: z.array(Firing),
  createdAt: z.string(),
});
export type Schedule = z.infer<typeof Schedule>;

/** GET `/api/schedules`. */
export const ScheduleList = z.object({ schedules: z.array(Schedule), nextCursor: z.string().nullable() });

/** POST `/api/schedules/times`: when a schedule would be due, before there is one. */
const { cron, every, at, timezone } = PLAIN_SCHEDULE;
export const ScheduleTimesBody = z.strictObject({ cron, every, at, timezone }).superRefine(requireOneTime);
export type ScheduleTimesBody = z.output<typeof ScheduleTimesBody>;
export const ScheduleTimesReply = z.object({ next: z.array(z.string()), timezone: z.string() });
export type ScheduleTimesReply = z.infer<typeof ScheduleTimesReply>;

/** POST `/api/schedules/preflight`: a schedule that is not stored. */
export const PreflightBody = z
  .strictObject({ agentId: z.string().min(1).max(200), scheduleId: z.string().max(200).optional(), ...SCHEDULE_FIELDS })
  .partial({ name: true, prompt: true })
  .superRefine(requireOneTime);
export type PreflightBody = z.output<typeof PreflightBody>;

/** Calls that would ask, with `args` null if only the tool is known, and when the schedule would next be due. */
export const PreflightReply = z.object({
  asks: z.array(
    z.object({
      tool: z.string(),
      args: z.record(z.string(), z.unknown()).nullable(),
      reason: z.string(),
      /** Number of examined past runs that made the call. */
      runs: z.number(),
    }),
  ),
  pastRuns: z.number(),
  next: z.array(z.string()),
  timezone: z.string(),
});
export type PreflightReply = z.infer<typeof PreflightReply>;
