import { z } from "zod";
import { PageQuery, RowId } from "@/lib/schema/page-query";
import { PastRunList } from "@/lib/schema/triggers/firing";
import { json } from "@/lib/server/http/reply";
import { listFirings } from "@/lib/server/triggers/schedules/manage-schedules";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ scheduleId: RowId }),
    query: PageQuery,
    reply: PastRunList,
    summary: "What became of each due time of a schedule, with the answer of its run, newest first",
  },
  async ({ services, params: { scheduleId }, query, viewer }) =>
    json(await listFirings(services, scheduleId, query, viewer), { schema: PastRunList }),
);
