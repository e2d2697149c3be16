import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CancelReply } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { cancelThreadRuns } from "@/lib/server/threads/cancel-viewers-runs";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    query: z.strictObject({ runId: RowId.optional() }),
    reply: CancelReply,
    summary:
      "Stop the runs of a thread and hold its queued messages; ?runId= ends only that run, if it is the thread's",
  },
  async ({ services, params: { threadId }, query: { runId }, viewer }) =>
    json(await cancelThreadRuns(services.database, threadId, viewer, runId), { schema: CancelReply }),
);
