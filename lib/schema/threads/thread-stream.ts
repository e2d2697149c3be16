import { z } from "zod";
import { ENDED_STATUSES } from "@/lib/schema/runs/run";

/**
 * The named events of GET `/api/threads/{id}/stream`. Between `run-start` and `run-end` are the run's UI chunks
 * (unnamed). `reset`: the events after the reader's cursor are gone, so the transcript has to be read again.
 */
export const THREAD_FRAMES = {
  "run-start": z.object({ runId: z.string(), continues: z.string().optional() }),
  "run-end": z.object({ status: z.enum(ENDED_STATUSES) }),
  reset: z.object({}),
  "thread.compacted": z.object({ threadId: z.string(), compactionCount: z.number() }),
  /** A queued message was added, edited, moved, removed or read; GET `/queue` has the queue. */
  "queue.changed": z.object({ threadId: z.string() }),
} as const;
export type ThreadFrames = { [Name in keyof typeof THREAD_FRAMES]: z.infer<(typeof THREAD_FRAMES)[Name]> };

/**
 * Query of the thread's stream: it begins after this position, whatever `Last-Event-ID` says. A position is the id of
 * an event (`<runId>:<seq>`), or just a run's id: everything in that run is known.
 */
export const ThreadStreamQuery = z.object({ after: z.string().max(200).optional() });
