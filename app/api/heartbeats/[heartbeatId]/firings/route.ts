import { z } from "zod";
import { PageQuery, RowId } from "@/lib/schema/page-query";
import { HeartbeatRunList } from "@/lib/schema/triggers/heartbeat";
import { json } from "@/lib/server/http/reply";
import { listHeartbeatRuns } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ heartbeatId: RowId }),
    query: PageQuery,
    reply: HeartbeatRunList,
    summary: "What became of each beat of a heartbeat, newest first",
  },
  async ({ services, params: { heartbeatId }, query, viewer }) =>
    json(await listHeartbeatRuns(services, heartbeatId, query, viewer), { schema: HeartbeatRunList }),
);
