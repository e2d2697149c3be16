import { OwnTimeZone, UpdateMeBody } from "@/lib/schema/users/time-zone";
import { Viewer } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { changeTimeZone } from "@/lib/server/users/me/time-zone";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: Viewer, summary: "Who is asking, and what they are allowed to do" },
  async ({ viewer }) => json(viewer, { schema: Viewer }),
);

export const PATCH = defineRoute(
  { access: "chat", body: UpdateMeBody, reply: OwnTimeZone, summary: "Choose the caller's time zone" },
  async ({ services, body: { timeZone }, viewer }) =>
    json(await changeTimeZone(services.database, timeZone, viewer), { schema: OwnTimeZone }),
);
