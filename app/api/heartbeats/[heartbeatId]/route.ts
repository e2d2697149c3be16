import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Heartbeat, UpdateHeartbeatBody } from "@/lib/schema/triggers/heartbeat";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteHeartbeat, updateHeartbeat } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { getTrigger } from "@/lib/server/triggers/manage-trigger";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ heartbeatId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: Heartbeat, summary: "One heartbeat with its latest beats" },
  async ({ services, params: { heartbeatId }, viewer }) =>
    json(await getTrigger(services, "heartbeat", heartbeatId, viewer), { schema: Heartbeat }),
);

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateHeartbeatBody,
    reply: Heartbeat,
    summary: "Change a heartbeat, or turn it on or off",
  },
  async ({ services, params: { heartbeatId }, body, viewer }) =>
    json(await updateHeartbeat(services, heartbeatId, body, viewer), { schema: Heartbeat }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a heartbeat; its thread stays" },
  async ({ services, params: { heartbeatId }, viewer }) => {
    await deleteHeartbeat(services, heartbeatId, viewer);
    return noContent();
  },
);
