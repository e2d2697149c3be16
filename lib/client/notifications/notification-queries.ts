import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { type Delivery, DeliveryList } from "@/lib/schema/triggers/delivery";
import {
  type ChangeNotificationsBody,
  type NotificationKind,
  NotificationSettings,
  type NotificationWay,
  PushDevice,
  type PushSubscriptionBody,
  PushTest,
} from "@/lib/schema/users/notification";
import { OwnTimeZone } from "@/lib/schema/users/time-zone";

const REFRESH_MS = 30_000;

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: ({ signal }) => callJson(NotificationSettings, "/api/notifications", { signal }),
});

interface Sent extends Delivery {
  readonly kind: NotificationKind | "summary";
  readonly way: NotificationWay;
}

/** Empty if the delivery is not a notification, or only replaces one. */
function toSent(delivery: Delivery): Sent[] {
  const { push, page, mail, chat, summary } = delivery.target;
  if (summary) return [{ ...delivery, kind: "summary", way: summary.way }];
  const subject = push ?? page ?? mail ?? chat;
  if (!subject || push?.isDecided) return [];
  return [{ ...delivery, kind: subject.kind, way: push ? "push" : page ? "page" : mail ? "email" : "channel" }];
}

/** Recent notifications to the viewer, newest first. */
export const sentQuery = queryOptions({
  queryKey: ["notifications", "sent"],
  queryFn: async ({ signal }) => {
    const { deliveries } = await callJson(DeliveryList, "/api/deliveries?mine=true&limit=50", { signal });
    return deliveries.flatMap(toSent);
  },
  refetchInterval: REFRESH_MS,
});

export function changeNotifications(body: ChangeNotificationsBody): Promise<NotificationSettings> {
  return callJson(NotificationSettings, "/api/notifications", { method: "PATCH", body });
}

export function changeTimeZone(timeZone: string | null): Promise<OwnTimeZone> {
  return callJson(OwnTimeZone, "/api/me", { method: "PATCH", body: { timeZone } });
}

export function addPushDevice(body: PushSubscriptionBody): Promise<PushDevice> {
  return callJson(PushDevice, "/api/push-subscriptions", { method: "POST", body });
}

const pathOf = (id: string) => `/api/push-subscriptions/${encodeURIComponent(id)}`;

export async function removePushDevice(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

export function testPushDevice(id: string): Promise<PushTest> {
  return callJson(PushTest, `${pathOf(id)}/test`, { method: "POST" });
}
