import { z } from "zod";
import { DeliveryState } from "@/lib/schema/triggers/delivery";
import { NotificationWay } from "@/lib/schema/users/notification";

/** A finished call of the asking run. */
const DoneCall = z.object({
  toolCallId: z.string(),
  tool: z.string(),
  gist: z.string(),
  isError: z.boolean(),
  durationMs: z.number(),
});

/** One message about the ask: how it went out, when, and what became of it. */
const Told = z.object({ way: NotificationWay, at: z.string(), state: DeliveryState });

/**
 * GET `/api/approvals/{id}`: what led to an ask. Times are ISO 8601. Somebody else's ask, which an administrator sees
 * to raise a budget, has no `calls`, `said` and `told`.
 */
export const AskDetail = z.object({
  id: z.string(),
  runId: z.string(),
  /** Whether a person's message started the run. */
  attended: z.boolean(),
  /** The page of the schedule or board that started the run. */
  sourcePath: z.string().nullable(),
  /** The due times of its schedule in words. */
  when: z.string().nullable(),
  dueAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  steps: z.number(),
  /** Null if a price is unknown. */
  costUsd: z.number().nullable(),
  /** Time at work, without the time it waited. */
  workedMs: z.number(),
  /** The latest calls, oldest first. */
  calls: z.array(DoneCall),
  /** What the model last said. */
  said: z.string().nullable(),
  told: z.array(Told),
});
export type AskDetail = z.infer<typeof AskDetail>;
