import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { HeartbeatRun } from "@/lib/schema/triggers/heartbeat";
import { json } from "@/lib/server/http/reply";
import { runHeartbeatNow } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ heartbeatId: RowId }),
    reply: HeartbeatRun,
    status: 201,
    summary: "Beat now, outside of the active hours and while it is off, too; all other checks hold",
  },
  async ({ services, params: { heartbeatId }, viewer }) =>
    json(await runHeartbeatNow(services, heartbeatId, viewer), { status: 201, schema: HeartbeatRun }),
);
