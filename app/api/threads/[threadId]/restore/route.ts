import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadSummary } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { restoreThread } from "@/lib/server/threads/change-thread";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    reply: ThreadSummary,
    summary: "Restore a deleted thread",
  },
  async ({ services, params: { threadId }, viewer }) =>
    json(await restoreThread(services, threadId, viewer), { schema: ThreadSummary }),
);
