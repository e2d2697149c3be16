import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Schedule, UpdateScheduleBody } from "@/lib/schema/triggers/schedule";
import { json, noContent } from "@/lib/server/http/reply";
import { getTrigger } from "@/lib/server/triggers/manage-trigger";
import { deleteSchedule, updateSchedule } from "@/lib/server/triggers/schedules/manage-schedules";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ scheduleId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: Schedule, summary: "One schedule with its latest firings" },
  async ({ services, params: { scheduleId }, viewer }) =>
    json(await getTrigger(services, "schedule", scheduleId, viewer), { schema: Schedule }),
);

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateScheduleBody,
    reply: Schedule,
    summary: "Change, pause or resume a schedule, or take one over",
  },
  async ({ services, params: { scheduleId }, body, viewer }) =>
    json(await updateSchedule(services, scheduleId, body, viewer), { schema: Schedule }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a schedule; its runs and threads stay" },
  async ({ services, params: { scheduleId }, viewer }) => {
    await deleteSchedule(services, scheduleId, viewer);
    return noContent();
  },
);
