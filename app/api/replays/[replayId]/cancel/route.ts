import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Replay } from "@/lib/schema/traces/replay";
import { json } from "@/lib/server/http/reply";
import { cancelReplay, getReplay } from "@/lib/server/traces/replay/get-replay";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ replayId: RowId }),
    reply: Replay,
    summary: "Stop the runs of a replay that have not ended; calling it again changes nothing",
  },
  async ({ services, params: { replayId }, viewer }) => {
    await cancelReplay(services.database, viewer, replayId);
    return json(await getReplay(services, viewer, replayId), { schema: Replay });
  },
);
