import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Replay } from "@/lib/schema/traces/replay";
import { json } from "@/lib/server/http/reply";
import { getReplay } from "@/lib/server/traces/replay/get-replay";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ replayId: RowId }),
    reply: Replay,
    summary: "What came of a replay: its runs beside the recording and beside an unchanged replay, call by call",
  },
  async ({ services, params: { replayId }, viewer }) =>
    json(await getReplay(services, viewer, replayId), { schema: Replay }),
);
