import { z } from "zod";
import { DeliveryTarget } from "./delivery-target";
import { readInterval } from "./interval";

const LONGEST_MS = 7 * 24 * 60 * 60 * 1_000;

const interval = z
  .string()
  .refine((text) => readInterval(text) !== null, "must be a duration such as 30m, 6h or 1d")
  .refine((text) => (readInterval(text) ?? 0) <= LONGEST_MS, "must be at most 7d; a schedule can wait longer");

/** `08:00-20:00`; an end before the start is on the next day. */
const ActiveHours = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be hours such as 08:00-20:00")
  .refine((text) => text.slice(0, 5) !== text.slice(6), "must begin and end at different times; null: all day");

/** A check without a model before each beat. Any yes lets the beat call one. */
export const HeartbeatCheck = z.union([
  z.strictObject({
    file: z.string().min(1).max(500).describe("A glob of the workspace: yes when such a file changed."),
  }),
  z.strictObject({ inbound: z.literal(true).describe("Yes when the person has written to the agent.") }),
  z.strictObject({
    http: z.string().min(1).max(200).describe('One of the agent\'s HTTP tools: yes when it answers {"yes": true}.'),
    args: z.record(z.string(), z.unknown()).default({}),
  }),
]);
export type HeartbeatCheck = z.output<typeof HeartbeatCheck>;

/** Without defaults, for updates. */
export const PLAIN_HEARTBEAT = {
  every: interval.describe("The pause between two beats, such as 30m."),
  active: ActiveHours.nullable().describe("When it beats, such as 08:00-20:00; null: all day."),
  timezone: z.string().trim().min(1).max(64).describe("user: the person's own; or an IANA name."),
  model: z
    .string()
    .max(200)
    .regex(/^[^:\s]+(:\S+)?$/, 'must look like "provider:model", or be the name of a model')
    .nullable()
    .describe("Instead of the agent's own."),
  when: z.array(HeartbeatCheck).max(10).describe("Looks without a model. Empty: a model is asked at each beat."),
  max_steps: z.number().int().min(1).max(200).describe("Steps of one beat."),
  budget: z.strictObject({ day_usd: z.number().positive().max(1_000_000).nullable().default(0.25) }),
  idle_pause_days: z
    .number()
    .int()
    .min(1)
    .max(3_650)
    .nullable()
    .describe("It pauses when its person has not written to the agent for so long; null: never."),
  deliver: z
    .union([z.literal("last"), z.array(DeliveryTarget).max(10)])
    .describe("Where it says what it has to say. last: the chat used last, else a notification."),
  on_ask: z.enum(["wait", "deny"]).describe("When a call needs an approval."),
  pause_after_failures: z.number().int().min(1).max(100),
  no_history: z.boolean().describe("The model reads nothing of the thread's earlier messages."),
  default_response: z.string().max(10_000).optional(),
  compact: z.boolean(),
} as const;

export const HEARTBEAT_FIELDS = {
  ...PLAIN_HEARTBEAT,
  every: PLAIN_HEARTBEAT.every.default("30m"),
  active: PLAIN_HEARTBEAT.active.default("08:00-20:00"),
  timezone: PLAIN_HEARTBEAT.timezone.default("user"),
  model: PLAIN_HEARTBEAT.model.default(null),
  when: PLAIN_HEARTBEAT.when.default([]),
  max_steps: PLAIN_HEARTBEAT.max_steps.default(5),
  budget: PLAIN_HEARTBEAT.budget.prefault({}),
  idle_pause_days: PLAIN_HEARTBEAT.idle_pause_days.default(14),
  deliver: PLAIN_HEARTBEAT.deliver.default("last"),
  on_ask: PLAIN_HEARTBEAT.on_ask.default("deny"),
  pause_after_failures: PLAIN_HEARTBEAT.pause_after_failures.default(3),
  no_history: PLAIN_HEARTBEAT.no_history.default(true),
  compact: PLAIN_HEARTBEAT.compact.default(false),
} as const;

/** An agent's `heartbeat`: what each person who turns it on gets, and what their row stores. */
export const HeartbeatConfig = z.strictObject(HEARTBEAT_FIELDS);
export type HeartbeatConfig = z.output<typeof HeartbeatConfig>;
