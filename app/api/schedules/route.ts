import { PageQuery } from "@/lib/schema/page-query";
import { CreateScheduleBody, Schedule, ScheduleList } from "@/lib/schema/triggers/schedule";
import { json } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { createSchedule, listSchedules } from "@/lib/server/triggers/schedules/manage-schedules";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: PageQuery,
    reply: ScheduleList,
    summary: "The caller's schedules with their latest firings; all of them for administrators",
  },
  async ({ services, query, viewer }) => json(await listSchedules(services, query, viewer), { schema: ScheduleList }),
);

export const POST = defineRoute(
  { access: "chat", body: CreateScheduleBody, reply: Schedule, status: 201, summary: "Create a schedule" },
  async ({ services, body, viewer }) =>
    json(await createSchedule(services, body, viewer, accessOf(viewer)), { status: 201, schema: Schedule }),
);
