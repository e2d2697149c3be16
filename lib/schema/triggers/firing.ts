import { z } from "zod";
import { PageQuery } from "@/lib/schema/page-query";
import { RunStatus } from "@/lib/schema/runs/run";

/** One occurrence of a trigger, including one that started nothing. */
export const Firing = z.object({
  id: z.string(),
  dueAt: z.string(),
  externalId: z.string().optional(),
  /** `claimed`: its run does not exist yet, because the one before it has not ended or it starts this moment. */
  state: z.enum(["claimed", "started", "skipped", "missed", "refused"]),
  /** In words; null if it started on time. */
  reason: z.string().nullable(),
  /** Also null while it waits for the previous run to end. */
  runId: z.string().nullable(),
  threadId: z.string().nullable(),
  /** Number of due times it covers; more than one if several were missed. */
  count: z.number(),
  /** Its run's status. */
  status: RunStatus.nullable(),
  costUsd: z.number().nullable(),
  /** Failed calls of its run. */
  failedCalls: z.number(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type Firing = z.infer<typeof Firing>;

/** A firing of a schedule with what its run answered. */
export const PastRun = Firing.extend({
  /** The first 500 characters; null if it said nothing, or not yet. */
  answer: z.string().nullable(),
  /** Why its run failed. */
  error: z.string().nullable(),
  /** For people, of the time from `startedAt` to `endedAt`. */
  waitedMs: z.number().nullable(),
});
export type PastRun = z.infer<typeof PastRun>;

/** GET `/api/schedules/{id}/firings`: newest first. */
export const PastRunList = z.object({ firings: z.array(PastRun), nextCursor: z.string().nullable() });

/** Newest first. */
export const FiringList = z.object({ firings: z.array(Firing), nextCursor: z.string().nullable() });

/** The outcome of a due time, in the log of all schedules. */
export const LoggedFiring = Firing.extend({
  scheduleId: z.string(),
  scheduleName: z.string(),
  agentName: z.string(),
  timezone: z.string(),
});
export type LoggedFiring = z.infer<typeof LoggedFiring>;

/** GET `/api/schedules/firings`; newest first. */
export const FiringLog = z.object({ firings: z.array(LoggedFiring), nextCursor: z.string().nullable() });

/** `problems`: whatever was skipped, missed or refused, and runs that did not end well. */
export const FiringLogQuery = PageQuery.extend({ state: z.enum(["problems"]).optional() });
export type FiringLogQuery = z.infer<typeof FiringLogQuery>;
