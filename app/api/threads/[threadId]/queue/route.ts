import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadQueue } from "@/lib/schema/threads/queue";
import { json } from "@/lib/server/http/reply";
import { getQueue } from "@/lib/server/threads/thread-queue";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    reply: ThreadQueue,
    summary:
      "The messages of a thread that no run has begun with: steers, then those that wait for the run's end, then those that a stop has held",
  },
  async ({ services, params: { threadId }, viewer }) =>
    json(await getQueue(services.database, threadId, viewer), { schema: ThreadQueue }),
);
