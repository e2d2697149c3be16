import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Beat } from "@/lib/schema/triggers/heartbeat";
import { json } from "@/lib/server/http/reply";
import { beatNow } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ heartbeatId: RowId }),
    reply: Beat,
    status: 201,
    summary: "Beat now, outside of the active hours and while it is off, too; all other checks hold",
  },
  async ({ params: { heartbeatId }, viewer }) =>
    json(await beatNow(heartbeatId, viewer), { status: 201, schema: Beat }),
);
