import { z } from "zod";
import { ENDED_STATUSES } from "@/lib/schema/runs/run";

/**
 * The frames of GET `/api/threads/{id}/stream`. Between `run-start` and `run-end` are the run's UI chunks. `reset`: the
 * events after the reader's cursor are gone, so the transcript has to be read again.
 */
const THREAD_FRAMES = {
  "run-start": z.object({ runId: z.string(), continues: z.string().optional() }),
  "run-end": z.object({ status: z.enum(ENDED_STATUSES) }),
  reset: z.object({}),
  "thread-compacted": z.object({ threadId: z.string(), compactionCount: z.number() }),
  /** A queued message was added, edited, moved, removed or read; GET `/queue` has the queue. */
  "queue-changed": z.object({ threadId: z.string() }),
} as const;
export type ThreadFrames = { [Name in keyof typeof THREAD_FRAMES]: z.infer<(typeof THREAD_FRAMES)[Name]> };
export type ThreadFrameName = keyof ThreadFrames;
export type ThreadFrame = {
  [Name in ThreadFrameName]: { readonly kind: Name; readonly data: ThreadFrames[Name] };
}[ThreadFrameName];

/** A frame as it is sent: a data part of the AI SDK's protocol, which no message keeps. */
export function threadFrame<Name extends ThreadFrameName>(name: Name, data: ThreadFrames[Name]) {
  return { type: `${PREFIX}${name}`, data, transient: true } as const;
}

const PREFIX = "data-";
const SentFrame = z.object({
  type: z.templateLiteral([PREFIX, z.enum(Object.keys(THREAD_FRAMES) as ThreadFrameName[])]),
  data: z.unknown(),
  transient: z.literal(true),
});

/** Null for a chunk of a run. Throws if a frame's data is not as described here. */
export function readThreadFrame(chunk: unknown): ThreadFrame | null {
  const { success, data: frame } = SentFrame.safeParse(chunk);
  if (!success) return null;
  const kind = frame.type.slice(PREFIX.length) as ThreadFrameName;
  return { kind, data: THREAD_FRAMES[kind].parse(frame.data) } as ThreadFrame;
}

/**
 * Query of the thread's stream: it begins after this position, whatever `Last-Event-ID` says. A position is the id of
 * an event (`<runId>:<seq>`), or just a run's id: everything in that run is known.
 */
export const ThreadStreamQuery = z.object({ after: z.string().max(200).optional() });
