import type { DeliveryKind } from "@/lib/schema/triggers/outgoing-target";
import type { DeliverySender } from "./delivery-sender";

/** The sender for each kind of target, loaded on first use. */
export type DeliverySenders = Readonly<Record<DeliveryKind, () => Promise<DeliverySender>>>;

export const DELIVERY_SENDERS: DeliverySenders = {
  thread: () => import("./thread-sender").then(({ threadSender }) => threadSender),
  webhook: () => import("./webhook-sender").then(({ webhookSender }) => webhookSender),
  notify: () => import("@/lib/server/triggers/notify/notify-senders").then(({ notifySender }) => notifySender),
  email: () => import("@/lib/server/triggers/notify/notify-senders").then(({ emailSender }) => emailSender),
  push: () => import("@/lib/server/triggers/notify/notify-senders").then(({ pushSender }) => pushSender),
  page: () => import("@/lib/server/triggers/notify/notify-senders").then(({ pageSender }) => pageSender),
  channel: () => import("@/lib/server/triggers/channels/channel-senders").then(({ resultSender }) => resultSender),
  message: () => import("@/lib/server/triggers/channels/channel-senders").then(({ messageSender }) => messageSender),
  question: () =>
    import("@/lib/server/triggers/channels/questions/question-senders").then(({ questionSender }) => questionSender),
  decided: () =>
    import("@/lib/server/triggers/channels/questions/question-senders").then(({ decidedSender }) => decidedSender),
  summary: () => import("@/lib/server/triggers/notify/notify-senders").then(({ summarySender }) => summarySender),
  chat: () => import("@/lib/server/triggers/channels/notice-sender").then(({ noticeSender }) => noticeSender),
  mail: () => import("@/lib/server/triggers/notify/notify-senders").then(({ mailSender }) => mailSender),
};
