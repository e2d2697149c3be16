import type { DeliveryKind } from "@/lib/schema/triggers/outgoing-target";
import type { DeliverySender } from "./delivery-sender";

/** Who sends to each kind of target. One is loaded when it is first used. */
export type DeliverySenders = Readonly<Record<DeliveryKind, () => Promise<DeliverySender>>>;

export const DELIVERY_SENDERS: DeliverySenders = {
  thread: () => import("./thread-sender").then(({ threadSender }) => threadSender),
  webhook: () => import("./webhook-sender").then(({ webhookSender }) => webhookSender),
  notify: () => import("@/lib/server/triggers/notify/notify-senders").then(({ notifySender }) => notifySender),
  email: () => import("@/lib/server/triggers/notify/notify-senders").then(({ emailSender }) => emailSender),
  push: () => import("@/lib/server/triggers/notify/notify-senders").then(({ pushSender }) => pushSender),
  page: () => import("@/lib/server/triggers/notify/notify-senders").then(({ pageSender }) => pageSender),
  mail: () => import("@/lib/server/triggers/notify/notify-senders").then(({ mailSender }) => mailSender),
};
