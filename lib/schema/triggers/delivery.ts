import { z } from "zod";
import { OutgoingTarget } from "./outgoing-target";

export const DeliveryState = z.enum(["pending", "sent", "failed", "uncertain"]);

/** An outgoing delivery; `uncertain`: it was sent again because nobody knows whether it had arrived. */
export const Delivery = z.object({
  id: z.string(),
  /** Empty for an alert and for a test of a webhook, which no run caused. */
  runId: z.string(),
  /** For a webhook: the type of the event it subscribed to. */
  event: z.string().nullable(),
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
  webhookId: z.string().max(200).optional(),
  /** The type of event that a webhook subscribed to. */
  event: z.string().max(100).optional(),
  /** Only the caller's own, also for administrators. */
  mine: z.stringbool().default(false),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

/** GET `/api/deliveries`: newest first. */
export const DeliveryList = z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() });

/** One request and its response. */
const DeliveryAttempt = z.object({
  at: z.string(),
  tookMs: z.number(),
  /** Null if nothing answered. */
  status: z.number().nullable(),
  error: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  /** The beginning of the response. */
  response: z.string(),
});

/** GET `/api/deliveries/{id}/attempts`: oldest first, with the body that each of them sent. */
export const DeliveryAttempts = z.object({ body: z.string(), attempts: z.array(DeliveryAttempt) });
export type DeliveryAttempts = z.infer<typeof DeliveryAttempts>;
