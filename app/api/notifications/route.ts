import { ChangeNotificationsBody, NotificationSettings } from "@/lib/schema/users/notification";
import { json } from "@/lib/server/http/reply";
import { changeNotifications, getNotifications } from "@/lib/server/triggers/notify/preferences";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: NotificationSettings, summary: "What the caller is told, how and when, and their browsers" },
  async ({ services, viewer }) =>
    json(await getNotifications(services.database, viewer), { schema: NotificationSettings }),
);

export const PATCH = defineRoute(
  {
    access: "chat",
    body: ChangeNotificationsBody,
    reply: NotificationSettings,
    summary: "Choose what to be told, how and when; what is left out stays",
  },
  async ({ services, body, viewer }) =>
    json(await changeNotifications(services, body, viewer), { schema: NotificationSettings }),
);
