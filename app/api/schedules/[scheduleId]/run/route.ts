import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Firing } from "@/lib/schema/triggers/firing";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
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
  async ({ params: { scheduleId }, viewer }) =>
    json(await runSchedule(processServices(), scheduleId, viewer), { status: 201, schema: Firing }),
);
