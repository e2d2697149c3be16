import { z } from "zod";
import { PageQuery } from "@/lib/schema/page-query";
import { RunStatus } from "@/lib/schema/runs/run";

/** One occurrence of a trigger, also one that started nothing. */
export const Firing = z.object({
  id: z.string(),
  dueAt: z.string(),
  externalId: z.string().optional(),
  state: z.enum(["started", "skipped", "missed", "refused"]),
  /** In words; null for one that started when it was due. */
  reason: z.string().nullable(),
  /** Null also for one that waits until the run before it has ended. */
  runId: z.string().nullable(),
  threadId: z.string().nullable(),
  /** How many due times it stands for; more than one where several were missed. */
  count: z.number(),
  /** Of its run. */
  status: RunStatus.nullable(),
  costUsd: z.number().nullable(),
  /** Calls of its run that failed. */
  failedCalls: z.number(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type Firing = z.infer<typeof Firing>;

/** Newest first. */
export const FiringList = z.object({ firings: z.array(Firing), nextCursor: z.string().nullable() });

/** What became of a due time, in the log of all schedules. */
export const LoggedFiring = Firing.extend({
  scheduleId: z.string(),
  scheduleName: z.string(),
  agentName: z.string(),
  timezone: z.string(),
});
export type LoggedFiring = z.infer<typeof LoggedFiring>;

/** GET `/api/schedules/firings`; newest first. */
export const FiringLog = z.object({ firings: z.array(LoggedFiring), nextCursor: z.string().nullable() });

/** `problems`: what was skipped, missed or refused, and runs that did not end well. */
export const FiringLogQuery = PageQuery.extend({ state: z.enum(["problems"]).optional() });
export type FiringLogQuery = z.infer<typeof FiringLogQuery>;
