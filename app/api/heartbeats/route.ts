import { PageQuery } from "@/lib/schema/page-query";
import { CreateHeartbeatBody, Heartbeat, HeartbeatList } from "@/lib/schema/triggers/heartbeat";
import { json } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { createHeartbeat, listHeartbeats } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: PageQuery,
    reply: HeartbeatList,
    summary: "The caller's heartbeats with their latest beats, and those that agents offer; all for administrators",
  },
  async ({ services, query, viewer }) => json(await listHeartbeats(services, query, viewer), { schema: HeartbeatList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateHeartbeatBody,
    reply: Heartbeat,
    status: 201,
    summary: "Let an agent look after things; what is left out is as its config says",
  },
  async ({ services, body, viewer }) =>
    json(await createHeartbeat(services, body, viewer, accessOf(viewer)), { status: 201, schema: Heartbeat }),
);
