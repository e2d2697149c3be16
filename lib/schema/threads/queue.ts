import { z } from "zod";
import { Effort } from "@/lib/schema/agents/choices";
import { messageText } from "@/lib/schema/messages/text-limits";

/** The time at which a message is read: once the run has ended, or at the next model call of the active run (D-89). */
export const SendMode = z.enum(["queue", "steer"]);
export type SendMode = z.infer<typeof SendMode>;

/** A message that no run has started with yet. */
const QueuedMessage = z.object({
  /** The message's id in the transcript, once it is there. */
  messageId: z.string(),
  /** The run that answers it when its turn comes. */
  runId: z.string(),
  content: z.string(),
  mode: SendMode,
  /** `held`: somebody stopped the thread; it is sent only once its sender says so (D-96). */
  state: z.enum(["queued", "held"]),
  /** From 1; steers come first, held messages last. */
  position: z.number(),
  /** `provider:model` chosen for it; null: the agent's own. */
  model: z.string().nullable(),
  effort: Effort.nullable(),
  createdAt: z.string(),
});

/** GET `/api/threads/{id}/queue`, and the reply to a change of it. */
export const ThreadQueue = z.object({ messages: z.array(QueuedMessage) });
export type ThreadQueue = z.infer<typeof ThreadQueue>;

/** POST `/api/threads/{id}/queue/release`: these of one's own held messages or their runs; default: all of them. */
export const QueueRelease = z.strictObject({ ids: z.array(z.string()).min(1).max(1_000).optional() }).optional();
export type QueueRelease = z.infer<typeof QueueRelease>;

/** PATCH `/api/threads/{id}/queue/{messageId}`. */
export const QueuePatch = z
  .strictObject({
    content: messageText(z.string().min(1)).optional(),
    mode: SendMode.optional(),
    position: z.number().int().min(1).max(10_000).optional(),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message: "must change content, mode or position",
  });
export type QueuePatch = z.infer<typeof QueuePatch>;
