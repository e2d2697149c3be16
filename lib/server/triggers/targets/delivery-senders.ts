import type { DeliveryKind } from "@/lib/schema/triggers/delivery-target";
import type { DeliverySender } from "./delivery-sender";

/** Who sends to each kind of target. One is loaded when it is first used. */
export type DeliverySenders = Readonly<Record<DeliveryKind, () => Promise<DeliverySender>>>;

export const DELIVERY_SENDERS: DeliverySenders = {
  thread: () => import("./thread-sender").then(({ threadSender }) => threadSender),
};
