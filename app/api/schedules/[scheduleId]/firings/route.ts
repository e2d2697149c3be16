import { z } from "zod";
import { PageQuery, RowId } from "@/lib/schema/page-query";
import { FiringList } from "@/lib/schema/triggers/firing";
import { json } from "@/lib/server/http/reply";
import { listFirings } from "@/lib/server/triggers/schedules/manage-schedules";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ scheduleId: RowId }),
    query: PageQuery,
    reply: FiringList,
    summary: "What became of each due time of a schedule, newest first",
  },
  async ({ params: { scheduleId }, query, viewer }) =>
    json(await listFirings(scheduleId, query, viewer), { schema: FiringList }),
);
