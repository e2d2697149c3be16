import { z } from "zod";
import { OutgoingTarget } from "./outgoing-target";

export const DeliveryState = z.enum(["pending", "sent", "failed", "uncertain"]);

/** Something that leaves; `uncertain`: it was sent once more because nobody knows whether it had arrived. */
export const Delivery = z.object({
  id: z.string(),
  runId: z.string(),
  target: OutgoingTarget,
  state: DeliveryState,
  attempts: z.number(),
  nextAt: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryQuery = z.strictObject({
  state: DeliveryState.optional(),
  runId: z.string().max(200).optional(),
  /** Only the caller's own, also for administrators. */
  mine: z.stringbool().default(false),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

/** GET `/api/deliveries`: newest first. */
export const DeliveryList = z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() });
