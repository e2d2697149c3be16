import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { HeartbeatFile, WriteHeartbeatFileBody } from "@/lib/schema/triggers/heartbeat";
import { readHeartbeatFile, writeHeartbeatFile } from "@/lib/server/file-access/heartbeat-file";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ heartbeatId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: HeartbeatFile, summary: "HEARTBEAT.md of one's own heartbeat" },
  async ({ services, params: { heartbeatId }, viewer }) =>
    json(await readHeartbeatFile(services, heartbeatId, viewer), { schema: HeartbeatFile }),
);

export const PUT = defineRoute(
  {
    access: "chat",
    params,
    body: WriteHeartbeatFileBody,
    reply: HeartbeatFile,
    summary: "Write HEARTBEAT.md of one's own heartbeat; the change saves a version",
  },
  async ({ services, params: { heartbeatId }, body, viewer }) =>
    json(await writeHeartbeatFile(services, heartbeatId, body, viewer), { schema: HeartbeatFile }),
);
