import { ScheduleTimesBody, ScheduleTimesReply } from "@/lib/schema/triggers/schedule";
import { json } from "@/lib/server/http/reply";
import { nextTimes } from "@/lib/server/triggers/schedules/next-times";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    body: ScheduleTimesBody,
    reply: ScheduleTimesReply,
    summary: "The next five times at which a schedule of the viewer would be due; nothing is stored",
  },
  async ({ services, body, viewer }) =>
    json(await nextTimes(services.database, body, viewer), { schema: ScheduleTimesReply }),
);
