import { z } from "zod";
import { MadeByKey } from "@/lib/schema/users/api-key";
import { Firing } from "./firing";
import { HEARTBEAT_FIELDS, PLAIN_HEARTBEAT } from "./heartbeat-config";
import { PausedReason } from "./schedule";

/** POST `/api/heartbeats`: omitted fields are as in the agent's `heartbeat`. */
export const CreateHeartbeatBody = z
  .strictObject(PLAIN_HEARTBEAT)
  .partial()
  .extend({ agentId: z.string().min(1).max(200), enabled: z.boolean().default(true) });
export type CreateHeartbeatBody = z.output<typeof CreateHeartbeatBody>;

/** PATCH `/api/heartbeats/{id}`: omitted fields keep their values. */
export const UpdateHeartbeatBody = z.strictObject(PLAIN_HEARTBEAT).extend({ enabled: z.boolean() }).partial();
export type UpdateHeartbeatBody = z.output<typeof UpdateHeartbeatBody>;

/** The check that ended a beat before a model call, in the order of the checks. */
export const HeartbeatStop = z.enum(["hours", "budget", "file", "when"]);
export type HeartbeatStop = z.infer<typeof HeartbeatStop>;

export const HeartbeatRun = Firing.extend({
  /** Null if it called a model, or was never checked (missed, refused). */
  stoppedBy: HeartbeatStop.nullable(),
  /** The beat's message; null for a silent one. */
  said: z.string().nullable(),
  /** The pause before it. */
  pauseMs: z.number().nullable(),
});
export type HeartbeatRun = z.infer<typeof HeartbeatRun>;

/** Totals of the beats of the past 30 days; costs are null if the price of a call is unknown. */
const HeartbeatMonth = z.object({
  beats: z.number(),
  calls: z.number(),
  usd: z.number().nullable(),
  /** Number of beats that each check ended. */
  stopped: z.record(HeartbeatStop, z.number()),
  /** At this pace; null while there are too few beats to estimate. */
  monthUsd: z.number().nullable(),
  /** With a call at every beat and no back-off. */
  everyBeatUsd: z.number().nullable(),
});

/** A heartbeat as `/api/heartbeats` shows it. Times are ISO 8601. */
export const Heartbeat = z.object({
  ...HEARTBEAT_FIELDS,
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  agentVersion: z.number().nullable(),
  /** The agent's own model, if `model` is null. */
  agentModel: z.string().nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  kind: z.literal("heartbeat"),
  /** The IANA name that `timezone` resolves to. */
  zone: z.string(),
  enabled: z.boolean(),
  nextDueAt: z.string().nullable(),
  failures: z.number(),
  /** Null unless it was made, or last changed, with an API key. */
  apiKey: MadeByKey.nullable(),
  pausedReason: PausedReason.nullable(),
  pausedAt: z.string().nullable(),
  /** The current pause: `every`, or longer after empty beats. */
  pauseMs: z.number(),
  /** The cost of today's runs; null if the price of one is unknown. */
  todayUsd: z.number().nullable(),
  todayBeats: z.number(),
  todayCalls: z.number(),
  month: HeartbeatMonth,
  /** Time of its last `when` checks, and their results, in order. */
  lookedAt: z.string().nullable(),
  answers: z.array(z.object({ isYes: z.boolean(), words: z.string() })),
  /** The last thing it said. */
  lastSaid: z
    .object({
      text: z.string(),
      at: z.string(),
      runId: z.string(),
      threadId: z.string().nullable(),
      costUsd: z.number().nullable(),
    })
    .nullable(),
  /** The last 48, oldest first. */
  firings: z.array(HeartbeatRun),
  createdAt: z.string(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

/** An agent whose `heartbeat` the viewer has not turned on. */
export const OfferedHeartbeat = z.object({
  agentId: z.string(),
  agentName: z.string(),
  agentVersion: z.number().nullable(),
  every: z.string(),
  dayUsd: z.number().nullable(),
});
export type OfferedHeartbeat = z.infer<typeof OfferedHeartbeat>;

/** HEARTBEAT.md as the next beat reads it. */
export const HeartbeatFile = z.object({
  content: z.string(),
  /** `agent`: the person's workspace has none, so the agent's own applies. */
  place: z.enum(["workspace", "agent", "none"]),
  /** Null before its first version. */
  version: z.number().nullable(),
  /** False: a beat ends here without a model call. */
  hasTasks: z.boolean(),
  /** False if the agent has no workspace. */
  canEdit: z.boolean(),
});
export type HeartbeatFile = z.infer<typeof HeartbeatFile>;

/** PUT `/api/heartbeats/{id}/file`; refused if `before` no longer matches the file. */
export const WriteHeartbeatFileBody = z.strictObject({
  content: z.string().max(100_000),
  before: z.string().max(200_000).describe("The text that was changed."),
});

/** GET `/api/heartbeats`. */
export const HeartbeatList = z.object({
  heartbeats: z.array(Heartbeat),
  /** On the first page only. */
  offered: z.array(OfferedHeartbeat),
  nextCursor: z.string().nullable(),
});

/** GET `/api/heartbeats/{id}/firings`, newest first. */
export const HeartbeatRunList = z.object({ firings: z.array(HeartbeatRun), nextCursor: z.string().nullable() });
