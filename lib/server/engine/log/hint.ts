import { z } from "zod";

const thread = { threadId: z.string() };
const run = { ...thread, runId: z.string() };

/** What changed, told to every open page of one user; the page reads the rest itself. */
export const FeedEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.changed"), ...thread }),
  /** The model reads a summary of the thread's earlier messages from now on; the thread has changed with it. */
  z.object({ type: z.literal("thread.compacted"), ...thread, compactionCount: z.number() }),
  z.object({ type: z.literal("run.changed"), ...run, status: z.string() }),
  /** Something waits for the user, or does not any more. */
  z.object({ type: z.literal("approval.changed"), ...run }),
  z.object({ type: z.literal("file.changed"), ...run, path: z.string() }),
]);
export type FeedEvent = z.infer<typeof FeedEvent>;

/** What one process tells the others on the same database: never what something is now, only where to look. */
export const Hint = z.discriminatedUnion("type", [
  z.object({ type: z.literal("rows"), runId: z.string() }),
  z.object({ type: z.literal("cancel"), runId: z.string(), by: z.string() }),
  z.object({ type: z.literal("feed"), userId: z.string(), event: FeedEvent }),
]);
export type Hint = z.infer<typeof Hint>;
