import { z } from "zod";
import { PageQuery, RowId } from "@/lib/schema/page-query";
import { BeatList } from "@/lib/schema/triggers/heartbeat";
import { json } from "@/lib/server/http/reply";
import { listBeats } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ heartbeatId: RowId }),
    query: PageQuery,
    reply: BeatList,
    summary: "What became of each beat of a heartbeat, newest first",
  },
  async ({ params: { heartbeatId }, query, viewer }) =>
    json(await listBeats(heartbeatId, query, viewer), { schema: BeatList }),
);
