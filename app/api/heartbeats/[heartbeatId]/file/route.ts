import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { HeartbeatFile, WriteHeartbeatFileBody } from "@/lib/schema/triggers/heartbeat";
import { readHeartbeatFile, writeHeartbeatFile } from "@/lib/server/file-access/heartbeat-file";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ heartbeatId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: HeartbeatFile, summary: "HEARTBEAT.md of one's own heartbeat" },
  async ({ params: { heartbeatId }, viewer }) =>
    json(await readHeartbeatFile(processServices(), heartbeatId, viewer), { schema: HeartbeatFile }),
);

export const PUT = defineRoute(
  {
    access: "chat",
    params,
    body: WriteHeartbeatFileBody,
    reply: HeartbeatFile,
    summary: "Write HEARTBEAT.md of one's own heartbeat; the change saves a version",
  },
  async ({ params: { heartbeatId }, body, viewer }) =>
    json(await writeHeartbeatFile(processServices(), heartbeatId, body, viewer), { schema: HeartbeatFile }),
);
