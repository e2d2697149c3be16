import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Firing } from "@/lib/schema/triggers/firing";
import { json } from "@/lib/server/http/reply";
import { runSchedule } from "@/lib/server/triggers/schedules/manage-schedules";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ scheduleId: RowId }),
    reply: Firing,
    status: 201,
    summary: "Run a schedule now, also one that is paused",
  },
  async ({ services, params: { scheduleId }, viewer }) =>
    json(await runSchedule(services, scheduleId, viewer), { status: 201, schema: Firing }),
);
