import { z } from "zod";

/** GET `/api/inbox-outlook`: what may reach the viewer's inbox next. */
export const InboxOutlook = z.object({
  /** Of the viewer's threads, as the chat lists them: those in which something runs or is about to. */
  runningThreads: z.number(),
  /** The viewer's schedule that is due next; null if none is. The time is ISO 8601. */
  nextSchedule: z.object({ id: z.string(), name: z.string(), dueAt: z.string() }).nullable(),
});
export type InboxOutlook = z.infer<typeof InboxOutlook>;
