import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Run } from "@/lib/schema/runs/run";
import { json } from "@/lib/server/http/reply";
import { cancelViewersRun } from "@/lib/server/threads/cancel-viewers-runs";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ runId: RowId }),
    reply: Run,
    summary:
      "Stop a run (an admin may stop anyone's) and hold the messages queued behind it; calling it again, or after the run has ended, changes nothing",
  },
  async ({ services, params: { runId }, viewer }) =>
    json(await cancelViewersRun(services.database, runId, viewer), { schema: Run }),
);
